/**
 * The contract of transports in an engine: what test/browser/contract.test.js holds in Chromium with the project's own modules.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { transports } from '../../core/net/echo/index.js';
import { transportContract } from '../contract/transport-contract.js';
import { spawnServer } from '../support/server.js';

/** @import { Engine } from '../support/smoke.js' */

const LOOK_MS = 20;
/** Runs in the page: checks, and keeps what is wrong, or '' for nothing, as not every driver waits for a promise. */
const PAGE = `
  import { transportContract } from './test/contract/transport-contract.js';
  import { createTransport, transports } from './core/net/echo/index.js';
  import { isPackage } from './core/net/libraries.js';

  globalThis.checkTransport = (name, words) => {
    globalThis.failure = undefined;
    check(name, words).then(() => (globalThis.failure = ''), (error) => (globalThis.failure = String(error)));
  };

  async function check(name, words) {
    const { library: needed, endpoint } = transports[name];
    const { src } = document.querySelector('script[type=module]');
    const library = isPackage(needed)
      ? (await import(new URL('../vendor/' + needed + '.js', src).href)).default
      : undefined;
    const create = (baseUrl) => createTransport(name, { library, url: baseUrl + endpoint });
    await transportContract[words]({ transport: create(location.origin), lostTransport: create('http://127.0.0.1:1') });
  }
`;

/** @param {string} name that the site gives the browser @param {() => Promise<Engine>} open */
export function describeTransports(name, open) {
  describe(`in ${name} a transport`, () => {
    // This is a process of its own: SockJS keeps a fallback's session for 5 s after its end.
    const server = spawnServer({ SERVER_NAME: 'test' });
    /** @type {Engine} */
    let engine;
    before(async () => {
      const [opened, origin, script] = await Promise.all([open(), server.origin(), bundlePage()]);
      engine = opened;
      await engine.page.open(`${origin}/socktest`);
      // A policy forbids inline scripts; what a driver evaluates, it allows.
      await engine.page.evaluate(`(() => { ${script} })()`);
    });
    after(async () => {
      await engine?.close();
      await server.stop();
    });

    for (const transport of Object.keys(transports)) {
      for (const words of Object.keys(transportContract)) {
        it(`${transport} ${words}`, async () => {
          const { page } = engine;
          await page.evaluate(`checkTransport(${JSON.stringify(transport)}, ${JSON.stringify(words)})`);
          while ((await page.evaluate('globalThis.failure === undefined')) === true) await sleep(LOOK_MS);
          assert.equal(await page.evaluate('globalThis.failure'), '');
        });
      }
    }
  });
}

/** @returns {Promise<string>} a script without imports */
async function bundlePage() {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: process.cwd() },
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}
