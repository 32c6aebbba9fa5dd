/**
 * Whole runs that end when their answer is clear, simulated: how often their interval covers the truth, and how often two that
 * are the same are told apart. They are made by the program's own loop, by the plan of the home page.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../core/base/random.js';
import { compareTransports } from '../../core/experiment/answer/compare.js';
import { countBlocks, ruleOf } from '../../core/experiment/plan/blocks.js';
import { runExperiment } from '../../core/experiment/run/run.js';
import { measurement } from '../../core/experiments/shootout/measure.js';
import { createPlan } from '../../core/experiments/shootout/plan.js';
import { createTrial } from '../support/results.js';

const RUN_COUNT = 4000;
const RTT_MS = 100;
/** Wider than the claimed 1%, by what the share of this many runs strays by chance; runs are the same each time. */
const SLACK = 0.01 + 0.004;
const PAIR = Object.freeze({ baseline: 'ajax', transport: 'sockjs' });
const PLAN = createPlan({
  ...{ preset: 'standard', roundTripMs: RTT_MS, seed: 1 },
  choices: { transports: Object.values(PAIR) },
});

/** How a trial differs from others by chance: the deviation of its logarithm. @type {Readonly<Record<string, number>>} */
const NOISES = { quiet: 0.01, unsteady: 0.04, heavy: 0.15 };

/** @param {{ random: () => number, ratio: number, deviation: number }} truth @returns {Promise<ReturnType<typeof compare>>} */
async function makeRun({ random, ratio, deviation }) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let driftMs = 0;
  const { trials } = await runExperiment(
    {
      ...measurement,
      around: undefined,
      watchFaults: () => ({ look: () => undefined }),
      async runTrial({ transport, block }) {
        if (transport === PAIR.baseline) driftMs = Math.abs(driftMs + normal());
        // One trial of ten is far off.
        const chance = Math.exp(deviation * normal() * (random() < 0.1 ? 2 : 0.8));
        const centreMs = (RTT_MS * chance + driftMs) * (transport === PAIR.baseline ? ratio : 1);
        return createTrial(
          transport,
          block,
          Array.from({ length: PLAN.iterations }, () => centreMs * (1 - 0.01 * Math.log(1 - random()))),
        );
      },
    },
    { plan: PLAN, transports: {}, now: () => 0 },
  );
  return compare(trials);
}

/** @param {Parameters<typeof compareTransports>[0]['trials']} trials */
const compare = (trials) => ({
  ...compareTransports({ trials, ...PAIR, rule: ruleOf(PLAN) }),
  madeCount: countBlocks(trials),
});

describe(`${RUN_COUNT} runs that look after ${PLAN.looks?.join(', ')} of ${PLAN.blocks} blocks`, () => {
  for (const [noise, deviation] of Object.entries(NOISES)) {
    for (const ratio of [1, 1.05, 1.1, 1.3, 3]) {
      it(`cover a ratio of ${ratio} in 95 % of them, by ${noise} noise`, async (t) => {
        const random = createRandom(1);
        const counts = { covering: 0, wrong: 0, blocks: 0 };
        for (let run = 0; run < RUN_COUNT; run++) {
          const { speedRatio, verdict, madeCount } = await makeRun({ random, ratio, deviation });
          assert.ok(speedRatio && verdict);
          if (speedRatio.low <= ratio && ratio <= speedRatio.high) counts.covering++;
          if (ratio === 1 && verdict !== 'same' && verdict !== 'unclear') counts.wrong++;
          counts.blocks += madeCount;
        }
        const share = counts.covering / RUN_COUNT;
        t.diagnostic(`${(100 * share).toFixed(2)} %, ${(counts.blocks / RUN_COUNT).toFixed(1)} blocks on average`);
        assert.ok(Math.abs(share - 0.95) <= SLACK, String(share));
        assert.ok(counts.wrong / RUN_COUNT <= 0.05, String(counts.wrong));
      });
    }
  }
});
