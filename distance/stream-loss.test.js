/**
 * Known answer: over a link that loses 1% of packets, a lost piece comes a round trip later at least, as only what the client says
 * of later ones tells the server to send it again; and those behind it wait for it, by whatever method, as all are over TCP.
 *
 * How many wait, and how few do without loss, depends on chance and on the machine: all of it holds in one attempt.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { client } from '../cli/clients/stream.js';
import { sleep } from '../core/base/async.js';
import { mean, meanInterval } from '../core/base/statistics.js';
import { parsePlan } from '../core/experiment/plan/plan-link.js';
import { runExperiment } from '../core/experiment/run/run.js';
import { stream } from '../core/experiments/stream/index.js';
import { streamsOf } from '../core/experiments/stream/plan.js';
import { dueTimesOf } from '../core/net/stream/stream.js';
import { withSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';

/** @import { StreamTrial } from '../core/experiments/stream/schema.js' */

/** So far that a busy machine seldom delays a piece as much as a loss does. */
const RTT_MS = 300;
const LOSS_PERCENT = 1;
const METHODS = ['fetch', 'events', 'ws-open', 'sockjs'];
/** Runs at the same time, each over connections of its own. */
const RUN_COUNT = 24;
/** So few that not even the ten packets are under way with which TCP begins, and each is a packet of its own. */
const PLAN = 'rate=25&spread=0&pieces=60&blocks=1';
/** Half of the least by which a loss delays a piece. */
const LATE_MS = RTT_MS / 2;
/** A lost piece delays at least the next one so much, and less than all that come within two timeouts for sending it again. */
const SHARES = { least: LOSS_PERCENT / 100, most: 0.3 };
/** Of each method's share: they overlap in nearly every attempt. */
const CONFIDENCE = 0.999;
const BLUR_MS = 1;
/** Sockets that are still closing when the link goes would wait for half a minute. */
const CLOSING_MS = 5 * RTT_MS;
/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 600_000;

/** @param {number} lossPercent @returns {Promise<Record<string, number[][]>>} by method, of each run how late its pieces came, ms */
const measure = (lossPercent) =>
  withSite(
    { rttMs: RTT_MS, lossPercent },
    async ({ origin }) => {
      const trials = await Promise.all(Array.from({ length: RUN_COUNT }, (_, seed) => runOne(origin, seed)));
      await sleep(CLOSING_MS);
      return Object.fromEntries(
        METHODS.map((method) => [
          method,
          trials.flat().flatMap((trial) => (trial.streamedBy === method ? [trial.laterMs] : [])),
        ]),
      );
    },
    { isClientHere: true },
  );

/** @param {string} origin @param {number} seed */
async function runOne(origin, seed) {
  const plan = parsePlan(stream, new URLSearchParams(`methods=${METHODS}&${PLAN}&seed=${seed}`));
  const { signal } = new AbortController();
  const run = /** @type {any} */ ({ baseUrl: origin, plan, signal });
  const connections = await client.prepareRun(run);
  const options = { plan, now: () => performance.now(), signal, ...connections };
  const { trials, ending } = await runExperiment(stream, /** @type {any} */ (options));
  assert.equal(ending, undefined);
  return trials.map((/** @type {StreamTrial} */ trial) => {
    const [{ atMs, failure }] = trial.streams;
    assert.equal(failure, undefined, trial.streamedBy);
    const due = dueTimesOf(streamsOf(plan, trial)[0]);
    const delays = atMs.map((ms, n) => ms - due[n]);
    // The request may have been lost, too, before the first piece was due.
    const soonestMs = Math.min(...delays);
    return { streamedBy: trial.streamedBy, laterMs: delays.map((ms) => ms - soonestMs) };
  });
}

/** @param {readonly number[][]} runs @returns {number[]} of each, the share of pieces that waited */
const sharesOf = (runs) => runs.map((laterMs) => laterMs.filter((ms) => ms > LATE_MS).length / laterMs.length);

it('a lost packet delays the pieces behind it by a round trip, by every method alike', { timeout: LIMIT_MS }, (t) =>
  holdsOnce(t, async () => {
    const [clean, lossy] = await Promise.all([0, LOSS_PERCENT].map(measure));
    /** @type {string[]} */
    const faults = [];
    const found = METHODS.map((method) => {
      const latestMs = Math.max(...lossy[method].flat());
      if (latestMs < RTT_MS - BLUR_MS) faults.push(`${method}: ${latestMs} ms at most`);
      const [without, share] = [clean, lossy].map((runs) => Number(mean(sharesOf(runs[method]))));
      if (without >= share) faults.push(`${method}: ${without} without loss, ${share} with it`);
      if (share < SHARES.least || share > SHARES.most) faults.push(`${method}: ${share}`);
      const interval = meanInterval(sharesOf(lossy[method]), CONFIDENCE);
      return { method, without, latestMs: Math.round(latestMs), ...interval };
    });
    t.diagnostic(JSON.stringify(found));
    const highest = Math.max(...found.map(({ low }) => Number(low)));
    const lowest = Math.min(...found.map(({ high }) => Number(high)));
    if (highest > lowest) faults.push(`from ${highest} for one method, up to ${lowest} for another`);
    return faults.length > 0 ? faults.join('; ') : undefined;
  }),
);
