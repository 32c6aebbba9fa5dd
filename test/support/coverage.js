/**
 * Whole runs with a known truth, simulated: how often the interval covers it, how often the verdict is wrong.
 *
 * Skewed round trips that depend on each other within a trial, a drift over the blocks that both transports share,
 * trials that differ by chance. Seeded, so it is the same each time: there are no false alarms.
 *
 * The bounds are what is claimed of 20,000 runs (method.md), and as much wider for fewer as chance makes their shares
 * scatter more: by the standard errors that a normal deviate exceeds once in a million.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareTransports } from '../../core/experiment/answer/compare.js';
import { isBeyondMargin, isLittle } from '../../core/experiment/answer/verdict.js';
import { createRandom } from '../../core/base/random.js';
import { createTrial } from './results.js';

/**
 * @import { Interval } from '../../core/base/statistics.js'
 * @import { Comparison } from '../../core/experiment/answer/compare.js'
 * @import { RunTrial, Samples } from '../../core/net/echo/trial.js'
 */

const CLAIMED_RUNS = 20_000;
const ONE_IN_A_MILLION = 4.9;
const ITERATIONS = 11;
const SAVING_MS = 1.5;
const SPEED_RATIO = 1.3;

/**
 * @param {() => number} random
 * @returns {() => number} standard normal (Box and Muller)
 */
function createNormal(random) {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * @param {number} blockCount
 * @param {number} seed
 * @param {(ajaxMs: number) => number} toSockjs what SockJS takes where AJAX takes so long
 * @returns {() => RunTrial[]} each call gives another run, in the lists of the one before: most of the time would go
 *   into making them
 */
function createRuns(blockCount, seed, toSockjs) {
  const random = createRandom(seed);
  const normal = createNormal(random);
  const unmeasured = Array(ITERATIONS).fill(0);
  const trials = Array.from({ length: blockCount }, (_, block) => [
    createTrial('ajax', block, unmeasured),
    createTrial('sockjs', block, unmeasured),
  ]).flat();

  /** @param {Samples} samples @param {number} driftMs @param {boolean} isSockjs */
  const measure = ({ sentAtMs, roundTripMs }, driftMs, isSockjs) => {
    const trialMs = 0.5 * Math.exp(0.5 * normal());
    let last = 0;
    let nowMs = 0;
    for (let i = 0; i < ITERATIONS; i++) {
      last = 0.5 * last - Math.log(1 - random());
      const ajaxMs = 10 + driftMs + trialMs + last;
      sentAtMs[i] = nowMs;
      roundTripMs[i] = isSockjs ? toSockjs(ajaxMs) : ajaxMs;
      nowMs += roundTripMs[i];
    }
  };
  return () => {
    let driftMs = 0;
    for (const { transport, samples } of trials) {
      if (transport === 'ajax') driftMs = Math.abs(driftMs + 0.5 * normal());
      measure(samples, driftMs, transport === 'sockjs');
    }
    return trials;
  };
}

/**
 * @param {number} runCount
 * @param {() => RunTrial[]} createRun
 * @param {(comparison: Comparison) => boolean | undefined} holds
 * @returns {number} the share of runs
 */
function shareOf(runCount, createRun, holds) {
  let count = 0;
  for (let run = 0; run < runCount; run++) {
    const trials = createRun();
    if (holds(compareTransports({ trials, baseline: 'ajax', transport: 'sockjs' }))) count++;
  }
  return count / runCount;
}

/**
 * @param {Interval | undefined} interval
 * @param {number} truth
 */
const covers = (interval, truth) => interval && interval.low <= truth && truth <= interval.high;

/**
 * How much further than of {@link CLAIMED_RUNS} a share of 5 % may stray of fewer.
 *
 * @param {number} runCount
 */
function slackOf(runCount) {
  const standardErrorOf = (/** @type {number} */ runs) => Math.sqrt((0.05 * 0.95) / runs);
  return ONE_IN_A_MILLION * Math.max(0, standardErrorOf(runCount) - standardErrorOf(CLAIMED_RUNS));
}

/**
 * @param {number} runCount how many of each kind
 * @param {readonly number[]} blockCounts
 */
export function describeCoverage(runCount, blockCounts) {
  const slack = slackOf(runCount);
  for (const blockCount of blockCounts) {
    describe(`${runCount} runs of ${blockCount} blocks`, () => {
      // It has the error of both times, and so covers the truth more often where they change together.
      it('have an interval of the saving that covers the truth in 94 to 98 % of them', (t) => {
        const createRun = createRuns(blockCount, 1, (ms) => ms - SAVING_MS);
        const share = shareOf(runCount, createRun, ({ savingMs }) => covers(savingMs, SAVING_MS));
        t.diagnostic(`${(100 * share).toFixed(2)} %`);
        assert.ok(Math.abs(share - 0.96) <= 0.02 + slack, String(share));
      });

      it('have an interval of the ratio that covers the truth in 95 % of them', (t) => {
        const createRun = createRuns(blockCount, 2, (ms) => ms / SPEED_RATIO);
        const share = shareOf(runCount, createRun, ({ speedRatio }) => covers(speedRatio, SPEED_RATIO));
        t.diagnostic(`${(100 * share).toFixed(2)} %`);
        assert.ok(Math.abs(share - 0.95) <= 0.01 + slack, String(share));
      });

      it('find a winner between two that are the same in hardly more than 5 % of them', (t) => {
        const createRun = createRuns(blockCount, 3, (ms) => ms);
        let certainCount = 0;
        const share = shareOf(runCount, createRun, ({ verdict, savingMs }) => {
          if (!covers(savingMs, 0)) certainCount++;
          return isBeyondMargin({ verdict }) || isLittle({ verdict });
        });
        const certainShare = certainCount / runCount;
        t.diagnostic(
          `${(100 * share).toFixed(2)} % by the verdict, ${(100 * certainShare).toFixed(2)} % by the interval`,
        );
        assert.ok(share <= 0.055 + slack, String(share));
        // Most of them are within 10 %, which the verdict calls the same: it is the interval that could be too narrow.
        assert.ok(Math.abs(certainShare - 0.05) <= 0.01 + slack, String(certainShare));
      });
    });
  }
}
