/** Measures an experiment: in Node.js, or in a real Chromium by the site's own page. */
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as waitMs } from 'node:timers/promises';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { watchGaps } from '../../core/experiment/run/gaps.js';
import { formatPlan, linkPath } from '../../core/experiment/plan/plan-link.js';
import { measureDocument } from '../../core/experiment/run/run.js';
import { launchChromium } from '../program/chromium.js';
import { RunError } from '../program/program.js';

/**
 * @import { Browser, Page } from 'playwright-core'
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { NodeClient, NodeRun } from '../clients/index.js'
 * @typedef {{ plan: any, baseUrl: string, signal?: AbortSignal }} PageRun `signal` cancels the page's run
 */

/**
 * The interval between looks: each interrupts the page's measurement; the page's own progress updates four times a
 * second.
 */
const LOOK_MS = 1000;
const LOAD_LIMIT_MS = 60_000;

/** Describes the environment of a run in Node.js. @param {string} baseUrl of the site */
export const environmentOf = (baseUrl) => ({
  url: `${baseUrl}/`,
  userAgent: `Node.js ${process.version}`,
  isCrossOriginIsolated: false,
});

/**
 * Shows how far a run is, by its trials and by the messages of each.
 * @param {{ trialsOf: Experiment['trialsOf'] }} experiment @param {{ plan: any, progress: NodeRun['progress'] }} run
 * @returns {{ onTrialStart(planned: any, state: any): void }} as a run calls it
 */
export function followTrials({ trialsOf }, { plan, progress }) {
  const { length } = trialsOf(plan);
  let number = 0;
  return {
    onTrialStart(_, state) {
      progress.start({
        title: `trial ${number + 1} of ${length}: ${state.label}`,
        percent: (100 * number++) / length,
        state,
        messageCount: state.totalCount,
      });
    },
  };
}

/**
 * Runs an experiment like its page, without the page.
 * @param {Experiment} experiment @param {{ prepareRun: NodeClient['prepareRun'] }} client
 * @param {NodeRun} run `signal` ends it, with an Ending as its reason
 * @returns {Promise<any>} the document, even after an error: with what was measured until then
 */
export async function measureInNode(experiment, client, run) {
  const { baseUrl, plan, situation } = run;
  const gaps = watchGaps({ idle: () => performance.eventLoopUtilization().idle });
  const signal = AbortSignal.any([run.signal, gaps.signal]);
  const { close, ...means } = await client.prepareRun({ ...run, signal });
  try {
    return await measureDocument(experiment, {
      ...followTrials(experiment, run),
      ...means,
      async onTrialEnd(/** @type {any} */ made) {
        await means.onTrialEnd?.(made);
        // A timer that is due may tell that the device slept in this trial.
        await waitMs(0);
      },
      plan,
      situation,
      now: () => performance.now(),
      environment: environmentOf(baseUrl),
      statusUrl: `${baseUrl}/status`,
      signal,
    });
  } finally {
    gaps.stop();
    close?.();
  }
}

/** @param {Experiment} experiment @param {PageRun} run @returns {Promise<any>} as {@link measureOnPage} gives it */
export async function measureInBrowser(experiment, run) {
  const browser = await launchChromium();
  try {
    return await measureOnPage(browser, experiment, run);
  } finally {
    await browser.close();
  }
}

/**
 * @param {{ newPage: Browser['newPage'] }} browser @param {Experiment} experiment @param {PageRun} run
 * @returns {Promise<any>} the document that the page offers to download
 * @throws {RunError} if the page does not run this plan
 */
export async function measureOnPage(browser, experiment, { plan, baseUrl, signal }) {
  const url = new URL(baseUrl + linkPath(experiment, plan));
  url.searchParams.set('autostart', '1');
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(LOAD_LIMIT_MS);
    const response = await page.goto(url.href).catch(({ message }) => {
      // Chromium has its own authorities: NODE_EXTRA_CA_CERTS does not help there.
      throw new RunError(
        `--url: expected a page at ${url}, got ${/net::\w+/.exec(message)?.[0] ?? message} in Chromium`,
      );
    });
    if (!response?.ok()) throw new RunError(`--url: expected a page at ${url}, got status ${response?.status()}`);
    await waitForResult(page, signal);
    const document = parseDocument(await download(page), await import('valibot'), experiment);
    checkPlan(experiment, document, plan);
    return document;
  } finally {
    await page.close();
  }
}

/** @param {Page} page @param {AbortSignal} [signal] @throws {RunError} if there will be none */
async function waitForResult(page, signal) {
  const cancel = page.locator('#cancel');
  const isRunning = async () => (await cancel.isVisible()) && (await cancel.isEnabled());
  let idleLookCount = 0;
  for (;;) {
    // Some pages offer an export while they are still measuring.
    if ((await page.locator('#exports').isVisible()) && !(await isRunning())) return;
    for (const problem of await page.locator('#form-error, #iterations-error, #run-problem-text').allInnerTexts()) {
      if (problem.trim()) throw new RunError(problem.trim());
    }
    if (signal?.aborted) {
      idleLookCount = (await isRunning()) ? 0 : idleLookCount + 1;
      // The click happens in the page itself: a pointer event would come late, as the driver handles every request
      // first.
      if (idleLookCount === 0) await cancel.evaluate((/** @type {HTMLElement} */ button) => button.click());
      // A page that is stopped so early returns to its form, and a run that has not begun need not.
      else if (idleLookCount > 1) throw new RunError('Stopped before anything was measured.');
    }
    await waitMs(LOOK_MS);
  }
}

/** @param {Page} page @returns {Promise<string>} JSON */
async function download(page) {
  await page.locator('#exports').evaluate((exports) => exports.setAttribute('open', ''));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#download-json, #download').first().click(),
  ]);
  return readFile(await file.path(), 'utf8');
}

/**
 * Checks the plan, as a site of another version may make another one.
 * @param {Experiment} experiment @param {any} document @param {any} plan
 */
function checkPlan(experiment, document, plan) {
  // Documents of the old pages have no plan.
  if (!document.plan) return;
  const [expected, got] = [plan, document.plan].map((one) => formatPlan(experiment, one));
  if (expected !== got) throw new RunError(`The site measured another plan: expected ${expected}, got ${got}`);
}
