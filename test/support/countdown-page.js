/** The page of the count-down, as its tests use it. */
import assert from 'node:assert/strict';
import { openPart } from '../../core/experiment/run/open-run.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { countdown } from '../../core/experiments/countdown/index.js';
import { toDocument } from '../../core/experiments/countdown/schema.js';
import { summarize } from '../../core/experiments/countdown/summary.js';
import { downloadRun } from './download.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Tab, useBrowserSite, Visit } from './browser-site.js'
 */

/**
 * @param {ReturnType<typeof useBrowserSite>} site
 * @returns {(query: string, use: (countdown: ReturnType<typeof driveCountdown>) => Promise<unknown>, visit?: Visit) =>
 *   Promise<void>} opens the page with a query, uses it, and closes it
 */
export const openCountdown = (site) => (query, use, visit) =>
  site.withTab(`/countdown${query}`, (tab) => use(driveCountdown(tab)), visit);

/** @param {Tab} tab */
function driveCountdown(tab) {
  const { page } = tab;
  const rows = page.locator('#tests tbody tr');
  return {
    ...tab,
    field: page.getByLabel('Iterations', { exact: true }),
    /** Folded or not. @param {string} selector */
    text: async (selector) => String(await page.locator(selector).textContent()),
    /** @param {string} name */
    choose: (name) => page.getByRole('radio', { name, exact: true }).check(),
    start: () => tab.press('Measure'),
    /** The cells of the tests. */
    rows: () => rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => String(cell.textContent)))),
    /** Waits until so many tests are in the table and another can be started. */
    async idleAfter(/** @type {number} */ testCount) {
      await rows.nth(testCount - 1).waitFor();
      await page.locator('#start-controls:enabled').waitFor();
      assert.equal(await rows.count(), testCount);
    },
    /** @param {string} words how far the press must be */
    underWay: (words) => page.locator('#progress-text', { hasText: words }).waitFor(),
    /** What the page exports. */
    async result() {
      return summarize(openPart(countdown, JSON.parse(await downloadRun(page))));
    },
  };
}

/**
 * Checks the words about what the page exports.
 *
 * @param {(selector: string) => Promise<string>} text
 * @param {any} result
 */
export async function assertWords(text, result) {
  const { headline, notice = '', sentences } = reportOf(countdown, toDocument(result));
  assert.equal(await text('#answer'), headline);
  assert.equal(await text('#result-notice'), notice);
  assert.equal(await text('#result-words'), sentences.join(' '));
}

/**
 * Holds answers over HTTP back, so that there is time to do something during the run.
 *
 * @param {Page} page
 * @param {number} passedCount of requests that are let through before
 * @returns {Promise<{ held: Promise<void>, release: () => void }>} `held`: when the first is held, so that its test has
 *   begun for certain; `release` lets all of them through
 */
export async function holdXhr(page, passedCount) {
  let requestCount = 0;
  /** @type {() => void} */
  let release = () => {};
  /** @type {() => void} */
  let hold = () => {};
  const released = new Promise((resolve) => (release = () => resolve(undefined)));
  const held = /** @type {Promise<void>} */ (new Promise((resolve) => (hold = () => resolve(undefined))));
  await page.route('**/xhr?*', async (route) => {
    if (++requestCount > passedCount) {
      hold();
      await released;
    }
    // By then it may have been given up.
    await route.continue().catch(() => {});
  });
  return { held, release };
}
