import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianInterval } from '../../bench/pairs.js';

/** @param {number} count */
const ranks = (count) => Array.from({ length: count }, (_, index) => index + 1);

test('gives the published example of ci.median in R package statpsych', () => {
  // https://dgbonett.github.io/statpsych/reference/ci.median.html: Estimate 20.7, LL 10.8, UL 30.9.
  const values = [
    30.2, 20.4, 15.1, 10.2, 10.5, 60.8, 20.8, 25.0, 20.7, 30.9, 10.8, 5.1, 50.9, 40.0, 20.9, 10.8, 0, 20.5, 50.8,
  ];
  const { median, low, high } = medianInterval(values);
  assert.deepEqual({ median, low, high }, { median: 20.7, low: 10.8, high: 30.9 });
});

test('has the ranks and levels of the textbook table', () => {
  // "Confidence Intervals for the Population Median", table A.7 as on https://www.coursehero.com/file/5646626/A7/.
  for (const [count, low, high, percent] of [
    [6, 1, 6, 96.9],
    [9, 2, 8, 96.1],
    [10, 2, 9, 97.9],
    [12, 3, 10, 96.1],
    [15, 4, 12, 96.5],
    [17, 5, 13, 95.1],
    [20, 6, 15, 95.9],
  ]) {
    const interval = medianInterval(ranks(count));
    assert.deepEqual([interval.low, interval.high], [low, high], `${count} values`);
    assert.equal((interval.level * 100).toFixed(1), percent.toFixed(1), `${count} values`);
  }
});

test('has the level that binomial coefficients in whole numbers give, as far as benches go', () => {
  for (const count of [7, 100, 101, 1000, 3000]) {
    const { low, level } = medianInterval(ranks(count));
    let coefficient = 1n;
    let below = 0n;
    for (let k = 0n; k < BigInt(low); k++) {
      below += coefficient;
      coefficient = (coefficient * (BigInt(count) - k)) / (k + 1n);
    }
    const isEnough = (/** @type {bigint} */ tail) => 40n * tail <= 2n ** BigInt(count);
    assert.ok(isEnough(below) && !isEnough(below + coefficient), `rank ${low} of ${count}`);
    const exact = 1 - 2 * Number((below * 10n ** 15n) / 2n ** BigInt(count)) * 1e-15;
    assert.ok(Math.abs(level - exact) < 1e-10, `level ${level} of ${count}, exactly ${exact}`);
  }
});

test('does not depend on the order of the values, nor change them', () => {
  const values = Object.freeze([5, 3, 8, 1, 9, 2, 7]);
  assert.deepEqual(medianInterval(values), medianInterval([...values].reverse()));
});

test('gives the middle of the middle two for an even count', () => {
  assert.equal(medianInterval([1, 2, 3, 5, 6, 7]).median, 4);
});

test('refuses fewer than six values', () => {
  assert.throws(() => medianInterval([1, 2, 3, 4, 5]), RangeError);
  assert.throws(() => medianInterval([]), RangeError);
});
