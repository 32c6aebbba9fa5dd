/**
 * Known answer: at a distance six connections cannot carry 100 messages a second, so by a plan of 100/s AJAX over HTTP/1.1
 * falls ever farther behind; a socket can, and answers each message after a round trip.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { describeFixedRate, findOverload, summarizeFixedRate } from '../core/experiments/fixed-rate-report.js';
import { percentile } from '../core/statistics/quantile.js';
import { withFarSite } from '../lab/far-site.js';

const RTT_MS = 100;
const INTERVAL_MS = 10;
const MESSAGES = 24;
const CONNECTIONS = 6;
const PLAN = `rate=${1000 / INTERVAL_MS}&messages=${MESSAGES}&blocks=3&seed=1`;
const RUN_LIMIT_MS = 60_000;

/**
 * @param {number} iteration counted from 0
 * @returns {number} how long after its planned time a message can be answered at the earliest
 */
function leastLatencyMs(iteration) {
  // A connection brings one answer a round trip, and none has more than its share of those before.
  const roundTrips = Math.floor(iteration / CONNECTIONS) + 1;
  return Math.max(RTT_MS, roundTrips * RTT_MS - iteration * INTERVAL_MS);
}

/**
 * @typedef {import('../core/measure-document.js').ExperimentDocument<
 *   import('../core/experiments/fixed-rate-plan.js').FixedRatePlan, import('../core/experiments/fixed-rate.js').LoopTrial>} Run
 */

/**
 * A run as its visitor makes it, from what the visitor can download.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} origin
 * @param {string} transport
 * @returns {Promise<Run>}
 */
async function measure(browser, origin, transport) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(RUN_LIMIT_MS);
  await page.goto(`${origin}/fixedrate?transports=${transport}&${PLAN}&autostart=1`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    // Can be pressed only when the run has ended.
    page.getByRole('button', { name: 'Download JSON' }).click(),
  ]);
  const run = JSON.parse(await readFile(await download.path(), 'utf8'));
  assert.equal(run.ending, undefined);
  return run;
}

/** @param {Run} run */
const wordsOf = ({ plan, trials }) => describeFixedRate(plan, trials).join(' ');

/** @param {Run} run */
function rowOf({ plan, trials }) {
  const row = summarizeFixedRate(plan, trials).find(({ view }) => view === 'plan');
  assert.ok(row);
  return row;
}

describe(`${1000 / INTERVAL_MS} messages a second at ${RTT_MS} ms`, () => {
  /** @type {Run} */
  let ajax;
  /** @type {Run} */
  let sockjs;
  before(
    () =>
      withFarSite({ rttMs: RTT_MS }, async ({ browser, origin }) => {
        // Side by side, as each of them waits most of its time; either has the connections of a browser of its own.
        [ajax, sockjs] = await Promise.all(['ajax', 'sockjs'].map((transport) => measure(browser, origin, transport)));
      }),
    { timeout: 120_000 },
  );

  it('makes AJAX wait for its six connections: each answer is the later, the more are before it', (t) => {
    t.diagnostic(wordsOf(ajax));
    const trials = ajax.trials.filter((trial) => trial.loop === 'open');
    assert.equal(trials.length, 3);
    for (const { protocol, samples } of trials) {
      assert.equal(protocol, 'http/1.1');
      assert.equal(samples.endedAtMs.length, MESSAGES);
      const answeredAtMs = samples.endedAtMs.map((ms) => ms - samples.plannedAtMs[0]).sort((a, b) => a - b);
      for (const [iteration, ms] of answeredAtMs.entries()) {
        const leastMs = leastLatencyMs(iteration) + iteration * INTERVAL_MS;
        assert.ok(ms >= leastMs, `${iteration}: ${ms} ms, at least ${leastMs}`);
      }
    }
    const carriedPerSecond = Number(findOverload(ajax.plan, ajax.trials)?.carriedPerSecond.estimate);
    assert.ok(carriedPerSecond <= (1000 * CONNECTIONS) / RTT_MS, `${carriedPerSecond}/s`);
  });

  it('leaves SockJS at a round trip: half of its answers come sooner than any six connections could bring them', (t) => {
    t.diagnostic(wordsOf(sockjs));
    const least = Array.from({ length: MESSAGES }, (_, iteration) => leastLatencyMs(iteration)).sort((a, b) => a - b);
    const leastP50Ms = Number(percentile(least, 50));
    const { p50Ms, failureCount, missedCount } = rowOf(sockjs);
    assert.deepEqual([failureCount, missedCount], [0, 0]);
    assert.ok(Number(p50Ms) < leastP50Ms, `SockJS: ${p50Ms} ms, above ${leastP50Ms}`);
    assert.ok(Number(rowOf(ajax).p50Ms) >= leastP50Ms, `AJAX: ${rowOf(ajax).p50Ms} ms, at least ${leastP50Ms}`);
  });
});
