/**
 * A run in a real Chromium, by the site's own page: its link, its press, its download.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as waitMs } from 'node:timers/promises';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/parse-document.js';
import { payload } from '../../core/experiments/payload/index.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { BUDGETS } from '../../core/experiments/payload/budget.js';
import { formatPayloadPlan } from '../../core/experiments/payload/plan.js';
import { formatPlan } from '../../core/experiments/shootout/plan.js';
import { launchChromium } from './chromium.js';
import { RunError } from './errors.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { PayloadDocument } from '../../core/experiments/payload/document.js'
 * @import { PayloadPlan } from '../../core/experiments/payload/plan.js'
 * @import { Plan } from '../../core/experiments/shootout/plan.js'
 * @import { Result } from '../../core/experiments/shootout/result.js'
 */

/** Each look is a moment in which the page is not measuring; the page's own progress takes four a second. */
const LOOK_MS = 1000;

/**
 * @param {object} options
 * @param {Plan} options.plan
 * @param {string} options.origin of the site
 * @param {AbortSignal} options.signal cancels the page's run
 * @returns {Promise<Result>}
 * @throws {RunError} where the page gives no result of this plan
 */
export function measureInBrowser({ plan, origin, signal }) {
  const query = formatPlan(plan);
  return measureOnPage({ url: `${origin}/?${query}&autostart=1`, query, experiment: shootout, formatPlan, signal });
}

/**
 * The same of a run over sizes.
 *
 * @param {object} options
 * @param {PayloadPlan} options.plan
 * @param {string} options.origin of the site
 * @param {AbortSignal} options.signal cancels the page's run
 * @returns {Promise<PayloadDocument>}
 * @throws {RunError} where the page gives no run of this plan
 */
export function measurePayloadInBrowser({ plan, origin, signal }) {
  const query = formatPayloadPlan(plan);
  return measureOnPage({
    url: `${origin}/payloadtest?${query}`,
    query,
    experiment: payload,
    formatPlan: formatPayloadPlan,
    start: startWithoutBudget,
    signal,
  });
}

/**
 * What the page's own budgets would strike out is wanted here.
 *
 * @param {Page} page
 */
export async function startWithoutBudget(page) {
  for (const { parameter, max } of Object.values(BUDGETS)) {
    await page.locator(`[name=${parameter}]`).fill(String(max));
  }
  await page.getByRole('button', { name: 'Start', exact: true }).click();
}

/**
 * @param {object} options
 * @param {string} options.url of the page, with the plan's link
 * @param {string} options.query of that link
 * @param {Experiment} options.experiment
 * @param {(plan: any) => string} options.formatPlan
 * @param {(page: Page) => Promise<void>} [options.start] where the link does not do it
 * @param {AbortSignal} options.signal
 */
async function measureOnPage({ url, query, experiment, formatPlan: format, start, signal }) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const response = await page.goto(url);
    if (!response?.ok()) throw new RunError(`Expected a page at ${url}, got status ${response?.status()}`);
    await start?.(page);
    await waitForResult(page, signal);
    await page.locator('#exports').evaluate((exports) => exports.setAttribute('open', ''));
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#download-json').click()]);
    const document = parseDocument(await readFile(await download.path(), 'utf8'), valibot, experiment);
    // A site of another version may not know all that the plan has, and then makes one of its own.
    if (format(document.plan) === query) return document;
    throw new RunError(`The page made another run: expected ${query}, got ${format(document.plan)}`);
  } finally {
    await browser.close();
  }
}

/**
 * @param {Page} page
 * @param {AbortSignal} signal
 */
async function waitForResult(page, signal) {
  const cancel = page.locator('#cancel');
  for (;;) {
    if (await page.locator('#exports').isVisible()) return;
    const problem = await page.locator('#form-error').textContent();
    if (problem) throw new RunError(problem);
    // Before the run has begun there is nothing to cancel yet.
    if (signal.aborted && (await cancel.isVisible()) && (await cancel.isEnabled())) await cancel.click();
    await waitMs(LOOK_MS);
  }
}
