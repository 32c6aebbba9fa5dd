import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { transports } from '../../core/net/echo/index.js';
import { channelContractOf } from '../contract/channel-contract.js';
import { transportContract } from '../contract/transport-contract.js';
import { launchBrowser } from '../support/browser.js';
import { spawnServer } from '../support/server.js';
import { loadSource } from '../../bench/source-in-page.js';

/** @import { Browser, Page } from 'playwright-core' */

const CONTRACT_PATH = 'test/contract/transport-contract.js';
const CHANNEL_PATH = 'test/contract/channel-contract.js';
const LIBRARIES = 'core/net/libraries.js';

/** @type {Browser} */
let browser;
/** @type {Page} */
let tab;
/** @type {string} */
let origin;
/** @type {string} */
let source;
/** A process of its own: SockJS keeps a fallback's session for 5 s after its end, and this one would wait for that. */
const server = spawnServer({ SERVER_NAME: 'test' });

before(async () => {
  [browser, origin] = await Promise.all([launchBrowser(), server.origin()]);
  tab = await browser.newPage();
});
after(async () => {
  await browser?.close();
  await server.stop();
});

for (const name of Object.keys(transports)) {
  describe(`${name}, in Chromium`, () => {
    // What another kind may have left to its server's next heartbeat, such as a poll, ends with its page: a browser has six
    // connections to a server, and SockJS gives up what waits for one for 8 s.
    before(async () => {
      await tab.goto(`${origin}/socktest`);
      source = await loadSource(tab, [CONTRACT_PATH, CHANNEL_PATH, 'core/net/echo/index.js', LIBRARIES]);
    });
    for (const check of Object.keys(transportContract)) {
      it(check, async () => {
        const failure = await tab.evaluate(runCheck, { source, contractPath: CONTRACT_PATH, name, check });
        assert.equal(failure, undefined);
      });
    }
    for (const check of Object.keys(channelContractOf(transports[name]))) {
      it(`${check}, as a kind of connection`, async () => {
        const failure = await tab.evaluate(runCheck, { source, contractPath: CHANNEL_PATH, name, check });
        assert.equal(failure, undefined);
      });
    }
  });
}

/**
 * Runs in the page.
 *
 * @param {{ source: string, contractPath: string, name: string, check: string }} options
 * @returns {Promise<string | undefined>} what is wrong
 */
async function runCheck({ source, contractPath, name, check }) {
  const [contracts, { createTransport, transports }, { isPackage }] = await Promise.all([
    import(source + contractPath),
    import(`${source}core/net/echo/index.js`),
    import(`${source}core/net/libraries.js`),
  ]);
  const { library: needed, endpoint } = transports[name];
  const { src } = /** @type {HTMLScriptElement} */ (document.querySelector('script[type=module]'));
  const library = isPackage(needed) ? (await import(`${new URL('..', src)}vendor/${needed}.js`)).default : undefined;
  try {
    const [url, lostUrl] = [location.origin, 'http://127.0.0.1:1'].map((origin) => origin + endpoint);
    const { transportContract: ofTransports, channelContractOf: of } = contracts;
    if (of) await of(transports[name])[check]({ row: transports[name], library, url, lostUrl });
    else {
      const [transport, lostTransport] = [url, lostUrl].map((one) => createTransport(name, { library, url: one }));
      await ofTransports[check]({ transport, lostTransport });
    }
    return undefined;
  } catch (error) {
    return String(error);
  }
}
