import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { clockFaultOf } from '../../../../core/experiments/jobs/trial.js';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';
import { summarize } from '../../../../core/experiments/jobs/summary.js';
import { useGolden } from '../../../support/golden.js';
import { describeClocks, measured } from '../../../support/jobs-report.js';
import { RTT_MS } from '../../../support/run-scripted-jobs.js';

const matchGolden = useGolden(import.meta.url);

describe('describeClocks', () => {
  it('says how latency is derived, how exact it is, and what the ratios rest on', (t) => {
    const words = describeClocks(measured);
    matchGolden(t, 'jobs', words);
  });

  it('says that late reads are not corrected where several clocks made the jobs', (t) => {
    const several = structuredClone(measured);
    const push = several.trials.find(({ delivery }) => delivery === 'push');
    assert.ok(push);
    push.notified.madeAtMs[7] += 5000;
    for (const { delivery, notified } of several.trials) {
      assert.equal(clockFaultOf(notified, RTT_MS), delivery === 'push' ? 'several' : undefined, delivery);
    }
    const [lag, note] = describeClocks(several);
    matchGolden(t, 'jobs', [lag, note]);
  });

  it('says that late reads are not corrected where the clock is coarse', (t) => {
    const coarse = { ...measured, environment: { ...measured.environment, stepMs: 100 } };
    assert.equal(clockFaultOf(coarse.trials[0].notified, RTT_MS, 100), 'coarse');
    const [error, note] = describeClocks(coarse);
    assert.match(error, / 106\.0 ms /);
    assert.equal(summarize(coarse)[0].lagDecimals, 0);
    assert.match(cellsOf(tabulateJobs(summarize(coarse))[0])[0][1], /^\d+ \(\d+–\d+\)$/);
    matchGolden(t, 'jobs', note);
  });
});
