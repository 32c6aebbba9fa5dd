import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOf } from '../../../../core/experiment/report/findings.js';
import { isWeighty } from '../../../../core/experiment/run/trust.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { predictGain } from '../../../../core/experiments/jobs/summary.js';
import { measureDocument, rowOf } from '../../../support/jobs-report.js';

const PLAN = { deliveries: ['poll', 'push'], users: 4, jobs: 10, blocks: 6 };

/** @param {Awaited<ReturnType<typeof measureDocument>>} run */
const warningOf = (run) => reportOf(jobs, run).trust.find(({ name }) => name === 'Prediction');

describe('whether news was measured as the model predicts it', () => {
  it('is not said of a run that fits it, near and far', async () => {
    for (const roundTripMs of [2, 100])
      assert.equal(warningOf(await measureDocument(PLAN, { roundTripMs })), undefined);
  });

  it('is a serious warning where all of the interval is beyond what polling can cost', async () => {
    // Polls find such short jobs nearly a whole period late, as those of a busy device do.
    const run = await measureDocument({ ...PLAN, minMs: 0, maxMs: 100 });
    const warning = warningOf(run);
    assert.ok(warning && isWeighty(warning), JSON.stringify(warning));
    const [low, high] = (/by (\d+)–(\d+) ms/.exec(warning.value) ?? []).slice(1).map(Number);
    const page = { intervalMs: 500, rttMs: 100 };
    const gain = predictGain(rowOf(run, 'push'), page);
    assert.ok(gain && low > 0 && low < high);
    assert.equal(gain.high, 300);
    assert.ok(Math.abs(gain.high - gain.low - (high - low) / 2) <= 1, `${gain.low} for ${low} to ${high}`);
  });

  it('needs what is predicted: no fewer blocks than a verdict', async () => {
    assert.equal(warningOf(await measureDocument({ ...PLAN, blocks: 5, minMs: 0, maxMs: 100 })), undefined);
  });
});
