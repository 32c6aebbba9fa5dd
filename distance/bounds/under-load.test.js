/**
 * Known answer: over a link of a known rate and queue, a small message on the socket of a large one waits for all bytes ahead of
 * it, one behind chunks for two of them, and one on another socket for the link's queue.
 *
 * What the link and the order of messages forbid holds in every attempt; that nothing else keeps a page waiting, in one.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as valibot from 'valibot';
import { median } from '../../core/base/statistics.js';
import { parseDocument } from '../../core/experiment/documents/check.js';
import { describeConditions } from '../../core/experiment/run/emulated-link.js';
import { reportOf } from '../../core/experiment/report/findings.js';
import { underLoad } from '../../core/experiments/under-load/index.js';
import { LOADS } from '../../core/experiments/under-load/plan.js';
import { isReached, rateOf, summarize } from '../../core/experiments/under-load/summary.js';
import { withFarSite, withSite } from '../../lab/far-site.js';
import { FIREFOX, openFirefox, readRun } from '../../test/engines/engines.js';
import { holdsOnce } from '../../test/support/attempts.js';
import { downloadRun } from '../../test/support/download.js';

/**
 * @import { Conditions } from '../../core/experiment/run/emulated-link.js'
 * @import { UnderLoadDocument, UnderLoadTrial } from '../../core/experiments/under-load/schema.js'
 * @import { UnderLoadSummary } from '../../core/experiments/under-load/summary.js'
 * @typedef {Required<Pick<Conditions, 'rttMs' | 'mbitPerSecond' | 'queueMs'>>} Link
 */

/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;
/** The time that a transfer takes at the link's rate. TCP begins slower than that, and loses time where packets are lost. */
const LOAD_MS = 1500;
/** Clocks of pages are coarse, and a message is heard of some time after it came. */
const CLOCK_MS = 5;
/** What a machine, TCP's beginning and its repetitions add at most, where nothing else is the matter. */
const SLACK = 1.6;
const SLACK_MS = 100;

const SHALLOW = { near: 20, far: 100 };
const DEEP_MS = 1000;

/** Together they have each rate, round trip and queue. @type {{ link: Link, loads: string, browser: 'Chromium' | 'Firefox' }[]} */
const RUNS = [
  {
    link: { rttMs: 20, mbitPerSecond: 2, queueMs: DEEP_MS },
    loads: 'unloaded,ws-down,ws-down-64',
    browser: 'Chromium',
  },
  {
    link: { rttMs: 100, mbitPerSecond: 8, queueMs: SHALLOW.far },
    loads: 'unloaded,ws-down,ws-down-64',
    browser: 'Chromium',
  },
  {
    link: { rttMs: 20, mbitPerSecond: 20, queueMs: SHALLOW.near },
    loads: 'unloaded,ws-up,ws-up-64',
    browser: 'Chromium',
  },
  {
    link: { rttMs: 100, mbitPerSecond: 8, queueMs: DEEP_MS },
    loads: 'unloaded,ws-down,ws-down-64',
    browser: 'Firefox',
  },
];

/** @param {(typeof RUNS)[number]} run @returns {string} with the sizes fitted to the link */
function queryOf({ link, loads }) {
  const bytes = (link.mbitPerSecond * 1e6 * LOAD_MS) / 8000;
  const plan = `loads=${loads}&transports=ajax,ws,same-socket&seconds=1&blocks=6&seed=1`;
  return `${plan}&down=${bytes}&up=${bytes}&autostart=1`;
}

/** @param {(typeof RUNS)[number]} run @returns {Promise<string>} JSON */
const inChromium = (run) =>
  withFarSite(run.link, async ({ browser, origin }) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(RUN_LIMIT_MS);
    await page.goto(`${origin}/underload?${queryOf(run)}`);
    return downloadRun(page);
  });

/** @param {(typeof RUNS)[number]} run @returns {Promise<string>} JSON */
const inFirefox = (run) =>
  // It is controlled over a WebSocket, so it runs where this program does.
  withSite(
    run.link,
    async ({ origin }) => {
      const { page, close } = await openFirefox();
      try {
        await page.open(`${origin}/underload?${queryOf(run)}`);
        await page.waitFor('#result-headline');
        return JSON.stringify(await readRun(page, underLoad.schema));
      } finally {
        await close();
      }
    },
    { isClientHere: true },
  );

/** @param {UnderLoadTrial} trial @param {string} probe */
const samplesOf = ({ probed }, probe) =>
  probed.find(({ transport }) => transport === probe)?.samples ?? assert.fail(`no probe ${probe}`);

/**
 * Returns how long the first probe of a whole message took, and how long the bytes ahead of it take at the link's rate.
 * @param {UnderLoadTrial} trial @param {Link} link @returns {{ waitedMs: number, aheadMs: number }}
 */
function firstWaitOf(trial, { mbitPerSecond }) {
  const { firstMs, byteCount } = trial.transfer ?? assert.fail('no transfer');
  const { plannedAtMs, endedAtMs } = samplesOf(trial, 'same-socket');
  const first = plannedAtMs.findIndex((ms) => ms >= firstMs);
  const sentMs = plannedAtMs[first] - firstMs;
  return {
    waitedMs: endedAtMs[first] - plannedAtMs[first],
    aheadMs: (8 * byteCount) / (1000 * mbitPerSecond) - sentMs,
  };
}

/** Messages of one WebSocket do not overtake each other. @param {UnderLoadTrial} trial @param {Link} link */
function assertOrder(trial, { rttMs }) {
  const { lastMs } = trial.transfer ?? assert.fail('no transfer');
  const { plannedAtMs, endedAtMs } = samplesOf(trial, 'same-socket');
  for (const [i, ms] of plannedAtMs.entries()) {
    assert.ok(
      ms >= lastMs - rttMs || endedAtMs[i] >= lastMs - 1,
      `planned at ${ms} ms, answered at ${endedAtMs[i]} ms`,
    );
  }
}

/** @param {UnderLoadSummary} summary @param {string} load @param {string} probe */
const addedOf = ({ loads }, load, probe) =>
  loads.find((one) => one.load === load)?.rows.find(({ transport }) => transport === probe) ??
  assert.fail(`no figures of ${probe} beside ${load}`);

/**
 * @param {UnderLoadDocument} run @param {Link} link @param {(text: string) => void} say
 * @returns {string | undefined} what does not hold, though the link allows it
 * @throws {Error} for what the link forbids
 */
function checkWaits(run, link, say) {
  const { mbitPerSecond, queueMs, rttMs } = link;
  assert.equal(run.ending, undefined);
  say(String(reportOf(underLoad, run).conclusion));
  const [whole, chunked] = run.plan.loads.slice(1);
  const loaded = run.trials.filter(({ load }) => load !== 'unloaded');
  if (!loaded.every((trial) => trial.transfer && isReached(trial))) return 'a transfer was given up';
  const rates = loaded.map((trial) => Number(rateOf(trial)));
  if (Math.max(...rates) > 1.05 * mbitPerSecond) return `rates ${rates}`;

  const trials = run.trials.filter(({ load }) => load === whole);
  for (const trial of trials) assertOrder(trial, link);
  const waits = trials.map((trial) => firstWaitOf(trial, link));
  // The link carries no byte sooner, but a page may have heard of the beginning too late.
  const early = waits.find(({ waitedMs, aheadMs }) => waitedMs < aheadMs - CLOCK_MS);
  if (early) return `${early.waitedMs} ms, of ${early.aheadMs} ms`;
  const summary = summarize(run);
  const same = addedOf(summary, whole, 'same-socket');
  const expectedMs = Number(median(waits.map(({ aheadMs }) => aheadMs)));
  const { low, high } = same.addedMax?.interval ?? assert.fail('no interval');
  say(`bytes ahead: ${expectedMs.toFixed(0)} ms; waited ${low.toFixed(0)} to ${high.toFixed(0)} ms more`);
  if (!(low <= SLACK * expectedMs + rttMs)) return `${low} ms for ${expectedMs} ms of bytes`;

  const other = Number(addedOf(summary, whole, 'ws').addedP50?.median);
  say(`on a second socket: ${other.toFixed(0)} ms more, of ${queueMs} ms of queue`);
  if (!(other <= queueMs + SLACK_MS && other < expectedMs / 2)) return `on a second socket: ${other} ms`;

  const behind = Number(addedOf(summary, chunked, 'same-socket').addedP50?.median);
  const chunksMs = (2 * 8 * Number(LOADS[chunked].chunkBytes)) / (1000 * mbitPerSecond);
  say(`behind chunks: ${behind.toFixed(0)} ms more, of ${chunksMs.toFixed(0)} ms for two`);
  return behind <= SLACK * chunksMs + SLACK_MS ? undefined : `behind chunks: ${behind} ms, of ${chunksMs} ms`;
}

// Side by side, as they wait most of the time.
describe('a small message beside a large one', { concurrency: true }, () => {
  for (const run of RUNS) {
    const { link, browser } = run;
    const skip = browser === 'Firefox' && !existsSync(FIREFOX) && 'no Firefox';
    it(`waits for the bytes ahead of it: ${run.loads} over ${describeConditions(link)}, in ${browser}`, { skip }, (t) =>
      holdsOnce(t, async () => {
        const text = await (browser === 'Firefox' ? inFirefox(run) : inChromium(run));
        return checkWaits(parseDocument(text, valibot, underLoad), link, (line) => t.diagnostic(line));
      }),
    );
  }
});
