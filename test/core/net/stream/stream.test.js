/** When the pieces of a stream are due, and what is in them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sumOf } from '../../../../core/base/statistics.js';
import { dueTimesOf, formatStreamQuery, STREAM_RANGES, textOf } from '../../../../core/net/stream/stream.js';

const MOST = STREAM_RANGES.pieces.max;
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);
/** A normal quantity is further from its mean with a chance below 1e-6. */
const SIGMAS = 4.9;
/** Computed by a program of its own. */
const KNOWN_MS = [0, 0, 15, 94, 163];

/** @param {{ rate: number, spread: number }} pace @returns {number[]} the times between two pieces, of the streams of many seeds */
const gapsOf = (pace) =>
  SEEDS.flatMap((seed) =>
    dueTimesOf({ pieces: MOST, bytes: 1, seed, ...pace })
      .map((dueMs, n, all) => dueMs - all[n - 1])
      .slice(1),
  );

describe('the schedule of a stream', () => {
  it('is the same for a seed wherever it is computed', () => {
    const dueMs = dueTimesOf({ pieces: 5, bytes: 12, rate: 50, spread: 100, seed: 1 });
    assert.deepEqual(dueMs.map(Math.round), KNOWN_MS);
  });

  it('begins at once, and goes on evenly without a spread', () => {
    assert.deepEqual(dueTimesOf({ pieces: 4, bytes: 1, rate: 100, spread: 0, seed: 7 }), [0, 10, 20, 30]);
  });

  it('has every piece due at once without a rate', () => {
    assert.deepEqual(dueTimesOf({ pieces: 3, bytes: 1, rate: 0, spread: 100, seed: 7 }), [0, 0, 0]);
  });

  for (const spread of [25, 100]) {
    it(`has gaps of the rate on average, of which ${spread}% are exponential`, () => {
      const meanMs = 20;
      const gaps = gapsOf({ rate: 1000 / meanMs, spread });
      const randomMs = (meanMs * spread) / 100;
      const count = gaps.length;
      // An exponential quantity deviates by as much as its mean, and what is measured of its variance by √8 of that, for one.
      const mean = sumOf(gaps, (gap) => gap) / count;
      const variance = sumOf(gaps, (gap) => (gap - mean) ** 2) / count;
      assert.ok(Math.abs(mean - meanMs) < (SIGMAS * randomMs) / Math.sqrt(count), `mean: ${mean}`);
      assert.ok(Math.abs(variance / randomMs ** 2 - 1) < SIGMAS * Math.sqrt(8 / count), `variance: ${variance}`);
      assert.ok(Math.min(...gaps) >= meanMs - randomMs);
      // e^-2 of them are longer than the even part and twice the random one.
      const longShare = gaps.filter((gap) => gap > meanMs + randomMs).length / count;
      const expected = Math.exp(-2);
      const deviation = Math.sqrt((expected * (1 - expected)) / count);
      assert.ok(Math.abs(longShare - expected) < SIGMAS * deviation, `share of long gaps: ${longShare}`);
    });
  }
});

describe('the text of a piece', () => {
  it('has its bytes, whichever piece it is', () => {
    for (const bytes of [STREAM_RANGES.bytes.min, 12, STREAM_RANGES.bytes.max]) {
      for (const n of [0, 1, 11, MOST - 1])
        assert.equal(Buffer.byteLength(textOf(n, bytes)), bytes, `${n} of ${bytes}`);
    }
  });

  it('goes on where the piece before ended', () => {
    const whole = textOf(0, 500);
    assert.equal(Array.from({ length: 25 }, (_, n) => textOf(n, 20)).join(''), whole);
  });
});

it('the query of a stream has its cut only where there is one', () => {
  const stream = { pieces: 2, bytes: 3, rate: 4, spread: 5, seed: 6 };
  assert.equal(formatStreamQuery(stream), 'pieces=2&bytes=3&rate=4&spread=5&seed=6');
  assert.equal(formatStreamQuery({ ...stream, cut: 1 }), 'pieces=2&bytes=3&rate=4&spread=5&seed=6&cut=1');
});
