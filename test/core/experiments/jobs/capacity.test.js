import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import {
  CAPACITY_COLUMNS,
  describeCapacity,
  estimateCapacity,
  formatCpuTime,
  parseNeeds,
} from '../../../../core/experiments/jobs/capacity.js';
import { pollCountOf } from '../../../../core/experiments/jobs/polling.js';
import { summarize } from '../../../../core/experiments/jobs/summary.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { measured, measureDocument } from '../../../support/jobs-report.js';
import { RTT_MS } from '../../../support/run-scripted-jobs.js';
import { DOWN_BYTES, UP_BYTES } from '../../../support/scripted-jobs.js';

const matchGolden = useGolden(import.meta.url);

describe('estimateCapacity', () => {
  const needs = { users: 100, jobsPerDay: 20, intervalMs: 1000 };

  it('estimates polling by the closed form at the wanted interval, and the other methods as measured', () => {
    const [poll, perJob, push] = estimateCapacity(measured, needs);
    const durations = measured.trials[0].notified.durationMs;
    const polls =
      durations.reduce((sum, durationMs) => sum + pollCountOf({ durationMs, periodMs: 1000 + RTT_MS }), 0) / 100;
    const near = (/** @type {number | undefined} */ got, /** @type {number} */ expected) =>
      assert.ok(Math.abs(Number(got) / expected - 1) < 1e-6, `${got} ${expected}`);
    near(poll.requestsPerDay, 2000 * (1 + polls));
    near(poll.bytesPerDay, 2000 * (1 + polls) * (UP_BYTES + DOWN_BYTES));
    near(
      poll.cpuHoursPerDay,
      ((Number(summarize(measured)[0].cpuMsPerJob) / Number(summarize(measured)[0].requestsPerJob)) *
        2000 *
        (1 + polls)) /
        3_600_000,
    );
    assert.ok(Number(poll.meanLagMs) > 400 && Number(poll.meanLagMs) < 620);
    assert.deepEqual([perJob.delivery, perJob.requestsPerDay], ['socket-per-job', 2000]);
    near(push.requestsPerDay, 2200);
    assert.equal(push.meanLagMs, RTT_MS / 2);
  });

  it('agrees with the measurement at the measured interval, over all blocks', async () => {
    for (const run of [measured, await measureDocument({ blocks: 3 })]) {
      const [row] = summarize(run);
      const [poll] = estimateCapacity(run, { users: 1, jobsPerDay: 1, intervalMs: 500 });
      assert.ok(Math.abs(Number(poll.requestsPerDay) - Number(row.requestsPerJob)) < 1e-9);
      assert.ok(Math.abs(Number(poll.bytesPerDay) - Number(row.bytesPerJob?.both)) < 1e-6);
      assert.ok(Math.abs(Number(poll.meanLagMs) - Number(row.lag.meanMs)) < 1e-6);
    }
  });

  it('estimates no polling where it was not measured, and nothing from a run that ended early', async () => {
    const rows = estimateCapacity(await measureDocument({ deliveries: ['push'] }), needs);
    assert.deepEqual(
      rows.map(({ delivery }) => delivery),
      ['push'],
    );
    assert.deepEqual(estimateCapacity({ ...measured, ending: { kind: 'cancelled', reason: 'Enough.' } }, needs), []);
  });

  it('does not assume that polls stay slower than their interval', () => {
    const waiting = structuredClone(measured);
    const poll = waiting.trials.find(({ delivery }) => delivery === 'poll');
    assert.ok(poll);
    poll.notified.pollCount = poll.notified.pollCount.map((count) => Math.ceil(count / 2));
    assert.equal(estimateCapacity(waiting, needs)[0].meanLagMs, estimateCapacity(measured, needs)[0].meanLagMs);
  });

  it('formats each figure with its unit, and says what the estimate rests on', (t) => {
    const rows = [
      { delivery: 'push', requestsPerDay: 1234.4, bytesPerDay: 1.2345e12, cpuHoursPerDay: 0.01 },
      { delivery: 'push', bytesPerDay: 512 },
    ];
    assert.deepEqual(cellsOf({ columns: CAPACITY_COLUMNS, rows }), [
      ['One WebSocket per user', '1,234', '1,235 GB', '36.0 s', '–'],
      ['One WebSocket per user', '–', '512 B', '–', '–'],
    ]);
    assert.deepEqual([0, 0.1, 2345.67].map(formatCpuTime), ['below 0.1 s', '0.1 h', '2,345.7 h']);
    assert.match(describeCapacity(measured), / 0–10 s, /);
    const { plan } = measured;
    matchGolden(t, 'jobs', [describeCapacity({ plan }), describeCapacity({ plan: { ...plan, deliveries: ['push'] } })]);
  });

  it('takes bytes from the nearest measured interval', async () => {
    const both = await measureDocument({ deliveries: ['poll'], intervals: [500, 50] });
    const fast = both.trials.find(({ intervalMs }) => intervalMs === 50);
    assert.ok(fast?.traffic);
    fast.traffic.sentBytes *= 10;
    const bytesAt = (/** @type {number} */ intervalMs) => {
      const [{ bytesPerDay, requestsPerDay }] = estimateCapacity(both, { ...needs, intervalMs });
      return Number(bytesPerDay) / Number(requestsPerDay);
    };
    assert.ok(Math.abs(bytesAt(100) - (UP_BYTES + 10 * DOWN_BYTES)) < 1e-6);
    assert.ok(Math.abs(bytesAt(2000) - (UP_BYTES + DOWN_BYTES)) < 1e-6);
  });

  it('refuses needs that are out of range or no number', () => {
    const parse = (/** @type {string} */ query) => parseNeeds(new URLSearchParams(query));
    assert.deepEqual(parse('users=5'), { users: 5, jobsPerDay: 10, intervalMs: 500 });
    for (const [field, got] of Object.entries({ interval: '5', users: 'many' })) {
      assert.throws(() => parse(`${field}=${got}`), complaintOf(field, got));
    }
  });
});
