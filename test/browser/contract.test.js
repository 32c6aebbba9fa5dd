import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { transports } from '../../core/transports/index.js';
import { transportContract } from '../contract/transport-contract.js';
import { launchBrowser } from '../support/browser.js';
import { spawnServer } from '../support/server.js';

const CONTRACT_FILE = new URL('../contract/transport-contract.js', import.meta.url);

/** Where the page finds the contract: below the prefix, so that its imports of core work as they are written. */
const CONTRACT_PATH = 'test/contract/transport-contract.js';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('playwright-core').Page} */
let tab;
/** @type {string} */
let prefix;
/** A process of its own: SockJS keeps a fallback's session for 5 s after its end, and this one would wait for that. */
const server = spawnServer({ SERVER_NAME: 'test' });

before(async () => {
  const [launched, origin] = await Promise.all([launchBrowser(), server.origin()]);
  browser = launched;
  tab = await browser.newPage();
  await tab.route(`**/${CONTRACT_PATH}`, async (route) => {
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(CONTRACT_FILE, 'utf8') });
  });
  await tab.goto(`${origin}/socktest`);
  prefix = String(
    /^.*\/assets\/\w+\//.exec(
      await tab.locator('script[type=module]').evaluate((node) => /** @type {HTMLScriptElement} */ (node).src),
    ),
  );
});
after(async () => {
  await browser?.close();
  await server.stop();
});

for (const [name, { endpoint }] of Object.entries(transports)) {
  describe(`${name}, in Chromium`, () => {
    for (const check of Object.keys(transportContract)) {
      it(check, async () => {
        const failure = await tab.evaluate(runCheck, { prefix, contractPath: CONTRACT_PATH, name, endpoint, check });
        assert.equal(failure, undefined);
      });
    }
  });
}

/**
 * Runs in the page.
 *
 * @param {{ prefix: string, contractPath: string, name: string, endpoint: string, check: string }} options
 * @returns {Promise<string | undefined>} what is wrong
 */
async function runCheck({ prefix, contractPath, name, endpoint, check }) {
  const [{ transportContract: contract }, { transports }, { default: $ }] = await Promise.all([
    import(prefix + contractPath),
    import(`${prefix}core/transports/index.js`),
    import(`${prefix}vendor/jquery.js`),
  ]);
  const library = name === 'ajax' ? $ : name.startsWith('sockjs') ? window.SockJS : undefined;
  try {
    await contract[check]({
      transport: transports[name].create({ library, url: location.origin + endpoint }),
      lostTransport: transports[name].create({ library, url: `http://127.0.0.1:1${endpoint}` }),
    });
    return undefined;
  } catch (error) {
    return String(error);
  }
}
