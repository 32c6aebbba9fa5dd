/**
 * Known answer: over a link of a known rate, a small message on the socket of a large one waits for all bytes ahead of it, and one
 * on another socket does not.
 *
 * What the link and the order of messages forbid holds in every attempt; that a page is not kept waiting by the machine, in one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { describeConditions } from '../../core/experiment/emulated-link.js';
import { reportOf } from '../../core/experiment/report.js';
import { underLoad } from '../../core/experiments/under-load/index.js';
import { rateOf } from '../../core/experiments/under-load/summary.js';
import { withFarSite } from '../../lab/far-site.js';
import { holdsOnce } from '../../test/support/attempts.js';
import { downloadRun } from '../../test/support/download.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Probed, UnderLoadDocument } from '../../core/experiments/under-load/schema.js'
 */

/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;
const LOAD_MS = 2000;
const PLAN = 'loads=unloaded,http-down,ws-down,ws-down-16&transports=ajax,ws,same-socket&seconds=2&blocks=2&seed=1';

const LINKS = [
  { rttMs: 20, mbitPerSecond: 2 },
  { rttMs: 100, mbitPerSecond: 8 },
  { rttMs: 20, mbitPerSecond: 20 },
];

/** @param {Browser} browser @param {string} origin @param {number} bytes @returns {Promise<UnderLoadDocument>} */
async function measure(browser, origin, bytes) {
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(RUN_LIMIT_MS);
    await page.goto(`${origin}/underload?${PLAN}&down=${bytes}&up=${bytes}&autostart=1`);
    return parseDocument(await downloadRun(page), valibot, underLoad);
  } finally {
    await page.close();
  }
}

/** @param {UnderLoadDocument['trials'][number]} trial @returns {Probed} of the load's own socket */
const sameIn = ({ probed }) =>
  probed.find(({ transport }) => transport === 'same-socket') ?? assert.fail('no probe on the same socket');

describe('a small message beside a large one', () => {
  for (const link of LINKS) {
    const { rttMs, mbitPerSecond } = link;
    it(`waits for the bytes ahead of it: ${describeConditions(link)}`, (t) =>
      withFarSite(link, ({ browser, origin }) =>
        holdsOnce(t, async () => {
          const run = await measure(browser, origin, (mbitPerSecond * 1e6 * LOAD_MS) / 8000);
          assert.equal(run.ending, undefined);
          t.diagnostic(String(reportOf(underLoad, run).answer));
          const { loads } = underLoad.summarize(run);
          const trials = run.trials.filter(({ load }) => load === 'ws-down');
          if (trials.some(({ transfer }) => !transfer)) return 'a transfer was given up';
          for (const trial of trials) {
            const { lastMs } = trial.transfer ?? assert.fail('no transfer');
            // Messages of one WebSocket do not overtake each other.
            const { plannedAtMs, endedAtMs } = sameIn(trial).samples;
            const isBeside = (/** @type {number} */ i) => plannedAtMs[i] < lastMs - rttMs;
            assert.ok(endedAtMs.every((ms, i) => !isBeside(i) || ms >= lastMs - 1));
          }
          const rates = run.trials.flatMap((trial) => rateOf(trial) ?? []);
          if (rates.some((rate) => rate > 1.1 * mbitPerSecond)) return `rates ${rates}`;
          const [, whole, chunked] = loads;
          /** @param {typeof whole} one @param {string} probe */
          const addedMs = ({ rows }, probe) =>
            Number(rows.find((/** @type {any} */ { transport }) => transport === probe)?.addedMax?.median);
          const [sameMs, otherMs, chunkMs] = [
            addedMs(whole, 'same-socket'),
            addedMs(whole, 'ws'),
            addedMs(chunked, 'same-socket'),
          ];
          t.diagnostic(`added at most: ${sameMs} ms, on a second socket ${otherMs} ms, behind chunks ${chunkMs} ms`);
          // The first probe of a load comes within two intervals of its begin.
          const isAsExpected = sameMs > 0.7 * LOAD_MS && sameMs < 1.5 * LOAD_MS;
          if (!isAsExpected) return `on the same socket: ${sameMs} ms`;
          if (!(otherMs < sameMs / 2)) return `on a second socket: ${otherMs} ms, of ${sameMs} ms`;
          return chunkMs < sameMs ? undefined : `behind chunks: ${chunkMs} ms, of ${sameMs} ms`;
        }),
      ));
  }
});
