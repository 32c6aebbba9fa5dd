import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pollCountOf, pollLagOf } from '../../../../core/experiments/jobs/polling.js';
import { clockFaultOf, lagsOf, lateReadsOf } from '../../../../core/experiments/jobs/trial.js';
import { drawDurationMs } from '../../../../core/net/delivery/job.js';

describe('the closed form of polling', () => {
  for (const seed of [1, 2, 3]) {
    it(`polls until a job is done, and learns of it within a period after that: seed ${seed}`, () => {
      for (const [intervalMs, roundTripMs] of [
        [10, 0.5],
        [250, 3],
        [500, 160],
      ]) {
        const periodMs = intervalMs + roundTripMs;
        for (let i = 0; i < 1000; i++) {
          const durationMs = drawDurationMs({ seed: seed * 1000 + i, minMs: 1, maxMs: 10_000 });
          const polls = pollCountOf({ durationMs, periodMs });
          const lagMs = pollLagOf({ durationMs, periodMs, roundTripMs });
          assert.ok(polls * periodMs >= durationMs && (polls - 1) * periodMs < durationMs);
          // The edges are exact but for the rounding of a division.
          assert.ok(lagMs >= roundTripMs / 2 - 1e-9 && lagMs < periodMs + roundTripMs / 2 + 1e-9);
        }
      }
    });
  }

  it('polls once for a job that is done at once', () => {
    assert.equal(pollCountOf({ durationMs: 0, periodMs: 500 }), 1);
    assert.equal(pollLagOf({ durationMs: 0, periodMs: 500, roundTripMs: 2 }), 501);
  });
});

describe('the latency of a job', () => {
  // Three jobs requested at 0, over a path of 5 ms: created at 5, 6 and 8, done 100 ms later, and notified at once. The
  // answers of the last two are read late, at 30.
  const times = {
    sentAtMs: [0, 0, 0],
    createdAtMs: [10, 30, 30],
    durationMs: [100, 100, 100],
    notifiedAtMs: [110, 111, 113],
    madeAtMs: [0, 1, 3],
  };

  it('gives the same latency however late the creation answers are read', () => {
    assert.deepEqual(lateReadsOf(times, 10), [0, 19, 17]);
    assert.deepEqual(lagsOf(times, 10), [5, 5, 5]);
  });

  it('gives half a round trip where a notification comes before any creation answer', () => {
    const createdAtMs = [25, 30, 30];
    // A clock may drift by this much in 100 ms, so it is not counted.
    const runOffMs = 0.05;
    const rounded = (/** @type {number[]} */ list) => list.map((ms) => Number(ms.toFixed(6)));
    assert.deepEqual(
      rounded(lateReadsOf({ ...times, createdAtMs }, 10)),
      [15, 19, 17].map((ms) => ms - runOffMs),
    );
    assert.deepEqual(rounded(lagsOf({ ...times, createdAtMs }, 10)), Array(3).fill(5 - runOffMs));
  });

  it('gives the same latency whatever the offset between the clocks', () => {
    for (const off of [-5000, 1e6]) {
      const sentAtMs = times.sentAtMs.map((ms) => ms + off);
      const createdAtMs = times.createdAtMs.map((ms) => ms + off);
      const notifiedAtMs = times.notifiedAtMs.map((ms) => ms + off);
      assert.deepEqual(lagsOf({ ...times, sentAtMs, createdAtMs, notifiedAtMs }, 10), [5, 5, 5]);
    }
  });

  it('corrects nothing where several clocks made the jobs', () => {
    for (const off of [7_000_000, 60, -60]) {
      const twoClocks = { ...times, madeAtMs: [0, 1 + off, 3] };
      assert.equal(clockFaultOf(twoClocks, 10), 'several');
      assert.deepEqual(lateReadsOf(twoClocks, 10), [0, 0, 0]);
    }
    assert.equal(clockFaultOf(times, 10), undefined);
  });

  it('corrects nothing where the clock is too coarse', () => {
    assert.deepEqual(
      [6, 6.1].map((stepMs) => clockFaultOf(times, 10, stepMs)),
      [undefined, 'coarse'],
    );
    assert.deepEqual(lateReadsOf(times, 10, 100), [0, 0, 0]);
  });

  it('counts the drift of a server’s clock that is being adjusted, and nothing else', () => {
    // The server's clock runs 500 ppm slower or faster than ours, so a job of 10 s takes 5 ms longer or less.
    for (const slew of [1.0005, 0.9995]) {
      const durationMs = [100, 10_000, 10_000];
      const notifiedAtMs = durationMs.map((ms, i) => [5, 6, 8][i] + ms * slew + 5);
      const lags = lagsOf({ ...times, durationMs, notifiedAtMs }, 10);
      for (const [i, ms] of lags.entries()) assert.ok(Math.abs(ms - 5 - durationMs[i] * (slew - 1)) < 0.06, `${ms}`);
    }
  });
});
