import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { launchBrowser } from '../support/browser.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';
import { openTab } from '../support/tab.js';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** On the home page. */
const RUN = '/?transports=ajax,sockjs&blocks=6&iterations=3&seed=1&autostart=1';
/** On the pages of experiments. */
const EXPERIMENT_RUNS = {
  '/inflight': '?transports=ajax,sockjs&depths=1,4&blocks=2&seed=1&autostart=1',
  '/fixedrate': '?transports=ajax,sockjs&rate=200&messages=20&blocks=3&seed=1&autostart=1',
};
const PATHS = ['/', '/nothing', '/ajaxtest', '/socktest', '/countdown', '/inflight', '/fixedrate', '/results/ID'];
const DESKTOP = { viewport: { width: 1280, height: 900 } };

/** @param {import('playwright-core').Page} page */
async function findViolations(page) {
  // The page's policy lets no inline script in; the debugger may run one all the same.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run();
    return violations.map(
      (/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.html).join(' | ')}`,
    );
  });
}

describe('every page, on desktop and phone, light and dark', () => {
  /** @type {import('playwright-core').Browser} */
  let browser;
  /** @type {import('../support/server.js').TestServer} */
  let server;
  /** @type {string} the path of a saved run's page */
  let saved;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), openServer()]);
    // What a visitor may type has no place to break a line at.
    const words = { label: 'W'.repeat(80), note: 'W'.repeat(200), place: { name: 'W'.repeat(100) } };
    saved = (await postSubmission(server.origin, { document: createShootout(), ...words })).answer.url;
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [device, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      for (const path of PATHS) {
        it(`${path} on a ${device}, ${colorScheme}: no axe-core violation, nothing wider than the screen`, async () => {
          const url = server.origin + (path === '/results/ID' ? `${saved}#delete=token` : path);
          const tab = await openTab(browser, url, { ...size, colorScheme });
          try {
            if (path === '/results/ID') await tab.page.locator('#verdict').waitFor();
            assert.deepEqual(await findViolations(tab.page), []);
            if (path === '/') {
              await tab.page.goto(server.origin + RUN);
              await tab.page.locator('#verdict').waitFor();
              for (const summary of await tab.page.locator('summary').all()) await summary.click();
              assert.deepEqual(await findViolations(tab.page), []);
            }
            if (path === '/inflight' || path === '/fixedrate') {
              await tab.page.goto(server.origin + path + EXPERIMENT_RUNS[path]);
              await tab.page.locator('#result').waitFor();
              await tab.page.locator('summary').click();
              assert.deepEqual(await findViolations(tab.page), []);
            }
            if (path.endsWith('test')) {
              await tab.page.getByLabel('Iterations', { exact: true }).fill('x');
              await tab.press('Start!');
              await tab.press('10');
              await tab.idleAfter(1);
              assert.deepEqual(await findViolations(tab.page), []);
            }
            if (path === '/countdown') {
              // A test that finishes, one that does not, and a field that is wrong.
              await tab.page.route('**/xhr?*', (route) => route.abort());
              await tab.press('Start');
              await tab.page.locator('#tests tbody tr').nth(1).waitFor();
              await tab.page.locator('#start-controls:enabled').waitFor();
              await tab.page.getByLabel('Iterations', { exact: true }).fill('x');
              await tab.press('Start');
              assert.deepEqual(await findViolations(tab.page), []);
            }
            const overflow = await tab.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
            assert.ok(overflow <= 0, `${overflow} px too wide`);
          } finally {
            await tab.close();
          }
        });
      }
    }
  }
});
