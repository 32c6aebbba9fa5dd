import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedFrameShare } from '../../../../core/experiments/stream/details.js';
import { flowOf, isFirstHeld, longestGapOf, lumpsOf } from '../../../../core/experiments/stream/summary.js';
import { dueTimesOf } from '../../../../core/net/stream/stream.js';

const DUE = dueTimesOf({ pieces: 200, bytes: 12, rate: 50, spread: 50, seed: 1 });
const LATE_MS = 100;

/** Pieces of 200 that come when `comeAt` says. @param {(dueMs: number, n: number) => number} comeAt */
const arrive = (comeAt) => DUE.map((dueMs, n) => LATE_MS + comeAt(dueMs, n));

/** What keeps pieces until it has so many, and passes them on then, or at the end. @param {number} count */
const collect = (count) =>
  arrive((_, n) => DUE[Math.min(DUE.length - 1, n - (n % count) + count - 1)] + (n % count) * 0.02);

describe('the flow of pieces', () => {
  it('is even where each comes as late as the others', () => {
    assert.deepEqual(flowOf(arrive(Number), DUE), { name: 'even' });
    assert.deepEqual(
      flowOf(
        arrive((ms, n) => ms + (n % 7)),
        DUE,
      ),
      { name: 'even' },
    );
  });

  it('is in bursts of as many as something on the path collects', () => {
    for (const count of [13, 40, 90]) assert.deepEqual(flowOf(collect(count), DUE), { name: 'bursts', pieces: count });
  });

  it('is in steps where all that was collected comes after a fixed time', () => {
    const steps = flowOf(
      arrive((ms) => 250 * Math.ceil(ms / 250)),
      DUE,
    );
    assert.deepEqual(steps, { name: 'steps', everyMs: 250 });
  });

  it('is all at once where something waits for the end', () => {
    assert.deepEqual(
      flowOf(
        arrive((_, n) => DUE[DUE.length - 1] + n * 0.01),
        DUE,
      ),
      { name: 'at-once' },
    );
  });

  it('has gaps where a lost packet kept some pieces back', () => {
    const lostAt = new Set([40, 120]);
    const heldUntil = (/** @type {number} */ ms) =>
      Math.max(ms, ...[...lostAt].map((n) => (ms >= DUE[n] && ms < DUE[n] + 320 ? DUE[n] + 320 : 0)));
    assert.deepEqual(flowOf(arrive(heldUntil), DUE), { name: 'gaps' });
  });

  it('is unknown of a stream that is over at once', () => {
    const due = DUE.map(() => 0);
    assert.equal(flowOf(arrive(Number), due), undefined);
    assert.equal(flowOf([1], [0]), undefined);
    assert.equal(flowOf([], []), undefined);
  });
});

describe('a first piece', () => {
  it('was held back where it came with later ones that were due after a pause', () => {
    assert.equal(isFirstHeld(arrive(Number), DUE), false);
    assert.equal(isFirstHeld(collect(13), DUE), true);
    // These were due together.
    assert.equal(isFirstHeld([20, 21, 60], [0, 4, 40]), false);
    assert.equal(isFirstHeld([], DUE), false);
  });
});

describe('arrivals', () => {
  it('that are a few milliseconds apart came at once', () => {
    assert.deepEqual(lumpsOf([0, 4, 9, 15, 40]), [
      { atMs: 0, count: 3 },
      { atMs: 15, count: 1 },
      { atMs: 40, count: 1 },
    ]);
  });

  it('have a longest gap, and a share that is seen in one picture of the screen', () => {
    assert.equal(longestGapOf([0, 4, 30, 31]), 26);
    assert.equal(longestGapOf([7]), 0);
    assert.equal(sharedFrameShare([0, 10, 20, 30, 100]), 0.8);
  });
});
