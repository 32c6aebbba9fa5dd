/**
 * Drives the home page as its visitor does.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as valibot from 'valibot';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { shootout } from '../../core/experiments/shootout/index.js';

import { findingsOf } from '../../core/experiment/report/findings.js';
import { countWarnings, warningsIn } from '../../core/experiment/run/trust.js';
import { describeSpeed, describeMeasured, rttOf } from '../../core/experiments/shootout/speed-words.js';
import { modelOf, speedAt } from '../../core/experiments/shootout/distance-model.js';
import { useBrowserSite } from './browser-site.js';

/**
 * @import { Report } from '../../core/experiment/report/findings.js'
 * @import { Summary } from '../../core/experiments/shootout/summary.js'
 * @import { Tab } from './browser-site.js'
 * @typedef {ReturnType<typeof driveHome>} Home
 */

/** This plan takes a second. */
export const SHORT = '?transports=ajax,xhr,ws,sockjs&blocks=6&iterations=5&warmup=1&payload=0&seed=7';
/** This plan has only the two transports that are compared. */
export const SHORTEST = SHORT.replace('ajax,xhr,ws,sockjs', 'ajax,sockjs');
/** This plan takes so long that a test can interrupt it. */
export const LONG = SHORT.replace('blocks=6&iterations=5', 'blocks=200&iterations=10');
const RUN_LIMIT_MS = 60_000;
/** What stands on the button of the trust checks, where nothing warns. @type {Record<string, string>} */
const SUMMARY_OF_TRUST = { '': 'What was checked', 'No warnings': 'No warnings; what was checked' };

/** Opens the site for the tests of a file: to be called where `before` and `after` may be. */
export function useHome() {
  const site = useBrowserSite();
  return {
    site,
    /** @param {string} query */
    openHome: async (query) => driveHome(await site.openTab(`/${query}`)),
    /**
     * @param {string} query
     * @param {(home: Home) => Promise<void>} use
     * @param {string} [origin]
     */
    withHome: (query, use, origin) => site.withTab(`/${query}`, (tab) => use(driveHome(tab)), { origin }),
  };
}

/** @param {Tab} tab */
function driveHome(tab) {
  const { page } = tab;
  page.setDefaultTimeout(RUN_LIMIT_MS);
  /** Reads a text, folded or not. @param {string} selector */
  const text = async (selector) => String(await page.locator(selector).textContent()).trim();
  /** @param {string} name of the button */
  const download = async (name) => {
    await page.locator('#exports').evaluate((menu) => menu.setAttribute('open', ''));
    const [file] = await Promise.all([page.waitForEvent('download'), tab.press(name)]);
    return { file: await file.path(), name: file.suggestedFilename() };
  };
  return {
    ...tab,
    text,
    download,
    // Measure works at once, but the form says how long a run takes only after it has probed the server.
    ready: () => page.locator('#start:text-matches("about"), #form-error:not(:empty)').first().waitFor(),
    start: () => page.getByRole('button', { name: /^Measure/ }).click(),
    openOptions: () => page.locator('#options-summary').click(),
    /** Reads the plan of the form's link, and checks that the form describes that plan. */
    plan: async () => {
      const href = String(await page.locator('#plan-link:not([hidden])').getAttribute('href'));
      const query = new URLSearchParams(href.replace(/^.*\?/, ''));
      const plan = parsePlan(shootout, new URLSearchParams(query.get('shootout') ?? query)) ?? assert.fail(href);
      const { blocks, iterations, transports } = plan;
      const [, ...counts] = /^(?:At most )?(\d+) blocks of (\d+) messages/.exec(await text('#plan')) ?? [];
      assert.deepEqual(counts, [`${blocks}`, `${iterations}`]);
      assert.match(await text('#options-summary'), new RegExp(` ${transports.length} transports`));
      assert.match(await text('#start'), /about (\d+–)?\d+ s$/);
      return plan;
    },
    /** Waits for a run to end. */
    verdict: async () => {
      await page.locator('#verdict-headline:not(:empty)').waitFor();
      return text('#verdict-headline');
    },
    /** Makes the report of the document that the page downloads, and checks that the page shows it. */
    report: async () => {
      const { file } = await download('Download JSON');
      const document = parseDocument(await readFile(file, 'utf8'), valibot, shootout);
      const { summary, report } = /** @type {{ summary: Summary, report: Report }} */ (findingsOf(shootout, document));
      const { headline, detail, measured } = cardOf(summary, report);
      assert.equal(await text('#verdict-headline'), headline);
      assert.equal(await text('#verdict-detail'), detail);
      assert.equal(await text('#measured'), measured);
      assert.equal(await text('#result-notice'), report.notice ?? '');
      assert.deepEqual(
        await page.locator('#trust-facts > *').allTextContents(),
        [...warningsIn(report.trust), ...report.trust.filter(({ isWarning }) => !isWarning)].flatMap(
          ({ name, value, isWarning }) => [name, isWarning ? `⚠ ${value}` : value],
        ),
      );
      const shown = await text('#trust-count');
      assert.ok(shown.startsWith(SUMMARY_OF_TRUST[countWarnings(report)] ?? `${countWarnings(report)}: `), shown);
      assert.deepEqual(await page.locator('#notes li').allTextContents(), report.notes ?? []);
      return { ...summary, trust: report.trust };
    },
    /** Waits until a run is in its second block or later. */
    underWay: () => page.locator('#progress-text', { hasText: /Block [2-9]/ }).waitFor(),
    rows: () =>
      page
        .locator('#rows tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => String(cell.textContent)))),
    /** @param {string} name of the fact */
    fact: (name) => text(`#trust-facts dt:text-is("${name}") + dd`),
  };
}

/**
 * Makes the texts that the verdict's card shows at first.
 *
 * @param {Summary} summary @param {Report} report
 */
function cardOf(summary, { headline, sentences }) {
  const model = modelOf(summary);
  const detail = [summary.result.ending?.reason, ...sentences].join(' ').trim();
  if (!model) return { headline, detail, measured: '' };
  const speed = speedAt(model, rttOf(summary, model));
  const measured = `${describeMeasured(summary, speed)} ${summary.verdict.advice}`.trim();
  return { headline, detail: describeSpeed(speed).remark, measured };
}
