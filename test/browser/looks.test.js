import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findViolations } from '../support/axe.js';
import { launchBrowser } from '../support/browser.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';
import { openTab } from '../support/tab.js';

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

/** @typedef {Awaited<ReturnType<typeof openTab>>} Tab */

/**
 * What there is to see on a page after it has been used, besides what it begins with.
 *
 * @type {Record<string, (tab: Tab) => Promise<unknown>>}
 */
const USES = {
  '/': async ({ page }) => {
    await page.goto(`${page.url()}?transports=ajax,sockjs&blocks=6&iterations=3&seed=1&autostart=1`);
    await page.locator('#verdict').waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
  },
  '/inflight': (tab) => useExperiment(tab, 'transports=ajax,sockjs&depths=1,4&blocks=2&seed=1'),
  '/fixedrate': (tab) => useExperiment(tab, 'transports=ajax,sockjs&rate=200&messages=20&blocks=3&seed=1'),
  '/polltest': async ({ page }) => {
    await page.goto(`${page.url()}?ways=poll,push&users=2&jobs=2&most=100&intervals=25&limit=5000&seed=1&autostart=1`);
    await page.locator('#result').waitFor();
  },
  '/payloadtest': async ({ page }) => {
    await page.goto(`${page.url()}?sizes=1,1000&repeats=6&seed=1&autostart=1`);
    await page.locator('#result').waitFor();
  },
  '/ajaxtest': useClassicPage,
  '/socktest': useClassicPage,
  // A test that finishes, one that does not, and a field that is wrong.
  '/countdown': async ({ page, press }) => {
    await page.route('**/xhr?*', (route) => route.abort());
    await press('Start');
    await page.locator('#tests tbody tr').nth(1).waitFor();
    await page.locator('#start-controls:enabled').waitFor();
    await page.getByLabel('Iterations', { exact: true }).fill('x');
    await press('Start');
  },
  '/results/ID': ({ page }) => page.locator('#verdict').waitFor(),
};
const PATHS = [...Object.keys(USES), '/nothing'];

/** @param {Tab} tab @param {string} plan of its link */
async function useExperiment({ page }, plan) {
  await page.goto(`${page.url()}?${plan}&autostart=1`);
  await page.locator('#result').waitFor();
  await page.locator('summary').click();
}

/** @param {Tab} tab */
async function useClassicPage({ page, press, idleAfter }) {
  await page.getByLabel('Iterations', { exact: true }).fill('x');
  await press('Start!');
  await press('10');
  await idleAfter(1);
}

/** All that another scheme can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** @param {import('playwright-core').Page} page */
async function checkLooks(page) {
  assert.deepEqual(await findViolations(page), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await findViolations(page, COLOR_RULES), [], 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${overflow} px too wide`);
}

describe('every page, in light and dark, before and after it is used', () => {
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

  for (const [device, options] of Object.entries(DEVICES)) {
    for (const path of PATHS) {
      it(`${path} on a ${device}: no axe-core violation, nothing wider than the screen`, async () => {
        const url = server.origin + (path === '/results/ID' ? `${saved}#delete=token` : path);
        // Else colours fade from one scheme to the other, and on the way they would be hard to read.
        const tab = await openTab(browser, url, { ...options, reducedMotion: 'reduce' });
        try {
          await checkLooks(tab.page);
          if (!USES[path]) return;
          await USES[path](tab);
          await checkLooks(tab.page);
        } finally {
          await tab.close();
        }
      });
    }
  }
});
