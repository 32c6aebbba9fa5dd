import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { transfers } from '../../core/net/transfer/index.js';
import { transferContract, socketContract } from '../contract/transfer-contract.js';
import { useBrowserSite } from '../support/browser-site.js';
import { JQUERY, loadSource } from '../../bench/source-in-page.js';

/** @import { Page } from 'playwright-core' */

const CONTRACT_PATH = 'test/contract/transfer-contract.js';

/** By Node's suite all are carried. */
const SIZES = [1, 1000, 1_000_000];

/** Those over HTTP, which open no connection of their own. */
const POOLED = ['ajax', 'fetch'];

describe('transfers, in Chromium', () => {
  const site = useBrowserSite();
  /** @type {Page} */
  let page;
  /** @type {string} */
  let source;

  before(async () => {
    ({ page } = await site.openTab('/socktest'));
    source = await loadSource(page, [
      CONTRACT_PATH,
      'core/net/transfer/index.js',
      'core/net/transfer/content.js',
      'core/net/libraries.js',
      JQUERY,
    ]);
  });

  for (const name of Object.keys(transfers)) {
    const checks = { ...transferContract, ...(!POOLED.includes(name) && socketContract) };
    describe(name, () => {
      for (const check of Object.keys(checks)) {
        it(check, async () => {
          assert.equal(
            await page.evaluate(runCheck, { source, contractPath: CONTRACT_PATH, name, check, sizes: SIZES }),
            undefined,
          );
        });
      }
    });
  }

  it('those over HTTP name their protocol', async () => {
    for (const name of POOLED) {
      assert.equal(await page.evaluate(readProtocol, { source, name }), 'http/1.1');
    }
  });
});

/**
 * Runs in the page.
 *
 * @param {{ source: string, contractPath: string, name: string, check: string, sizes: readonly number[] }} options
 * @returns {Promise<string | undefined>} what is wrong
 */
async function runCheck({ source, contractPath, name, check, sizes }) {
  const [{ transferContract: contract, socketContract: ofSockets }, { createTransfer, transfers }, { isPackage }] =
    await Promise.all([
      import(source + contractPath),
      import(`${source}core/net/transfer/index.js`),
      import(`${source}core/net/libraries.js`),
    ]);
  const { library: needed } = transfers[name];
  const { src } = /** @type {HTMLScriptElement} */ (document.querySelector('script[type=module]'));
  const library = isPackage(needed) ? (await import(`${new URL('..', src)}vendor/${needed}.js`)).default : undefined;
  try {
    await { ...contract, ...ofSockets }[check]({
      transfer: createTransfer(name, { library, baseUrl: location.origin }),
      lostTransfer: createTransfer(name, { library, baseUrl: 'http://127.0.0.1:1' }),
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
 * @param {{ source: string, name: string }} options
 * @returns {Promise<string>}
 */
async function readProtocol({ source, name }) {
  const [{ createTransfer }, { createMessages }, { default: $ }] = await Promise.all([
    import(`${source}core/net/transfer/index.js`),
    import(`${source}core/net/transfer/content.js`),
    import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`),
  ]);
  const transfer = createTransfer(name, { library: name === 'ajax' ? $ : undefined, baseUrl: location.origin });
  const connection = await transfer.connect('down', {});
  const message = createMessages(1)({ direction: 'down', bytes: 1, offset: 0, form: transfer.form });
  while (connection.protocol === undefined) await connection.send(message, {});
  return connection.protocol;
}
