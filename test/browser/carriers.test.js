import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { carriers } from '../../core/carriers/index.js';
import { carrierContract, socketContract } from '../contract/carrier-contract.js';
import { useBrowserSite } from '../support/browser-site.js';

const CONTRACT_FILE = new URL('../contract/carrier-contract.js', import.meta.url);

/** Where the page finds the contract: below the prefix, so that its imports of core work as they are written. */
const CONTRACT_PATH = 'test/contract/carrier-contract.js';

/** By Node's suite all are carried. */
const SIZES = [1, 1000, 1_000_000];

/** Those over HTTP, which open no connection of their own. */
const POOLED = ['ajax', 'fetch'];

describe('carriers, in Chromium', () => {
  const site = useBrowserSite();
  /** @type {import('playwright-core').Page} */
  let page;
  /** @type {string} */
  let prefix;

  before(async () => {
    ({ page } = await site.openTab('/socktest'));
    await page.route(`**/${CONTRACT_PATH}`, async (route) => {
      await route.fulfill({ contentType: 'text/javascript', body: await readFile(CONTRACT_FILE, 'utf8') });
    });
    const source = await page
      .locator('script[type=module]')
      .evaluate((node) => /** @type {HTMLScriptElement} */ (node).src);
    prefix = String(/^.*\/assets\/\w+\//.exec(source));
  });

  for (const name of Object.keys(carriers)) {
    const checks = { ...carrierContract, ...(!POOLED.includes(name) && socketContract) };
    describe(name, () => {
      for (const check of Object.keys(checks)) {
        it(check, async () => {
          assert.equal(
            await page.evaluate(runCheck, { prefix, contractPath: CONTRACT_PATH, name, check, sizes: SIZES }),
            undefined,
          );
        });
      }
    });
  }

  it('those over HTTP name their protocol', async () => {
    for (const name of POOLED) {
      assert.equal(await page.evaluate(readProtocol, { prefix, name }), 'http/1.1');
    }
  });
});

/**
 * Runs in the page.
 *
 * @param {{ prefix: string, contractPath: string, name: string, check: string, sizes: readonly number[] }} options
 * @returns {Promise<string | undefined>} what is wrong
 */
async function runCheck({ prefix, contractPath, name, check, sizes }) {
  const [{ carrierContract: contract, socketContract: ofSockets }, { carriers }, { default: $ }] = await Promise.all([
    import(prefix + contractPath),
    import(`${prefix}core/carriers/index.js`),
    import(`${prefix}vendor/jquery.js`),
  ]);
  const library = { ajax: $, sockjs: window.SockJS }[name];
  try {
    await { ...contract, ...ofSockets }[check]({
      carrier: carriers[name]({ library, origin: location.origin }),
      lostCarrier: carriers[name]({ library, origin: 'http://127.0.0.1:1' }),
      sizes,
    });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/**
 * Runs in the page: what the browser tells of a request, it tells a little later.
 *
 * @param {{ prefix: string, name: string }} options
 * @returns {Promise<string>}
 */
async function readProtocol({ prefix, name }) {
  const [{ carriers }, { createMessages }, { default: $ }] = await Promise.all([
    import(`${prefix}core/carriers/index.js`),
    import(`${prefix}core/carriers/message.js`),
    import(`${prefix}vendor/jquery.js`),
  ]);
  const carrier = carriers[name]({ library: name === 'ajax' ? $ : undefined, origin: location.origin });
  const connection = await carrier.connect('down', {});
  const message = createMessages(1)({ direction: 'down', bytes: 1, offset: 0, form: carrier.form });
  while (connection.protocol === undefined) await connection.send(message, {});
  return connection.protocol;
}
