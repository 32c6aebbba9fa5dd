/** Simulated runs of a known difference on devices of a known lag: which of them are said to be busy. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../../core/base/random.js';
import { summarizeLag } from '../../../../core/experiment/run/client-lag.js';
import { isWeighty, trustFactsOf } from '../../../../core/experiment/run/trust.js';
import { shootout } from '../../../../core/experiments/shootout/index.js';
import { trustOf } from '../../../../core/experiments/shootout/trust.js';
import { createResult, createTrial, inTurn } from '../../../support/results.js';

/** @import { TrialEnd } from '../../../../core/experiment/run/client-lag.js' */

const PLAN = { transports: ['ajax', 'sockjs'], blocks: 6, iterations: 10, warmUpCount: 0, payloadBytes: 0, seed: 1 };
const RUN_COUNT = 100;
/** Of timers, per trial: one every 25 ms. */
const SAMPLE_COUNT = 60;

/**
 * @typedef {object} Device
 * @property {number} gainMs the true difference
 * @property {(random: () => number) => number} lagMs the mean lag of a trial
 * @property {number} [ajaxLagMs] what requests themselves add to it
 */

/** @type {Record<'calm' | 'slow' | 'busy', Device>} */
const DEVICES = {
  calm: { gainMs: 5, lagMs: () => 1 },
  // As Chromium at a sixth of its speed: over 100 ms, timers were late by 12 to 23 ms at the 90th percentile.
  slow: { gainMs: 20, lagMs: () => 4, ajaxLagMs: 5 },
  // Other work comes and goes.
  busy: { gainMs: 5, lagMs: (random) => (random() < 0.5 ? 1 : 16) },
};

/** @param {Device} device @param {number} rttMs @param {number} seed */
function simulate({ gainMs, lagMs, ajaxLagMs = 0 }, rttMs, seed) {
  const random = createRandom(seed);
  /** @type {number[]} */
  const lateMs = [];
  /** @type {TrialEnd[]} */
  const ends = [];
  const trials = shootout.trialsOf(PLAN).map(({ transport, block }) => {
    const isAjax = transport === 'ajax';
    const meanMs = lagMs(random) + (isAjax ? ajaxLagMs : 0);
    const draw = () => -meanMs * Math.log(1 - random());
    for (let i = 0; i < SAMPLE_COUNT; i++) lateMs.push(draw());
    ends.push({ method: transport, count: lateMs.length });
    const ownMs = rttMs + 2 + (isAjax ? gainMs - ajaxLagMs * Math.LN2 : 0);
    return createTrial(
      transport,
      block,
      Array.from({ length: PLAN.iterations }, () => ownMs + draw()),
    );
  });
  const { environment, ...others } = createResult({ plan: PLAN, trials: inTurn(trials) });
  return { ...others, environment: { ...environment, ...summarizeLag(lateMs, ends) } };
}

/** @param {Device} device @param {number} rttMs @returns {number} how many of the runs have a serious warning */
function countDoubtful(device, rttMs) {
  const runs = Array.from({ length: RUN_COUNT }, (_, i) => simulate(device, rttMs, i + 1));
  const factsOf = (/** @type {any} */ run) => trustFactsOf(run, { trials: run.trials, trust: trustOf(run) });
  return runs.filter((run) => factsOf(run).some(isWeighty)).length;
}

describe(`of ${RUN_COUNT} simulated runs`, () => {
  for (const rttMs of [20, 100, 230]) {
    it(`over ${rttMs} ms, those whose lag could have made the difference are doubtful, however slow the device is`, (t) => {
      const counts = Object.entries(DEVICES).map(([name, device]) => [name, countDoubtful(device, rttMs)]);
      t.diagnostic(JSON.stringify(counts));
      const { calm, slow, busy } = Object.fromEntries(counts);
      assert.ok(calm <= 1 && slow <= 1, `calm ${calm}, slow ${slow}`);
      assert.ok(busy >= 0.95 * RUN_COUNT, `busy ${busy}`);
    });
  }
});
