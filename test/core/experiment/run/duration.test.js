import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeMost,
  describeRange,
  describeRoundTrips,
  nameRange,
} from '../../../../core/experiment/run/duration.js';

describe('how long parts take, wherever they are measured', () => {
  for (const [near, far, words] of /** @type {const} */ ([
    [2, 4, 'about 5 s'],
    [22, 32, '20–30 s'],
    [6, 57, '5–55 s'],
    [78, 84, 'about 1.5 min'],
    [78, 78, 'about 1.5 min'],
    [37, 37, 'about 37 s'],
    [61, 130, '1–2 min'],
    [39, 63, '40 s to 1.5 min'],
    [39, 180, '40 s to 3 min'],
  ])) {
    it(`of ${near} to ${far} s is ${words}`, () => {
      const secondsOfPart = (/** @type {unknown} */ _, /** @type {number} */ roundTripMs) =>
        roundTripMs < 10 ? near : far;
      const part = /** @type {any} */ ({ experiment: { fullTest: { secondsOf: secondsOfPart } }, plan: {} });
      assert.equal(
        describeRange(() => [part]),
        words,
      );
      assert.equal(
        nameRange(() => [part]),
        words.replace('about ', ''),
      );
    });
  }

  it('of several is the sum of their times, each rounded to 5 s, and 5 s at least', () => {
    const part = /** @type {any} */ ({ experiment: { fullTest: { secondsOf: () => 1 } }, plan: {} });
    assert.equal(
      describeRange(() => [part, part, part]),
      'about 15 s',
    );
  });

  it('is over the path that is known', () => {
    const path = { bytesPerSecond: 1 };
    const secondsOfPart = (/** @type {unknown} */ _, /** @type {number} */ _ms, /** @type {unknown} */ own) =>
      own === path ? 37 : 1;
    const part = /** @type {any} */ ({ experiment: { fullTest: { secondsOf: secondsOfPart } }, plan: {} });
    assert.deepEqual([describeRange(() => [part], path), nameRange(() => [part], path)], ['about 37 s', '37 s']);
  });

  it('of round trips is at most that on another continent', () => {
    assert.equal(describeRoundTrips(200), 'up to 20 s');
  });

  it('is at most what limits it', () => {
    assert.equal(describeMost(120), 'up to 2 min');
  });
});
