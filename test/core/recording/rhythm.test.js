import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '../../../core/base/random.js';
import { findRhythm } from '../../../core/recording/rhythm.js';

/** @import { Rhythm } from '../../../core/recording/rhythm.js' */

const RECORDINGS = 2000;
/** Half of the last digit of a share that is said. */
const MARGIN = 0.005;

/**
 * @param {(random: () => number, i: number) => { atMs: number, endMs: number }[]} record
 * @param {(found: Rhythm | undefined) => boolean | undefined} is @returns {number} the share of recordings of which it holds
 */
function shareOf(record, is) {
  const random = createRandom(1);
  const found = Array.from({ length: RECORDINGS }, (_, i) =>
    findRhythm(record(random, i).sort((a, b) => a.atMs - b.atMs)),
  );
  return found.filter(is).length / RECORDINGS;
}

/** @param {number} count @param {(i: number) => number} gapMs @param {(i: number) => number} [answerMs] of each */
function requestsOf(count, gapMs, answerMs = () => 20) {
  let atMs = 0;
  return Array.from({ length: count }, (_, i) => ({ atMs: (atMs += gapMs(i)), endMs: atMs + answerMs(i) }));
}

/** @param {number} actual @param {number} expected */
const assertShare = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) <= MARGIN, `expected about ${expected}, got ${actual}`);

describe('the shares that the thresholds of a rhythm rest on', () => {
  for (const [count, expected] of [
    [3, 0.05],
    [4, 0.02],
    [5, 0],
    [6, 0.14],
    [10, 0.03],
    [13, 0.02],
    [30, 0],
  ])
    it(`are ${expected}: that of ${count} independent requests in which a rhythm is found`, () => {
      const share = shareOf(
        (random) => requestsOf(count, () => -2000 * Math.log(1 - random())),
        (found) => found !== undefined,
      );
      assertShare(share, expected);
    });

  for (const [range, expected] of [
    [0.5, 1],
    [1, 0.93],
    [1.5, 0.62],
  ])
    it(`are ${expected}: that of 6 requests of a timer in which one is found, if times vary over ${range} of its interval`, () => {
      const share = shareOf(
        (random) => requestsOf(6, () => 1000 * (1 + range * (random() - 0.5))),
        (found) => found !== undefined,
      );
      assertShare(share, expected);
    });

  for (const by of /** @type {const} */ (['timer', 'pause']))
    it(`are above 0.96: that in which a ${by} is told, of ten requests whose answers take equally long`, () => {
      const share = shareOf(
        (random, i) => {
          const everyMs = [1000, 1500, 2000, 3000, 5000][i % 5];
          const answers = Array.from({ length: 10 }, () => 80 + 2 * random());
          const lagMs = () => 4 * random();
          const gapMs = (/** @type {number} */ n) => everyMs + (by === 'pause' && n > 0 ? answers[n - 1] : 0);
          return requestsOf(10, (n) => gapMs(n) + lagMs(), (n) => answers[n]); // prettier-ignore
        },
        (found) => found?.by === by,
      );
      assert.ok(share > 0.96, String(share));
    });

  it('are those in which two to four timers at an address are counted, with twenty requests of each', () => {
    const shares = [2, 3, 4, 5].map((timerCount) =>
      shareOf(
        (random) =>
          Array.from({ length: timerCount }, () => {
            const fromMs = 2000 * random();
            return requestsOf(20, () => 2000).map(({ atMs }) => ({
              atMs: atMs + fromMs + 5 * random(),
              endMs: Infinity,
            }));
          }).flat(),
        (found) => found?.timerCount === timerCount,
      ),
    );
    [0.75, 0.88, 0.71, 0].forEach((expected, i) => assertShare(shares[i], expected));
  });
});
