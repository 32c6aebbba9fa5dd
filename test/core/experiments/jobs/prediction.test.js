import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePrediction, predictGain } from '../../../../core/experiments/jobs/prediction.js';
import { summarize } from '../../../../core/experiments/jobs/summary.js';
import { useGolden } from '../../../support/golden.js';
import { measureDocument } from '../../../support/jobs-report.js';

const matchGolden = useGolden(import.meta.url);
const PLAN = { deliveries: ['poll', 'push'], users: 4, jobs: 10, blocks: 6 };

/** @param {number} roundTripMs of the scripted server @param {object} [plan] */
async function measureAt(roundTripMs, plan) {
  const [poll, push] = summarize(await measureDocument({ ...PLAN, ...plan }, { roundTripMs }));
  return { poll, push };
}

describe('how much sooner push notifies users elsewhere', () => {
  it('is predicted near what is measured there', async () => {
    const { poll } = await measureAt(2);
    for (const rttMs of [40, 100, 230]) {
      const there = await measureAt(rttMs);
      const [predicted, measured] = [
        predictGain(poll, { intervalMs: 500, rttMs }),
        there.poll.comparison?.differenceInterval,
      ];
      assert.ok(predicted && measured);
      // Neither knows the instants of the other's jobs, so their intervals overlap at least.
      assert.ok(
        predicted.low < measured.high && measured.low < predicted.high,
        `${rttMs}: ${JSON.stringify({ predicted, measured })}`,
      );
      assert.ok(Math.abs(predicted.estimate - (500 + rttMs) / 2) < 40, `${rttMs}: ${predicted.estimate}`);
    }
  });

  it('is no prediction of less than six blocks', async (t) => {
    const { poll, push } = await measureAt(2, { blocks: 5 });
    assert.equal(predictGain(poll, { intervalMs: 500, rttMs: 100 }), undefined);
    assert.equal(describePrediction({ poll, push, rttMs: 100 }), undefined);
    const said = describePrediction({ ...(await measureAt(2)), rttMs: 100 });
    matchGolden(t, 'jobs', Object.values(said ?? {}));
  });
});
