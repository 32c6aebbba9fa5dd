import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBeyondMargin, nameVerdict, sayRatio, verdictOf } from '../../../../core/experiment/answer/verdict.js';

/** The verdicts on intervals, one of each, and those at the limit. */
const VERDICTS = /** @type {const} */ ([
  [1.12, 1.5, 'faster'],
  [1.11, 1.12, 'faster'],
  [1.02, 1.08, 'same'],
  [0.92, 1.09, 'same'],
  [1.02, 1.12, 'little-faster'],
  [1.05, 9.8, 'little-faster'],
  [0.88, 0.98, 'little-slower'],
  [0.5, 0.9, 'slower'],
  [0.95, 1.12, 'unclear'],
  [0.5, 2, 'unclear'],
]);

describe('the verdict on an interval', () => {
  for (const [low, high, verdict] of VERDICTS) {
    it(`is ${verdict}: ${low} to ${high}`, () => assert.equal(verdictOf({ low, high }), verdict));
  }

  it('never becomes “faster” or “slower” where the interval grows around its centre', () => {
    const reaches = Array.from({ length: 200 }, (_, i) => i / 200);
    for (let centre = 0.5; centre < 2; centre *= 1.003) {
      const verdicts = reaches.map((reach) =>
        verdictOf({ low: centre * Math.exp(-reach), high: centre * Math.exp(reach) }),
      );
      const last = verdicts.findLastIndex((verdict) => isBeyondMargin({ verdict }));
      assert.ok(
        verdicts.slice(0, last + 1).every((verdict) => verdict === verdicts[0]),
        `${centre}: ${[...new Set(verdicts)].join()}`,
      );
    }
  });

  it('is mirrored for the other of the two', () => {
    const mirrored = { faster: 'slower', 'little-faster': 'little-slower', same: 'same', unclear: 'unclear' };
    for (const [low, high] of VERDICTS) {
      const [verdict, other] = [verdictOf({ low, high }), verdictOf({ low: 1 / high, high: 1 / low })];
      assert.ok(
        Object.entries(mirrored).some((pair) => [`${pair}`, `${pair.toReversed()}`].includes(`${verdict},${other}`)),
      );
    }
  });

  it('says by how much at most, if it is about little', () => {
    const say = (/** @type {number} */ estimate, /** @type {number} */ low, /** @type {number} */ high) =>
      nameVerdict({ verdict: verdictOf({ low, high }), ratio: { estimate, low, high } });
    assert.equal(say(1.07, 1.02, 1.12), 'a little faster (at most 12%)');
    assert.equal(say(0.95, 0.8, 0.99), 'a little slower (at most 25%)');
    assert.equal(say(3.3, 1.05, 9.8), 'at least a little faster');
    assert.equal(say(1.5, 1.2, 1.9), 'faster');
  });

  it('claims nothing where it is marked as unclear', () => {
    const saidOf = (/** @type {number} */ estimate, /** @type {number} */ low, /** @type {number} */ high) => {
      const { mark, word } = sayRatio({ estimate, low, high });
      return [mark, word];
    };
    assert.deepEqual(saidOf(3.3, 1.05, 9.8), ['unclear', 'Unclear if over 10% faster']);
    assert.deepEqual(saidOf(0.8, 0.7, 0.99), ['unclear', 'Unclear if over 10% slower']);
    assert.deepEqual(saidOf(1.05, 0.9, 1.2), ['unclear', 'No clear difference']);
    assert.deepEqual(saidOf(1.07, 1.02, 1.12), ['same', 'A little faster (at most 12%)']);
  });
});
