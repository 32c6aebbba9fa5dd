/**
 * Simulated runs with a known truth, and the advice on them: noise never makes anyone move. The blocks of all runs have the same
 * random deviations, which the noise multiplies, so that nothing but the noise differs.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../core/base/random.js';
import { meanInterval } from '../../../core/base/statistics.js';
import { judge } from '../../../core/experiment/compare.js';
import { decide } from '../../../core/experiment/decide.js';
import { createNews, createSending } from '../../support/answers.js';
import { situationOf } from '../../support/full-tests.js';

/** @import { Interval } from '../../../core/base/statistics.js' */

const RUN_COUNT = 1000;
const BLOCK_COUNT = 8;
/** Relative, of a block; the last is beyond what any network has. */
const NOISES = [0, 0.01, 0.03, 0.1, 0.3];
/** Both ends of an interval of 95% miss in 2.5% of runs; chance adds less than that to a share of 1000. */
const MAX_WRONG_SHARE = 0.05;
/** Shares of runs with the same deviations may change by chance, but hardly. */
const SLACK = 0.01;

const random = createRandom(52);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** The deviations of each run: of each block's two figures. */
const RUNS = Array.from({ length: RUN_COUNT }, () =>
  Array.from({ length: BLOCK_COUNT }, () => /** @type {const} */ ([normal(), normal()])),
);

const situation = { ...situationOf(), rttMs: 100 };

/** @param {Interval} savingMs @param {readonly number[]} ratios of the blocks */
function adviseOnSending(savingMs, ratios) {
  const { verdict, ratio } = judge(ratios);
  assert.ok(verdict && ratio);
  return decide({ situation, sending: createSending({ verdict, ...ratio, savingMs }) });
}

/** @param {Interval} gainMs */
const adviseOnNews = (gainMs) => decide({ situation, news: createNews({}, gainMs) });

/** @param {readonly number[]} values */
const intervalOf = (values) => meanInterval(values) ?? assert.fail();

/**
 * @param {(pairs: [used: number, considered: number][]) => string} advise on the figures of each block, in ms
 * @param {{ usedMs: number, savingMs: number }} truth
 * @returns {number[]} the share of runs that say “Move”, by the noise
 */
const sharesOf = (advise, { usedMs, savingMs }) =>
  NOISES.map((noise) => {
    const moving = RUNS.filter((run) => {
      const pairs = run.map(
        ([a, b]) =>
          /** @type {[number, number]} */ ([usedMs * Math.exp(noise * a), (usedMs - savingMs) * Math.exp(noise * b)]),
      );
      return advise(pairs).startsWith('Move');
    });
    return moving.length / RUN_COUNT;
  });

const ADVISORS = {
  'sending a message': (/** @type {[number, number][]} */ pairs) =>
    adviseOnSending(
      intervalOf(pairs.map(([used, considered]) => used - considered)),
      pairs.map(([used, considered]) => used / considered),
    ),
  news: (/** @type {[number, number][]} */ pairs) =>
    adviseOnNews(intervalOf(pairs.map(([used, considered]) => used - considered))),
};

/** @type {readonly [keyof typeof ADVISORS, { usedMs: number, savingMs: number }, moves: boolean][]} */
const TRUTHS = [
  ['sending a message', { usedMs: 12, savingMs: 9 }, false],
  ['sending a message', { usedMs: 100, savingMs: 0 }, false],
  ['sending a message', { usedMs: 107, savingMs: 7 }, false],
  ['sending a message', { usedMs: 100, savingMs: 19 }, false],
  ['sending a message', { usedMs: 400, savingMs: 30 }, false],
  ['sending a message', { usedMs: 100, savingMs: -30 }, false],
  ['sending a message', { usedMs: 100, savingMs: 25 }, true],
  ['sending a message', { usedMs: 230, savingMs: 60 }, true],
  ['news', { usedMs: 600, savingMs: 0 }, false],
  ['news', { usedMs: 100, savingMs: 60 }, false],
  ['news', { usedMs: 600, savingMs: 95 }, false],
  ['news', { usedMs: 600, savingMs: -200 }, false],
  ['news', { usedMs: 600, savingMs: 150 }, true],
  ['news', { usedMs: 600, savingMs: 550 }, true],
];

describe('the advice on a noisy run', () => {
  for (const [topic, truth, moves] of TRUTHS) {
    const { usedMs, savingMs } = truth;
    it(`says “Move” ${moves ? 'the less' : 'hardly ever'}, however much noise: ${topic}, ${savingMs} of ${usedMs} ms`, () => {
      const shares = sharesOf(ADVISORS[topic], truth);
      assert.equal(shares[0], moves ? 1 : 0, 'without noise');
      if (!moves) assert.ok(Math.max(...shares) <= MAX_WRONG_SHARE, shares.join());
      else for (const [i, share] of shares.slice(1).entries()) assert.ok(share <= shares[i] + SLACK, shares.join());
    });
  }
});
