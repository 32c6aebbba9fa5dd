/**
 * Simulated runs near and far, whose overheads differ from block to block: how often the saving's interval covers the truth. Seeded,
 * so it is the same each time.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../../core/base/random.js';
import { bothTimesOf, judge, savingOf } from '../../../../core/experiment/answer/compare.js';

const RUN_COUNT = 1000;
const BLOCK_COUNT = 8;
/** 93%, less what the share of so many runs strays by chance. */
const MIN_SHARE = 0.915;
const RTTS_MS = [0.2, 20, 230];

/** By how much the overheads of a block deviate, as logarithms: both alike, then each. @type {Readonly<Record<string, number[]>>} */
const NOISES = {
  'that differ each for itself': [0, 0.1, 0.1],
  'of which the first differs': [0, 0.2, 0],
  'of which the second differs': [0, 0, 0.2],
  'that differ together': [0.2, 0.03, 0.03],
};

describe('the interval of a saving', () => {
  for (const [noise, deviations] of Object.entries(NOISES))
    it(`covers the truth of runs near and far, with overheads ${noise}`, (t) => {
      const random = createRandom(1);
      const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const createBlock = (/** @type {number} */ rttMs, /** @type {readonly number[]} */ overheadsMs) => {
        const [both, ...each] = deviations.map((deviation) => deviation * normal());
        const [baseMs, otherMs] = overheadsMs.map((ms, side) => rttMs + ms * Math.exp(both + each[side]));
        return /** @type {const} */ ([baseMs, otherMs]);
      };
      const meanOf = (/** @type {number} */ ms, /** @type {number} */ side) =>
        ms * Math.exp((deviations[0] ** 2 + deviations[side + 1] ** 2) / 2);

      for (const overheadsMs of [
        [4.4, 0.4],
        [2, 1.6],
        [0.4, 4.4],
      ])
        for (const rttMs of RTTS_MS) {
          const [baseMs, otherMs] = overheadsMs.map(meanOf);
          let count = 0;
          for (let run = 0; run < RUN_COUNT; run++) {
            const blocks = Array.from({ length: BLOCK_COUNT }, () => createBlock(rttMs, overheadsMs));
            const { ratio } = judge(blocks.map(([base, other]) => base / other));
            assert.ok(ratio);
            const { low, high } = savingOf(ratio, bothTimesOf(blocks));
            if (low <= baseMs - otherMs && baseMs - otherMs <= high) count++;
          }
          const found = `${count / RUN_COUNT} at ${rttMs} ms with ${overheadsMs.join(' and ')} ms`;
          t.diagnostic(found);
          assert.ok(count / RUN_COUNT >= MIN_SHARE, found);
        }
    });
});
