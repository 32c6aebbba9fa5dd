import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describePlanner,
  formatCpuTime,
  formatWayPlan,
  parseNeeds,
  planWays,
  PLANNER_TITLES,
} from '../../../core/experiments/jobs-planner.js';
import { pollCountOf } from '../../../core/experiments/jobs-prediction.js';
import {
  describeClocks,
  describeJobs,
  describePublished,
  describeRun,
  formatJobsMarkdown,
  formatJobsRow,
  headlineOfJobs,
  sortedLags,
  summarizeJobs,
  TITLES,
} from '../../../core/experiments/jobs-report.js';
import { measureJobs, SCHEMA } from '../../../core/experiments/jobs.js';
import { publishedOf } from '../../../core/experiments/published-2018.js';
import { CPU_MS, createScriptedJobs, DOWN_BYTES, UP_BYTES } from '../../support/scripted-jobs.js';
import { createVirtualTime } from '../../support/virtual-time.js';

const RTT_MS = 10;
const PLAN = {
  ways: ['poll', 'socket-per-job', 'push'],
  intervals: [500],
  users: 10,
  jobs: 10,
  leastMs: 0,
  mostMs: 10_000,
  limitMs: 11_000,
  seed: 5,
};

/**
 * @param {Partial<typeof PLAN>} [plan]
 * @param {Parameters<typeof createScriptedJobs>[1]} [script]
 */
async function measure(plan, script) {
  const time = createVirtualTime();
  const whole = { ...PLAN, ...plan };
  const server = createScriptedJobs(time, { roundTripMs: RTT_MS, ...script });
  const run = await time.run(measureJobs({ plan: whole, ...server, now: time.now, timers: time.timers }));
  const environment = { url: 'http://127.0.0.1/polltest', userAgent: 'a|b', isCrossOriginIsolated: true };
  return { schema: SCHEMA, startedAt: '2026-11-21T10:00:00.000Z', plan: whole, environment, ...run };
}

const measured = await measure();

describe('summarizeJobs', () => {
  const [poll, perJob, push] = summarizeJobs(measured);

  it('has a row for each trial, in the order of tables', () => {
    assert.deepEqual(
      [poll, perJob, push].map(({ way, intervalMs, isBaseline }) => [way, intervalMs, isBaseline]),
      [
        ['poll', 500, false],
        ['socket-per-job', undefined, false],
        ['push', undefined, true],
      ],
    );
  });

  it('counts lag from done to known, beside the closed form', () => {
    assert.deepEqual([push.lag.p50Ms, push.lag.p95Ms, push.lag.maxMs], [RTT_MS / 2, RTT_MS / 2, RTT_MS / 2]);
    assert.deepEqual(push.lag.meanMs, { estimate: RTT_MS / 2, low: RTT_MS / 2, high: RTT_MS / 2 });
    assert.deepEqual(push.prediction, {});
    assert.deepEqual([push.periodMs, Math.round(Number(poll.periodMs))], [undefined, 500 + RTT_MS]);
    assert.equal(poll.pollsPerJob, poll.prediction.pollsPerJob);
    assert.ok(Math.abs(Number(poll.lag.meanMs?.estimate) - Number(poll.prediction.meanLagMs)) < 1e-6);
    assert.ok(Number(poll.lag.meanMs?.low) < 255 && Number(poll.lag.meanMs?.high) > 255);
    assert.ok(Number(poll.ratios?.lagMs?.low) > 150);
    assert.deepEqual([perJob.ratios?.lagMs, perJob.ratios?.aboveMs], [undefined, 0]);
  });

  it('has bytes, requests and CPU by job, and their ratios to the baseline', () => {
    // Ten sockets; for each of a hundred jobs a message up, and two down.
    const [up, down] = [(110 * UP_BYTES) / 100, (210 * DOWN_BYTES) / 100];
    assert.deepEqual(push.bytesPerJob, { up, down, both: up + down });
    assert.equal(push.requestsPerJob, 1.1);
    assert.equal(perJob.requestsPerJob, 1);
    const requests = 1 + Number(poll.pollsPerJob);
    assert.equal(poll.requestsPerJob, requests);
    assert.equal(poll.bytesPerJob?.up, requests * UP_BYTES);
    assert.ok(Math.abs(Number(poll.cpuMsPerJob) - requests * CPU_MS) < 1e-3);
    assert.ok(Math.abs(Number(poll.ratios?.cpu) / (requests / 1.1) - 1) < 0.01);
    assert.equal(poll.ratios?.requests, requests / 1.1);
    assert.equal(push.ratios, undefined);
  });

  it('has no lag where no round trip was measured', () => {
    const [row] = summarizeJobs({ ...measured, roundTripMs: [] });
    assert.deepEqual(row.lag, { p50Ms: undefined, p95Ms: undefined, maxMs: undefined, meanMs: undefined });
    assert.deepEqual(row.prediction.meanLagMs, undefined);
    assert.match(describeClocks({ ...measured, roundTripMs: [] })[0], /^No round trip could be measured/);
  });

  it('has no percentile of too few jobs', async () => {
    const few = await measure({ users: 1, jobs: 10 });
    const [row] = summarizeJobs(few);
    assert.equal(row.lag.p95Ms, undefined);
    assert.equal(typeof row.lag.p50Ms, 'number');
    assert.deepEqual(sortedLags(few.trials[0], few).length, 10);
  });

  it('counts late jobs apart from those that failed', async () => {
    const [row] = summarizeJobs(
      await measure(
        { ways: ['poll'], limitMs: 9000 },
        { request: (kind, number) => (kind === 'create' && number < 3 ? 'lost' : undefined) },
      ),
    );
    assert.equal(row.failureCount, 3);
    assert.ok(row.lateCount > 0);
    assert.equal(row.toldCount + row.lateCount + row.failureCount + row.openCount, row.jobCount);
    assert.equal(row.openCount, 0);
  });

  it('sets others against one SockJS connection where there is no WebSocket', async () => {
    const rows = summarizeJobs(await measure({ ways: ['poll', 'sockjs'] }));
    assert.deepEqual(
      rows.map(({ isBaseline }) => isBaseline),
      [false, true],
    );
  });

  it('sets nothing against anything where there is neither', async () => {
    const alone = await measure({ ways: ['poll', 'sse'] });
    assert.deepEqual(
      summarizeJobs(alone).map(({ ratios }) => ratios),
      [undefined, undefined],
    );
    assert.match(
      describeJobs(alone)[0],
      /^Polling every 500 ms: mean lag [\d.]+ ms \(\d+ to \d+\), 11 requests and messages a job, \d+ bytes a job, 0\.\d ms of server CPU a job; 100 jobs\.$/,
    );
  });
});

describe('what is not measured', () => {
  /** @param {Parameters<typeof createScriptedJobs>[1]} script */
  const firstRow = async (script) => summarizeJobs(await measure({ ways: ['push'] }, script))[0];

  it('is CPU, where the server served others', async () => {
    const row = await firstRow({ booked: { servedCount: 3 } });
    assert.deepEqual([row.cpuMsPerJob, row.cpuFault], [undefined, 'not measured: 3 other requests']);
    assert.equal(row.bytesFault, undefined);
    assert.match((await firstRow({ booked: { servedCount: 1 } })).cpuFault ?? '', /: 1 other request$/);
  });

  it('are bytes and CPU, where the server could not be asked', async () => {
    const row = await firstRow({ isUnread: true });
    assert.deepEqual([row.bytesPerJob, row.cpuMsPerJob, row.requestsPerJob], [undefined, undefined, undefined]);
    assert.deepEqual([row.bytesFault, row.cpuFault], Array(2).fill('not measured: the server could not be asked'));
  });

  it('are bytes, where fewer requests were booked than made', async () => {
    const row = await firstRow({ booked: { requestCount: -1 } });
    assert.equal(row.bytesFault, 'not measured: the server booked fewer requests than were made');
  });

  it('is CPU, where it is not above what the server takes by itself', () => {
    const idle = { elapsedMs: 1000, cpuMs: 502, readingCpuMs: 2, otherCount: 0 };
    const rows = summarizeJobs({ ...measured, idle });
    assert.deepEqual(
      rows.map(({ cpuFault }) => cpuFault),
      Array(3).fill('too small to tell'),
    );
    assert.equal(
      summarizeJobs({ ...measured, idle: { ...idle, otherCount: 2 } })[0].cpuFault,
      'not measured: 2 other requests',
    );
    assert.match(summarizeJobs({ ...measured, idle: undefined })[0].cpuFault ?? '', /idle server could not be asked$/);
  });

  it('is said once for all ways', async () => {
    const words = describeJobs(await measure({}, { isUnread: true })).join(' ');
    assert.match(
      words,
      / Bytes: not measured: the server could not be asked\. Server CPU: not measured: the server could not be asked\.$/,
    );
    // Where requests are the client's own to count, it has counted them; of messages it has not.
    assert.doesNotMatch(words, /fewer|times/);
  });
});

describe('the words of poll or push', () => {
  it('say how much sooner, and with how much less', () => {
    const words = describeJobs(measured).join(' ');
    assert.match(
      words,
      /^One WebSocket tells of a finished job \d+ ms \(\d+ to \d+\) sooner than polling every 500 ms \(mean lag 5\.0 ms against \d+\.\d ms; 100 jobs each\), with \d\.\d times fewer bytes and [\d.]+ times fewer requests and messages; server CPU about [\d.]+ times less\. /,
    );
    assert.match(
      words,
      /A WebSocket per job: mean lag 5\.0 ms against 5\.0 ms by one WebSocket \(one trial each, so a difference of this kind may be chance\); it takes 0\.9 times the bytes, 0\.9 times the requests and messages, 0\.9 times the server CPU\. A WebSocket per job takes about [\d.]+ times less server CPU than polling every 500 ms\.$/,
    );
    assert.match(
      headlineOfJobs(measured),
      /^Push: a finished job is known 2\d\d ms sooner than by polling every 500 ms, for about a sixth of the bytes\.$/,
    );
  });

  it('say where a socket per job costs more than polling, and why', () => {
    const dear = structuredClone(measured);
    const socket = dear.trials.find(({ way }) => way === 'socket-per-job');
    assert.ok(socket?.traffic);
    socket.traffic.cpuMs += 200;
    assert.match(
      describeJobs(dear).join(' '),
      /A WebSocket per job takes about \d\.\d times the server CPU of polling every 500 ms: each job opens a connection of its own, which costs the server more than the [\d.]+ polls that it saves\./,
    );
  });

  it('claim nothing where the lags cannot be told apart', () => {
    const alike = structuredClone(measured);
    for (const trial of alike.trials)
      trial.told.toldAtMs = trial.told.createdAtMs.map((ms, i) => ms + trial.told.durationMs[i] + (i % 7));
    assert.match(
      describeJobs(alike)[0],
      /^One WebSocket tells of a finished job as soon, as far as can be told, as polling every 500 ms \(/,
    );
    assert.equal(
      headlineOfJobs(alike),
      'Push: whether a finished job is known sooner than by polling every 500 ms cannot be told from this run.',
    );
  });

  it('say what was late, failed, and left open', async () => {
    const late = await measure({ ways: ['poll', 'push'], limitMs: 9000 });
    assert.match(
      describeJobs(late).join(' '),
      /One WebSocket: \d+ of 100 jobs were late, not told of within 9 s\. They are not in its lag\./,
    );
    const cut = structuredClone(measured);
    const [trial] = cut.trials;
    for (const list of Object.values(trial.told)) list.length = 40;
    assert.match(
      describeJobs(cut).join(' '),
      /: 60 of 100 jobs were open when the run ended\. They are not in its lag\./,
    );
    const nothing = await measure({ ways: ['push'] }, { refusesSocket: () => true });
    assert.equal(nothing.ending?.kind, 'invalid');
    assert.match(headlineOfJobs(nothing), /^Not to be relied on: No job was told of by any way; /);
    assert.deepEqual(describeJobs(nothing), [
      'One WebSocket: no job was told of.',
      'One WebSocket: 100 of 100 jobs failed: The connection was closed: 1006 (100). They are not in its lag.',
    ]);
  });

  it('say how lag is derived, how exact it is, and on what ratios rest', () => {
    const words = describeClocks(measured).join(' ');
    assert.match(words, /No clocks need to agree: .+ It may be off by half a round trip, .+, here 6\.0 ms, /);
    assert.match(words, /one trial of the same 100 jobs\. The interval of polling’s lag is over the jobs\./);
    assert.match(words, /between server and proxy where there is one, and without what TLS adds\./);
  });
});

describe('what stands around the figures', () => {
  it('names at their head what was run, by what, against what', () => {
    assert.equal(
      describeRun(measured),
      '10 users with 10 jobs each at once, of 0 to 10 s, late after 11 s; seed 5. Shortest of 2 round trips: 10.00 ms. By a browser, all users in one page; server: 127.0.0.1.',
    );
    const environment = { ...measured.environment, userAgent: 'Node.js v20.20.2' };
    const statusBefore = /** @type {any} */ ({ server: 'own server' });
    assert.match(
      describeRun({ ...measured, environment, statusBefore, roundTripMs: [] }),
      / No round trip could be measured\. By Node\.js v20\.20\.2; server: own server, 127\.0\.0\.1\.$/,
    );
  });

  it('says of polls that waited for one another how often they asked, and of whom that is true', () => {
    const waiting = structuredClone(measured);
    const poll = waiting.trials.find(({ way }) => way === 'poll');
    assert.ok(poll);
    poll.told.pollCount = poll.told.pollCount.map((count) => Math.ceil(count / 2));
    const wordsOf = (/** @type {string} */ userAgent) =>
      describeJobs({ ...waiting, environment: { ...measured.environment, userAgent } }).join(' ');
    assert.match(
      wordsOf('Mozilla/5.0'),
      / Polling every 500 ms: asked every \d+ ms on average, not every 500, as requests waited for one another\. Users with browsers of their own would ask more often, and know sooner\./,
    );
    assert.doesNotMatch(wordsOf('Node.js v20'), /browsers of their own/);
    poll.protocol = 'h2';
    assert.match(wordsOf('Mozilla/5.0'), /not every 500, as timers or answers came late\./);
    assert.doesNotMatch(describeJobs(measured).join(' '), /asked every/);
  });

  it('says where it is not known how late answers were read', () => {
    const several = structuredClone(measured);
    const push = several.trials.find(({ way }) => way === 'push');
    assert.ok(push);
    push.told.madeAtMs[7] += 5000;
    assert.match(
      describeClocks(several).join(' '),
      / One WebSocket: the server’s words of when it made the jobs fit no single clock, .+ a lag may be too short by as much\./,
    );
    const coarse = { ...measured, environment: { ...measured.environment, stepMs: 100 } };
    const words = describeClocks(coarse).join(' ');
    assert.match(words, /This client’s clock has steps of 100\.0 ms, too coarse .+, here 106\.0 ms, /);
    assert.equal(summarizeJobs(coarse)[0].lagDecimals, 0);
    assert.match(formatJobsRow(summarizeJobs(coarse)[0])[5], /^\d+ \(\d+ to \d+\)$/);
  });

  it('gives no verdict of a run that ended early, and says how many jobs were open', () => {
    const cut = {
      ...structuredClone(measured),
      ending: /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' }),
    };
    const last = cut.trials[cut.trials.length - 1];
    for (const list of Object.values(last.told)) list.length = 40;
    delete last.traffic;
    const words = describeJobs(cut).join(' ');
    assert.equal(headlineOfJobs(cut), 'Not to be relied on: Enough.');
    assert.doesNotMatch(words, /sooner|against/);
    assert.match(words, /: 60 of 100 jobs were open when the run ended\./);
    assert.match(
      words,
      /Bytes \(.+\): not measured: the run ended before\. Server CPU \(.+\): not measured: the run ended before\./,
    );
    assert.match(
      formatJobsMarkdown(cut),
      /60 of 100 jobs were open when the run ended\.[^]+\*\*Not to be relied on:\*\* Enough\./,
    );
    const cells = summarizeJobs(cut).map(formatJobsRow);
    const missing = cells.flat().filter((cell) => cell === 'not measured: the run ended before');
    assert.equal(missing.length, 2);
  });

  it('has a sentence for each way, however little was measured', async () => {
    const few = await measure({ ways: ['poll', 'push'], users: 1, jobs: 1 });
    assert.deepEqual(describeJobs(few).slice(0, 2), [
      'Polling every 500 ms: 1 of 1 jobs told of, too little to tell a lag.',
      'One WebSocket: 1 of 1 jobs told of, too little to tell a lag.',
    ]);
    assert.equal(headlineOfJobs(few), 'Too little was measured to tell how soon a finished job is known.');
    const late = await measure({ ways: ['poll', 'push'], intervals: [12_000] });
    assert.equal(describeJobs(late)[1], 'Polling every 12000 ms: no job was told of.');
    assert.match(headlineOfJobs(late), /^Push: a finished job is known 5\.0 ms after it is done, on average\.$/);
  });

  it('names why jobs failed, the most frequent first', async () => {
    const refused = await measure(
      { ways: ['poll'] },
      {
        request: (kind, number) =>
          kind !== 'create' || number > 4
            ? undefined
            : { status: 503, answer: { error: { message: `Busy ${number % 4}.` } } },
      },
    );
    assert.match(
      describeJobs(refused).join(' '),
      /5 of 100 jobs failed: Busy 0 \(2\), Busy 1 \(1\), Busy 2 \(1\), others \(1\)\. They are not in its lag\./,
    );
  });
});

describe('the table of poll or push', () => {
  it('has a cell for each title', () => {
    for (const row of summarizeJobs(measured)) assert.equal(formatJobsRow(row).length, TITLES.length);
  });

  it('is in Markdown, where no name is more than text', () => {
    const markdown = formatJobsMarkdown(measured);
    assert.match(markdown, /^\| One WebSocket \| websocket \| 5\.0 \| 5\.0 \| 5\.0 \| 5\.0 \| – \| baseline \|/m);
    assert.match(
      markdown,
      /^Plan: http:\/\/127.0.0.1\/polltest\?ways=poll,socket-per-job,push&intervals=500&.* a\\\|b\.$/m,
    );
    assert.match(markdown, /The figures of 2018 are of 20 users/);
  });

  it('has figures of 2018 beside the ways and intervals that it had, and no others', () => {
    assert.deepEqual(publishedOf({ way: 'poll', intervalMs: 500 }, PLAN), { kBPerJob: 1.62, cpuMsPerJob: 16.45 });
    assert.equal(publishedOf({ way: 'poll', intervalMs: 50 }, PLAN), undefined);
    assert.equal(publishedOf({ way: 'push' }, PLAN), undefined);
    assert.equal(publishedOf({ way: 'poll', intervalMs: 500 }, { leastMs: 0, mostMs: 1000 }), undefined);
    assert.equal(describePublished(measured).length, 3);
    assert.deepEqual(describePublished({ ...measured, trials: [] }), []);
  });
});

describe('planWays', () => {
  const needs = { users: 100, jobsPerDay: 20, intervalMs: 1000 };

  it('counts polling by the closed form at the interval that is asked for, the others as they were', () => {
    const [poll, perJob, push] = planWays(measured, needs);
    const durations = measured.trials[0].told.durationMs;
    const polls =
      durations.reduce((sum, durationMs) => sum + pollCountOf({ durationMs, periodMs: 1000 + RTT_MS }), 0) / 100;
    const near = (/** @type {number | undefined} */ got, /** @type {number} */ expected) =>
      assert.ok(Math.abs(Number(got) / expected - 1) < 1e-6, `${got} ${expected}`);
    near(poll.requestsPerDay, 2000 * (1 + polls));
    near(poll.bytesPerDay, 2000 * (1 + polls) * (UP_BYTES + DOWN_BYTES));
    near(
      poll.cpuHoursPerDay,
      ((Number(summarizeJobs(measured)[0].cpuMsPerJob) / Number(summarizeJobs(measured)[0].requestsPerJob)) *
        2000 *
        (1 + polls)) /
        3_600_000,
    );
    assert.ok(Number(poll.meanLagMs) > 400 && Number(poll.meanLagMs) < 620);
    assert.deepEqual([perJob.way, perJob.requestsPerDay], ['socket-per-job', 2000]);
    near(push.requestsPerDay, 2200);
    assert.equal(push.meanLagMs, RTT_MS / 2);
  });

  it('agrees with what was measured at the interval that was', () => {
    const [row] = summarizeJobs(measured);
    const [poll] = planWays(measured, { users: 1, jobsPerDay: 1, intervalMs: 500 });
    assert.ok(Math.abs(Number(poll.requestsPerDay) - Number(row.requestsPerJob)) < 1e-9);
    assert.ok(Math.abs(Number(poll.bytesPerDay) - Number(row.bytesPerJob?.both)) < 1e-6);
    assert.ok(Math.abs(Number(poll.meanLagMs) - Number(row.lag.meanMs?.estimate)) < 1e-6);
  });

  it('says nothing of polling where that was not measured, nor of a run that ended early', async () => {
    const rows = planWays(await measure({ ways: ['push'] }), needs);
    assert.deepEqual(
      rows.map(({ way }) => way),
      ['push'],
    );
    assert.deepEqual(planWays({ ...measured, ending: { kind: 'cancelled', reason: 'Enough.' } }, needs), []);
  });

  it('does not take over what kept polls from their interval', () => {
    const waiting = structuredClone(measured);
    const poll = waiting.trials.find(({ way }) => way === 'poll');
    assert.ok(poll);
    poll.told.pollCount = poll.told.pollCount.map((count) => Math.ceil(count / 2));
    assert.equal(planWays(waiting, needs)[0].meanLagMs, planWays(measured, needs)[0].meanLagMs);
  });

  it('has its units, and says on what it rests', () => {
    const cells = formatWayPlan({ way: 'push', requestsPerDay: 1234.4, bytesPerDay: 1.2345e12, cpuHoursPerDay: 0.01 });
    assert.deepEqual(cells, ['One WebSocket', '1,234', '1,234.5 GB', '36.0 s', '–']);
    assert.equal(cells.length, PLANNER_TITLES.length);
    assert.equal(formatWayPlan({ way: 'push', bytesPerDay: 512 })[2], '0.5 kB');
    assert.deepEqual([0, 0.1, 2345.67].map(formatCpuTime), ['below 0.1 s', '0.1 h', '2,345.7 h']);
    assert.match(describePlanner(measured), /asking only while a job is open; jobs of 0 to 10 s as in this run;/);
  });

  it('takes bytes from the nearest interval that was measured', async () => {
    const both = await measure({ ways: ['poll'], intervals: [500, 50] });
    const fast = both.trials.find(({ intervalMs }) => intervalMs === 50);
    assert.ok(fast?.traffic);
    fast.traffic.sentBytes *= 10;
    const bytesAt = (/** @type {number} */ intervalMs) => {
      const [{ bytesPerDay, requestsPerDay }] = planWays(both, { ...needs, intervalMs });
      return Number(bytesPerDay) / Number(requestsPerDay);
    };
    assert.ok(Math.abs(bytesAt(100) - (UP_BYTES + 10 * DOWN_BYTES)) < 1e-6);
    assert.ok(Math.abs(bytesAt(2000) - (UP_BYTES + DOWN_BYTES)) < 1e-6);
  });

  it('refuses needs that are none', () => {
    const parse = (/** @type {string} */ query) => parseNeeds(new URLSearchParams(query));
    assert.deepEqual(parse('users=5'), { users: 5, jobsPerDay: 10, intervalMs: 500 });
    assert.throws(
      () => parse('interval=5'),
      /^RangeError: interval: expected a whole number from 10 to 60000, got “5”$/,
    );
    assert.throws(() => parse('users=many'), /^RangeError: users: /);
  });
});
