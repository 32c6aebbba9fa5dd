/**
 * Known answer: at a distance six connections cannot carry 100 messages a second, so by a plan of 100/s AJAX over HTTP/1.1
 * falls ever farther behind; a socket can, and answers each message after a round trip.
 *
 * What connections and distance forbid holds in every attempt; that a socket is not kept waiting by the machine, in one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOf } from '../core/experiment/report/findings.js';
import { fixedRate } from '../core/experiments/fixed-rate/index.js';
import { findOverload, summarizeFixedRate } from '../core/experiments/fixed-rate/summary.js';
import { percentile } from '../core/base/statistics.js';
import { withFarSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';
import { downloadRun } from '../test/support/download.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { ExperimentDocument } from '../core/experiment/contract.js'
 * @import { FixedRatePlan } from '../core/experiments/fixed-rate/plan.js'
 * @import { LoopTrial } from '../core/experiments/fixed-rate/schema.js'
 */

const RTT_MS = 100;
const INTERVAL_MS = 10;
const MESSAGES = 24;
const CONNECTIONS = 6;
const PLAN = `rate=${1000 / INTERVAL_MS}&messages=${MESSAGES}&blocks=3&seed=1`;
/** For what hangs: nothing takes nearly as long. */
const RUN_LIMIT_MS = 300_000;
/** A page's clock may tell a moment up to a step, of at most 0.1 ms, too early, and another one as much too late. */
const BLUR_MS = 0.2;

/**
 * @param {number} iteration counted from 0
 * @returns {number} how long after its planned time a message can be answered at the earliest
 */
function minLatencyMs(iteration) {
  // A connection brings one answer a round trip, and none has more than its share of those before.
  const roundTrips = Math.floor(iteration / CONNECTIONS) + 1;
  return Math.max(RTT_MS, roundTrips * RTT_MS - iteration * INTERVAL_MS);
}

/**
 * @typedef {ExperimentDocument< FixedRatePlan, LoopTrial>} Run
 */

/**
 * A run as its visitor makes it, from what the visitor can download.
 *
 * @param {Browser} browser
 * @param {string} origin
 * @param {string} transport
 * @returns {Promise<Run>}
 */
async function measure(browser, origin, transport) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(RUN_LIMIT_MS);
    await page.goto(`${origin}/fixedrate?transports=${transport}&${PLAN}&autostart=1`);
    const run = JSON.parse(await downloadRun(page));
    assert.equal(run.ending, undefined);
    return run;
  } finally {
    await context.close();
  }
}

/** @param {Run} run */
const wordsOf = (run) => reportOf(fixedRate, run).sentences.join(' ');

/** @param {Run} run */
function rowOf({ plan, trials }) {
  const row = summarizeFixedRate(plan, trials).find(({ view }) => view === 'plan');
  assert.ok(row);
  return row;
}

/** Of six connections: the half of all messages cannot come sooner. */
const LEAST_P50_MS = Number(
  percentile(
    Array.from({ length: MESSAGES }, (_, iteration) => minLatencyMs(iteration)).sort((a, b) => a - b),
    50,
  ),
);

/** @param {Run} ajax */
function assertSixConnections(ajax) {
  const trials = ajax.trials.filter((trial) => trial.loop === 'open');
  assert.equal(trials.length, 3);
  for (const { protocol, samples } of trials) {
    assert.equal(protocol, 'http/1.1');
    assert.equal(samples.endedAtMs.length, MESSAGES);
    const answeredAtMs = samples.endedAtMs.map((ms) => ms - samples.plannedAtMs[0]).sort((a, b) => a - b);
    for (const [iteration, ms] of answeredAtMs.entries()) {
      const minMs = minLatencyMs(iteration) + iteration * INTERVAL_MS - BLUR_MS;
      assert.ok(ms >= minMs, `${iteration}: ${ms} ms, at least ${minMs}`);
    }
  }
  const { p50Ms } = rowOf(ajax);
  assert.ok(Number(p50Ms) >= LEAST_P50_MS - BLUR_MS, `${p50Ms} ms, at least ${LEAST_P50_MS}`);
}

describe(`${1000 / INTERVAL_MS} messages a second at ${RTT_MS} ms`, () => {
  it('make AJAX wait for its six connections, and half of SockJS’s answers come sooner than any six could bring them', (t) =>
    withFarSite({ rttMs: RTT_MS }, ({ browser, origin }) =>
      holdsOnce(t, async () => {
        // Side by side, as each of them waits most of its time; either has the connections of a browser of its own.
        const [ajax, sockjs] = await Promise.all(
          ['ajax', 'sockjs'].map((transport) => measure(browser, origin, transport)),
        );
        for (const run of [ajax, sockjs]) t.diagnostic(wordsOf(run));
        assertSixConnections(ajax);
        const { p50Ms, failureCount, missedCount } = rowOf(sockjs);
        assert.deepEqual([failureCount, missedCount], [0, 0]);

        const overload = findOverload(ajax.plan, ajax.trials, { isInBrowser: true });
        if (!overload) return 'no overload of AJAX is found';
        const mostPerSecond = (1000 * CONNECTIONS) / (RTT_MS - BLUR_MS);
        assert.ok(overload.carriedPerSecond.estimate <= mostPerSecond, `${overload.carriedPerSecond.estimate}/s`);
        return Number(p50Ms) < LEAST_P50_MS ? undefined : `SockJS: ${p50Ms} ms, not below ${LEAST_P50_MS}`;
      }),
    ));
});
