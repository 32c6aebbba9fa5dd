/**
 * A run in a real Chromium, by the site's own page: its link, its press, its download.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as waitMs } from 'node:timers/promises';
import * as valibot from 'valibot';
import { formatPlan } from '../core/plan.js';
import { parseResult } from '../core/documents/parse-result.js';
import { launchChromium } from './chromium.js';
import { RunError } from './errors.js';

/** Each look is a moment in which the page is not measuring; the page's own progress takes four a second. */
const LOOK_MS = 1000;

/**
 * @param {object} options
 * @param {import('../core/plan.js').Plan} options.plan
 * @param {string} options.origin of the site
 * @param {AbortSignal} options.signal cancels the page's run
 * @returns {Promise<import('../core/result.js').Result>}
 * @throws {RunError} where the page gives no result of this plan
 */
export async function measureInBrowser({ plan, origin, signal }) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/?${formatPlan(plan)}&autostart=1`);
    await waitForResult(page, signal);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#download-json').click()]);
    const result = parseResult(await readFile(await download.path(), 'utf8'), valibot);
    // A site of another version may not know all that the plan has, and then makes one of its own.
    if (formatPlan(result.plan) === formatPlan(plan)) return result;
    throw new RunError(`The page made another run: expected ${formatPlan(plan)}, got ${formatPlan(result.plan)}`);
  } finally {
    await browser.close();
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {AbortSignal} signal
 */
async function waitForResult(page, signal) {
  const cancel = page.locator('#cancel');
  for (;;) {
    if (await page.locator('#exports').isVisible()) return;
    const problem = await page.locator('#form-error').textContent();
    if (problem) throw new RunError(problem);
    // Before the run has begun there is nothing to cancel yet.
    if (signal.aborted && (await cancel.isEnabled())) await cancel.click();
    await waitMs(LOOK_MS);
  }
}
