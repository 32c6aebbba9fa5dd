/** What cuts do to the connections of an engine: it connects again, and misses messages, as the others do. */
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { assertCuts, EVERY_CUT } from '../support/cuts-facts.js';

/**
 * @import { Engine } from '../support/smoke.js'
 * @import { TestServer } from '../support/server.js'
 */

/** Reads the run that the page keeps for a reload. */
const READ = `JSON.stringify(Object.entries(sessionStorage).find(([key]) => /last-run.*cuts\\/1$/.test(key))?.[1] ?? '')`;

/** @param {string} name that the site gives the browser @param {() => Promise<Engine>} open */
export function describeCuts(name, open) {
  describe(`in ${name} a cut`, () => {
    /** @type {TestServer} */
    let server;
    /** @type {Engine} */
    let engine;
    before(async () => {
      [engine, server] = await Promise.all([open(), openServer()]);
    });
    after(async () => {
      await engine?.close();
      await server?.close();
    });

    it('of each kind costs what it costs in the others', async () => {
      const { page } = engine;
      await page.open(`${server.origin}/cuts?${EVERY_CUT}&autostart=1`);
      await page.waitFor('#result-headline');
      assertCuts(JSON.parse(JSON.parse(await page.evaluate(READ))).run);
    });
  });
}
