import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summarize } from '../../../../core/base/statistics.js';

/**
 * Back-to-back samples.
 *
 * @param {number[]} roundTripMs
 * @param {number} [pauseMs] between an answer and the next message
 */
function backToBack(roundTripMs, pauseMs = 0) {
  let sentAt = 100;
  const sentAtMs = roundTripMs.map((ms) => {
    const sent = sentAt;
    sentAt += ms + pauseMs;
    return sent;
  });
  return { samples: { iteration: roundTripMs.map((_, i) => i), sentAtMs, roundTripMs }, failures: [] };
}

describe('summarize', () => {
  it('takes the steady rate from the first answer to the last, so that a slow first message does not count', () => {
    assert.equal(summarize(backToBack([400, 10, 10, 10, 10])).messagesPerSecond, 100);
  });

  it('counts the pauses between messages in the rate, not in the round trips', () => {
    const summary = summarize(backToBack([10, 10, 10], 10));
    assert.equal(summary.messagesPerSecond, 50);
    assert.equal(summary.meanMs, 10);
  });

  it('leaves out what too few samples cannot tell', () => {
    const { messagesPerSecond, p50Ms, p95Ms, jitterMs, ...rest } = summarize(backToBack([7]));
    assert.deepEqual([messagesPerSecond, p50Ms, p95Ms, jitterMs], [undefined, undefined, undefined, undefined]);
    assert.deepEqual([rest.sampleCount, rest.minMs, rest.maxMs, rest.meanMs], [1, 7, 7, 7]);
  });

  it('of no samples has counts and nothing else', () => {
    const failures = [{ outcome: /** @type {const} */ ('closed'), message: 'x' }];
    const summary = summarize({ ...backToBack([]), failures });
    const figures = Object.values(summary).filter((value) => value !== undefined);
    assert.deepEqual(figures, [0, 1]);
  });

  it('sorts numbers as numbers, and leaves the samples in their order', () => {
    const trial = backToBack([100, 9, 20]);
    const summary = summarize(trial);
    assert.deepEqual([summary.minMs, summary.p50Ms, summary.maxMs], [9, 20, 100]);
    assert.deepEqual(trial.samples.roundTripMs, [100, 9, 20]);
  });

  it('takes the mean from the whole time where round trips are short against the clock’s step', () => {
    // A clock of 1 ms shows 0 and 1 by turns for round trips of 0.5 ms.
    const trial = {
      samples: { iteration: [0, 1, 2, 3], sentAtMs: [0, 0, 1, 1], roundTripMs: [0, 1, 0, 1] },
      failures: [],
    };
    assert.deepEqual(
      [summarize(trial, { stepMs: 1 }).meanMs, summarize(trial, { stepMs: 1 }).meanFrom],
      [0.5, 'total'],
    );
    assert.equal(summarize(trial, { stepMs: 0.005 }).meanFrom, 'samples');
  });

  it('has no rate where the clock did not move', () => {
    const trial = { samples: { iteration: [0, 1], sentAtMs: [0, 0], roundTripMs: [0, 0] }, failures: [] };
    assert.equal(summarize(trial).messagesPerSecond, undefined);
  });
});
