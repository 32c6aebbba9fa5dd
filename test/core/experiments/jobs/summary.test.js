import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellsOf } from '../../../../core/experiment/report/table.js';
import { tabulateJobs } from '../../../../core/experiments/jobs/tables.js';
import { publishedOf } from '../../../../core/experiments/jobs/published.js';
import { summarize } from '../../../../core/experiments/jobs/summary.js';
import { useGolden } from '../../../support/golden.js';
import { describeClocks, measured, measureDocument, PLAN, sentencesOf } from '../../../support/jobs-report.js';
import { RTT_MS } from '../../../support/run-scripted-jobs.js';
import { CPU_MS, DOWN_BYTES, UP_BYTES } from '../../../support/scripted-jobs.js';

/**
 * @import { Measured } from '../../../../core/experiments/jobs/summary.js'
 * @import { createScriptedJobs } from '../../../support/scripted-jobs.js'
 */
const matchGolden = useGolden(import.meta.url);

describe('summarize', () => {
  const [poll, perJob, push] = summarize(measured);

  it('gives a row for each delivery method, in the order of the tables', () => {
    assert.deepEqual(
      [poll, perJob, push].map(({ delivery, intervalMs, isSubject }) => [delivery, intervalMs, isSubject]),
      [
        ['poll', 500, false],
        ['socket-per-job', undefined, false],
        ['push', undefined, true],
      ],
    );
  });

  it('gives the latency from done to notified, beside the closed form', () => {
    assert.deepEqual([push.lag.p50Ms, push.lag.p95Ms, push.lag.maxMs], [RTT_MS / 2, RTT_MS / 2, RTT_MS / 2]);
    assert.deepEqual([push.lag.meanMs, push.lag.interval], [RTT_MS / 2, undefined]);
    assert.deepEqual(push.prediction, { pollsPerJob: undefined, meanLagMs: undefined });
    assert.deepEqual([push.periodMs, Math.round(Number(poll.periodMs))], [undefined, 500 + RTT_MS]);
    assert.equal(poll.pollsPerJob, poll.prediction.pollsPerJob);
    assert.ok(Math.abs(Number(poll.lag.meanMs) - Number(poll.prediction.meanLagMs)) < 1e-6);
    assert.ok(Number(poll.lag.interval?.low) < 255 && Number(poll.lag.interval?.high) > 255);
    assert.ok(Number(poll.comparison?.differenceInterval?.low) > 150);
    assert.deepEqual([perJob.comparison?.differenceInterval, perJob.comparison?.differenceMs], [undefined, 0]);
  });

  it('gives bytes, requests and CPU time per job, and no ratio of one trial', () => {
    // Ten sockets carry a message up and two down for each of a hundred jobs.
    const [up, down] = [(110 * UP_BYTES) / 100, (210 * DOWN_BYTES) / 100];
    assert.deepEqual(push.bytesPerJob, { up, down, both: up + down });
    assert.equal(push.requestsPerJob, 1.1);
    assert.equal(perJob.requestsPerJob, 1);
    const requests = 1 + Number(poll.pollsPerJob);
    assert.equal(poll.requestsPerJob, requests);
    assert.equal(poll.bytesPerJob?.up, requests * UP_BYTES);
    assert.ok(Math.abs(Number(poll.cpuMsPerJob) - requests * CPU_MS) < 1e-3);
    const { latency, bytes, requests: factor } = poll.comparison ?? {};
    const ratios = [latency, bytes, factor].map((judged) => judged?.ratio);
    assert.deepEqual([...ratios, push.comparison], Array(4).fill(undefined));
  });

  it('ends the interval of a delay at 0, as no delay is below', () => {
    const delays = [0, 0, 400];
    const trials = delays.map((delayMs, block) => {
      const [, , trial] = measured.trials;
      const notifiedAtMs = trial.notified.notifiedAtMs.map((ms) => ms + delayMs);
      return { ...trial, block, notified: { ...trial.notified, notifiedAtMs } };
    });
    const [row] = summarize({ ...measured, plan: { ...measured.plan, deliveries: ['push'], blocks: 3 }, trials });
    const { low, estimate, high } = row.lag.interval ?? assert.fail();
    // By Student's t it would begin at -430 ms.
    assert.ok(low === 0 && low < estimate && estimate < high, `${low} ${estimate} ${high}`);
  });

  it('gives no latency where no round trip was measured', (t) => {
    const unknown = { ...measured, roundTripMs: [] };
    const [row] = summarize(unknown);
    assert.deepEqual(new Set(Object.values(row.lag)), new Set([undefined]));
    assert.deepEqual(row.prediction.meanLagMs, undefined);
    const [note] = describeClocks(unknown);
    matchGolden(t, 'jobs', [...sentencesOf(unknown), note]);
  });

  it('gives no 95th percentile of ten jobs', async () => {
    const few = await measureDocument({ users: 1, jobs: 10 });
    const [row] = summarize(few);
    assert.equal(row.lag.p95Ms, undefined);
    assert.equal(typeof row.lag.p50Ms, 'number');
  });

  it('counts late jobs apart from failed jobs', async () => {
    const [row] = summarize(
      await measureDocument(
        { deliveries: ['poll'], limitMs: 9000 },
        { request: (kind, number) => (kind === 'create' && number < 3 ? 'lost' : undefined) },
      ),
    );
    assert.equal(row.failureCount, 3);
    assert.ok(row.lateCount > 0);
    assert.equal(row.notifiedCount + row.lateCount + row.failureCount + row.openCount, row.jobCount);
    assert.equal(row.openCount, 0);
  });

  it('compares with one SockJS connection where no WebSocket was measured', async () => {
    const rows = summarize(await measureDocument({ deliveries: ['poll', 'sockjs'] }));
    assert.deepEqual(
      rows.map(({ isSubject }) => isSubject),
      [false, true],
    );
  });

  it('compares nothing where neither a WebSocket nor SockJS was measured', async (t) => {
    const alone = await measureDocument({ deliveries: ['poll', 'sse'] });
    const [polling, events] = summarize(alone);
    assert.deepEqual([polling.comparison, events.comparison], [undefined, undefined]);
    assert.equal(Math.round(Number(polling.requestsPerJob)), 11);
    assert.ok(Number(polling.cpuMsPerJob) > 0 && Number(polling.cpuMsPerJob) < 1);
    matchGolden(t, 'jobs', sentencesOf(alone));
  });
});

describe('costs that were not measured', () => {
  /** @param {Parameters<typeof createScriptedJobs>[1]} script */
  const measurePush = (script) => measureDocument({ deliveries: ['push'] }, script);

  it('gives no CPU time where the server served other clients', async () => {
    const [row] = summarize(await measurePush({ recorded: { servedCount: 3 } }));
    assert.deepEqual([row.cpuMsPerJob, row.cpuFault], [undefined, 'not measured: 3 other requests']);
    assert.equal(row.bytesFault, undefined);
    const [besideOne] = summarize(await measurePush({ recorded: { servedCount: 1 } }));
    assert.match(String(besideOne.cpuFault), /: 1 other request$/);
  });

  it('gives no bytes and no CPU time where the server did not report its traffic', async (t) => {
    const run = await measurePush({ isUnread: true });
    const [row] = summarize(run);
    assert.deepEqual([row.bytesPerJob, row.cpuMsPerJob, row.requestsPerJob], [undefined, undefined, undefined]);
    for (const fault of [row.bytesFault, row.cpuFault]) assert.match(String(fault), /did not report its traffic$/);
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('gives no bytes where the server recorded fewer requests than were sent', async (t) => {
    const run = await measurePush({ recorded: { requestCount: -1 } });
    const [row] = summarize(run);
    assert.equal(row.bytesPerJob, undefined);
    matchGolden(t, 'jobs', [...sentencesOf(run), String(row.bytesFault)]);
  });

  it('gives no CPU time where it is not above that of the idle server', () => {
    const idle = { elapsedMs: 1000, cpuMs: 502, readingCpuMs: 2, otherCount: 0 };
    const faultsOf = (/** @type {Measured['idle']} */ own) =>
      summarize({ ...measured, idle: own }).map(({ cpuFault }) => cpuFault);
    assert.deepEqual(faultsOf(idle), Array(3).fill('too small to tell'));
    assert.equal(faultsOf({ ...idle, otherCount: 2 })[0], 'not measured: 2 other requests');
  });

  it('gives no CPU time where the idle server could not be measured', (t) => {
    const run = { ...measured, idle: undefined };
    const [row] = summarize(run);
    assert.deepEqual([row.cpuMsPerJob, row.bytesFault], [undefined, undefined]);
    matchGolden(t, 'jobs', [...sentencesOf(run), String(row.cpuFault)]);
  });

  it('says in the tables why a cost is missing', async () => {
    const unread = await measureDocument({}, { isUnread: true });
    const cells = tabulateJobs(summarize(unread)).flatMap(cellsOf);
    assert.equal(
      cells.flat().filter((cell) => cell === 'not measured: the server did not report its traffic').length,
      6,
    );
    // The client counts its own requests, but not the messages of sockets.
    assert.doesNotMatch(sentencesOf(unread).join(' '), /fewer|times/);
  });
});

describe('publishedOf', () => {
  it('gives figures of 2018 for the delivery methods, intervals and jobs of that test only', () => {
    const of2018 = { ...PLAN, arrangement: 'sequential' };
    assert.deepEqual(publishedOf({ delivery: 'poll', intervalMs: 500 }, of2018), {
      bytesPerJob: 1024 * 1.62,
      cpuMsPerJob: 16.45,
    });
    for (const [trial, plan] of [
      [{ delivery: 'poll', intervalMs: 50 }, of2018],
      [{ delivery: 'push' }, of2018],
      [
        { delivery: 'poll', intervalMs: 500 },
        { ...of2018, maxMs: 1000 },
      ],
      [
        { delivery: 'poll', intervalMs: 500 },
        { ...of2018, minMs: 10 },
      ],
      [
        { delivery: 'poll', intervalMs: 500 },
        { ...PLAN, arrangement: 'all' },
      ],
      [{ delivery: 'poll', intervalMs: 500 }, PLAN],
    ]) {
      assert.equal(publishedOf(/** @type {any} */ (trial), /** @type {any} */ (plan)), undefined);
    }
  });
});
