/**
 * A run in a real Chromium, by the site's own page: its link, which starts it, and its download.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as waitMs } from 'node:timers/promises';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { launchChromium } from '../program/chromium.js';
import { RunError } from '../program/errors.js';

/**
 * @import { Page } from 'playwright-core'
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Only } from './only/index.js'
 */

/** Each look is a moment in which the page is not measuring; the page's own progress takes four a second. */
const LOOK_MS = 1000;

/**
 * @param {Experiment} experiment
 * @param {object} options
 * @param {any} options.plan
 * @param {string} options.origin of the site
 * @param {Only['startPage']} [options.start] where the link does not
 * @param {AbortSignal} options.signal cancels the page's run
 * @returns {Promise<any>} the document
 * @throws {RunError} where the page gives no run of this plan
 */
export async function measureInBrowser(experiment, { plan, origin, start, signal }) {
  const url = new URL(experiment.linkPath(plan), origin);
  if (!start) url.searchParams.set('autostart', '1');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const response = await page.goto(url.href);
    if (!response?.ok()) throw new RunError(`--url: expected a page at ${url}, got status ${response?.status()}`);
    await start?.(page);
    await waitForResult(page, signal);
    const document = parseDocument(await download(page), valibot, experiment);
    checkPlan(experiment, document, plan);
    return document;
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
  const isRunning = async () => (await cancel.isVisible()) && (await cancel.isEnabled());
  for (;;) {
    // Some pages offer what they have so far while they are measuring.
    if ((await page.locator('#exports').isVisible()) && !(await isRunning())) return;
    for (const problem of await page.locator('#form-error, #iterations-error, #run-problem-text').allInnerTexts()) {
      if (problem.trim()) throw new RunError(problem.trim());
    }
    // Before the run has begun there is nothing to cancel yet.
    if (signal.aborted && (await isRunning())) await cancel.click();
    await waitMs(LOOK_MS);
  }
}

/**
 * @param {Page} page
 * @returns {Promise<string>} JSON
 */
async function download(page) {
  await page.locator('#exports').evaluate((exports) => exports.setAttribute('open', ''));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#download-json, #download').first().click(),
  ]);
  return readFile(await file.path(), 'utf8');
}

/**
 * A site of another version may not know all that the plan has, and then makes one of its own.
 *
 * @param {Experiment} experiment
 * @param {{ plan?: any }} document
 * @param {any} plan
 */
function checkPlan({ formatPlan }, document, plan) {
  // What the old pages save has none.
  if (!document.plan || formatPlan(document.plan) === formatPlan(plan)) return;
  throw new RunError(`The site measured another plan: expected ${formatPlan(plan)}, got ${formatPlan(document.plan)}`);
}
