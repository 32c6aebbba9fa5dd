import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockFaultOf, pollCountOf } from '../../../../core/experiments/jobs/lag.js';
import {
  describeCapacity,
  formatCpuTime,
  parseNeeds,
  CAPACITY_COLUMNS,
  estimateCapacity,
} from '../../../../core/experiments/jobs/capacity.js';
import {
  describeClocks as describeClocksOf,
  describeRun,
  tabulateJobs,
} from '../../../../core/experiments/jobs/report.js';
import { summarize, PUBLISHED_NOTES, publishedOf } from '../../../../core/experiments/jobs/summary.js';
import { formatText, reportOf } from '../../../../core/experiment/report.js';
import { cellsOf, headOf, headsOf, toMarkdown } from '../../../../core/experiment/table.js';
import { runExperiment } from '../../../../core/experiment/run.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { complaintOf } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import { CPU_MS, createScriptedJobs, DOWN_BYTES, UP_BYTES } from '../../../support/scripted-jobs.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/** @import { Measured } from '../../../../core/experiments/jobs/summary.js' */

const matchGolden = useGolden(import.meta.url);

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
 * @param {Partial<typeof PLAN & { blocks: number }>} [plan]
 * @param {Parameters<typeof createScriptedJobs>[1]} [script]
 */
async function measure(plan, script) {
  const time = createVirtualTime();
  const whole = { ...PLAN, ...plan };
  const server = createScriptedJobs(time, { roundTripMs: RTT_MS, ...script });
  const run = await time.run(runExperiment(jobs, { plan: whole, ...server, now: time.now, timers: time.timers }));
  const environment = { url: 'http://127.0.0.1/polltest', userAgent: 'a|b', isCrossOriginIsolated: true };
  return { schema: jobs.schema, startedAt: '2026-11-21T10:00:00.000Z', plan: whole, environment, ...run };
}

const measured = await measure();

/** @param {Measured} run @param {string} delivery */
function rowOf(run, delivery) {
  const row = summarize(run).find((one) => one.delivery === delivery);
  assert.ok(row);
  return row;
}

/** @param {any} run */
const answerOf = (run) => String(reportOf(jobs, run).answer);

/** All that is said of a run, but for how its figures were made. @param {any} run @returns {string[]} */
function sentencesOf(run) {
  const { answer = '', sentences, notes = [] } = reportOf(jobs, run);
  const method = [...describeClocks(run), ...PUBLISHED_NOTES];
  return [answer, ...sentences, ...notes.slice(1).filter((note) => !method.includes(note))].filter(Boolean);
}

/** @param {Measured} run */
const describeClocks = (run) => describeClocksOf(run, summarize(run));

describe('summarizeJobs', () => {
  const [poll, perJob, push] = summarize(measured);

  it('has a row for each trial, in the order of tables', () => {
    assert.deepEqual(
      [poll, perJob, push].map(({ delivery, intervalMs, isBaseline }) => [delivery, intervalMs, isBaseline]),
      [
        ['poll', 500, false],
        ['socket-per-job', undefined, false],
        ['push', undefined, true],
      ],
    );
  });

  it('counts lag from done to known, beside the closed form', () => {
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

  it('has bytes, requests and CPU per job, and no factor of one trial', () => {
    // Ten sockets; for each of a hundred jobs a message up, and two down.
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

  it('has no lag where no round trip was measured', (t) => {
    const unknown = { ...measured, roundTripMs: [] };
    const [row] = summarize(unknown);
    assert.deepEqual(new Set(Object.values(row.lag)), new Set([undefined]));
    assert.deepEqual(row.prediction.meanLagMs, undefined);
    const [note] = describeClocks(unknown);
    assert.match(note, /^No round trip/);
    matchGolden(t, 'jobs', [...sentencesOf(unknown), note]);
  });

  it('has no percentile of too few jobs', async () => {
    const few = await measure({ users: 1, jobs: 10 });
    const [row] = summarize(few);
    assert.equal(row.lag.p95Ms, undefined);
    assert.equal(typeof row.lag.p50Ms, 'number');
  });

  it('counts late jobs apart from those that failed', async () => {
    const [row] = summarize(
      await measure(
        { ways: ['poll'], limitMs: 9000 },
        { request: (kind, number) => (kind === 'create' && number < 3 ? 'lost' : undefined) },
      ),
    );
    assert.equal(row.failureCount, 3);
    assert.ok(row.lateCount > 0);
    assert.equal(row.notifiedCount + row.lateCount + row.failureCount + row.openCount, row.jobCount);
    assert.equal(row.openCount, 0);
  });

  it('sets others against one SockJS connection where there is no WebSocket', async () => {
    const rows = summarize(await measure({ ways: ['poll', 'sockjs'] }));
    assert.deepEqual(
      rows.map(({ isBaseline }) => isBaseline),
      [false, true],
    );
  });

  it('sets nothing against anything where there is neither', async (t) => {
    const alone = await measure({ ways: ['poll', 'sse'] });
    const [polling, events] = summarize(alone);
    assert.deepEqual([polling.comparison, events.comparison], [undefined, undefined]);
    assert.equal(Math.round(Number(polling.requestsPerJob)), 11);
    assert.ok(Number(polling.cpuMsPerJob) > 0 && Number(polling.cpuMsPerJob) < 1);
    assert.doesNotMatch(sentencesOf(alone).join(' '), /sooner|against|times/);
    matchGolden(t, 'jobs', sentencesOf(alone));
  });
});

describe('what is not measured', () => {
  /** @param {Parameters<typeof createScriptedJobs>[1]} script */
  const measurePush = (script) => measure({ ways: ['push'] }, script);

  it('is CPU, where the server served others', async () => {
    const [row] = summarize(await measurePush({ booked: { servedCount: 3 } }));
    assert.deepEqual([row.cpuMsPerJob, row.cpuFault], [undefined, 'not measured: 3 other requests']);
    assert.equal(row.bytesFault, undefined);
    const [besideOne] = summarize(await measurePush({ booked: { servedCount: 1 } }));
    assert.match(String(besideOne.cpuFault), /: 1 other request$/);
  });

  it('are bytes and CPU, where the server could not be asked', async (t) => {
    const run = await measurePush({ isUnread: true });
    const [row] = summarize(run);
    assert.deepEqual([row.bytesPerJob, row.cpuMsPerJob, row.requestsPerJob], [undefined, undefined, undefined]);
    for (const fault of [row.bytesFault, row.cpuFault]) assert.match(String(fault), /did not report its traffic$/);
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('are bytes, where fewer requests were recorded than sent', async (t) => {
    const run = await measurePush({ booked: { requestCount: -1 } });
    const [row] = summarize(run);
    assert.equal(row.bytesPerJob, undefined);
    assert.match(String(row.bytesFault), /fewer requests/);
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('is CPU, where it is not above what the server takes by itself', () => {
    const idle = { elapsedMs: 1000, cpuMs: 502, readingCpuMs: 2, otherCount: 0 };
    const faultsOf = (/** @type {Measured['idle']} */ own) =>
      summarize({ ...measured, idle: own }).map(({ cpuFault }) => cpuFault);
    assert.deepEqual(faultsOf(idle), Array(3).fill('too small to tell'));
    assert.equal(faultsOf({ ...idle, otherCount: 2 })[0], 'not measured: 2 other requests');
  });

  it('is CPU, where the idle server could not be asked', (t) => {
    const run = { ...measured, idle: undefined };
    const [row] = summarize(run);
    assert.deepEqual([row.cpuMsPerJob, row.bytesFault], [undefined, undefined]);
    assert.match(String(row.cpuFault), /idle server/);
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('is said in the tables, with the reason', async () => {
    const unread = await measure({}, { isUnread: true });
    const cells = tabulateJobs(summarize(unread)).flatMap(cellsOf);
    assert.equal(
      cells.flat().filter((cell) => cell === 'not measured: the server did not report its traffic').length,
      6,
    );
    // Where requests are the client's own to count, it has counted them; of messages it has not.
    assert.doesNotMatch(sentencesOf(unread).join(' '), /fewer|times/);
  });
});

describe('the words of poll or push', () => {
  it('say how much sooner, and nothing of costs after one trial each', (t) => {
    const { estimate = 0, low, high } = rowOf(measured, 'poll').comparison?.differenceInterval ?? {};
    const ms = Math.round(estimate);
    assert.ok(ms >= 200 && ms < 300, `${ms} ms`);
    const answer = answerOf(measured);
    assert.match(
      answer,
      new RegExp(
        `^One WebSocket .* ${ms} ms sooner .*95% CI ${Math.round(Number(low))}–${Math.round(Number(high))} ms`,
      ),
    );
    assert.doesNotMatch(sentencesOf(measured).join(' '), /fewer|times/);
    matchGolden(t, 'jobs', sentencesOf(measured));
  });

  it('have one of four verdicts from six blocks on', async (t) => {
    const blocks = await measure({ blocks: 6, users: 4, jobs: 5 });
    const { latency, bytes, requests, differenceInterval } = rowOf(blocks, 'poll').comparison ?? {};
    for (const factor of [latency, bytes, requests]) assert.equal(factor?.word, 'faster');
    assert.ok(Number(differenceInterval?.low) > 150 && Number(differenceInterval?.high) < 350);
    const percent = Math.round(100 * (1 - 1 / Number(bytes?.ratio?.estimate)));
    assert.ok(answerOf(blocks).endsWith(`, with ${percent}% fewer bytes per job.`), answerOf(blocks));
    assert.match(sentencesOf(blocks)[1], /^Latency: .* Jobs of 0–10 s\.$/);
    assert.match(sentencesOf(blocks)[2], /% fewer requests and messages per job \(95% CI \d+–\d+%\)\.$/);
    assert.equal(rowOf(blocks, 'socket-per-job').comparison?.latency?.word, 'same');
    const { jobCount, notifiedCount, lag } = rowOf(blocks, 'push');
    assert.deepEqual([jobCount, notifiedCount, lag.meanMs], [120, 120, RTT_MS / 2]);
    const [{ rows, columns }] = tabulateJobs(summarize(blocks));
    assert.match(cellsOf({ rows, columns })[0][2], /^\d+\.\d \(\d+–\d+\)$/);
    assert.deepEqual(
      cellsOf({ rows, columns }).map((cells) => cells[3]),
      ['slower', 'same within 10%', '–'],
    );

    const few = await measure({ blocks: 5, users: 4, jobs: 5 });
    assert.equal(rowOf(few, 'poll').comparison?.latency?.word, undefined);
    assert.ok(rowOf(few, 'poll').comparison?.latency?.ratio);
    matchGolden(t, 'jobs', [...sentencesOf(blocks), ...describeClocks(blocks), ...sentencesOf(few)]);
  });

  it('claim nothing where the latencies cannot be told apart', (t) => {
    const alike = structuredClone(measured);
    for (const trial of alike.trials)
      trial.told.toldAtMs = trial.told.createdAtMs.map((ms, i) => ms + trial.told.durationMs[i] + (i % 7));
    const interval = rowOf(alike, 'poll').comparison?.differenceInterval;
    assert.ok(interval && interval.low <= 0 && interval.high >= 0);
    assert.match(answerOf(alike), / no verdict, .* 6 blocks .* 1\./);
    assert.doesNotMatch(sentencesOf(alike).join(' '), /sooner|later/);
    matchGolden(t, 'jobs', sentencesOf(alike));
  });

  it('draw a dot for each delivery method, with the interval that it has', async () => {
    const { dots = [], x } = reportOf(jobs, await measure({ blocks: 2 })).charts[0];
    assert.deepEqual(
      dots.map(({ colour, interval }) => [colour, Boolean(interval)]),
      [
        ['delivery-poll', true],
        ['delivery-socket-per-job', true],
        ['delivery-push', true],
      ],
    );
    assert.match(x.title, /^kB/);
    const unread = reportOf(jobs, await measure({ ways: ['poll', 'sse'] }, { isUnread: true })).charts[0];
    assert.match(unread.x.title, /^Requests/);
    assert.equal(unread.dots?.length, 2);
  });

  it('say how many jobs were late', async (t) => {
    const run = await measure({ ways: ['poll', 'push'], limitMs: 9000 });
    const { lateCount } = rowOf(run, 'push');
    assert.ok(lateCount > 0);
    assert.match(
      sentencesOf(run).join('\n'),
      new RegExp(`^One WebSocket per user: ${lateCount} of 100 .* 9 s\\)\\.`, 'm'),
    );
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('say how many jobs were open when the run ended', (t) => {
    const cut = structuredClone(measured);
    const [trial] = cut.trials;
    for (const list of Object.values(trial.told)) list.length = 40;
    assert.equal(rowOf(cut, trial.way).openCount, 60);
    assert.match(sentencesOf(cut).join(' '), /: 60 of 100 jobs were open /);
    matchGolden(t, 'jobs', sentencesOf(cut));
  });

  it('say why there was no notification', async (t) => {
    const run = await measure({ ways: ['push'] }, { refusesSocket: () => true });
    const { notifiedCount, failureCount, failureReasons } = rowOf(run, 'push');
    assert.deepEqual([run.ending?.kind, notifiedCount, failureCount], ['invalid', 0, 100]);
    assert.equal(failureReasons.length, 1);
    assert.deepEqual([reportOf(jobs, run).answer, reportOf(jobs, run).sentences], [undefined, []]);
    assert.match(sentencesOf(run)[0], /^One WebSocket per user: 100 of 100 .* 1006 \(100\)\./);
    matchGolden(t, 'jobs', sentencesOf(run));
  });

  it('say how latency is derived, how exact it is, and on what ratios rest', (t) => {
    const words = describeClocks(measured);
    assert.match(words[0], / up to 6\.0 ms /);
    assert.match(words[1], / 100 jobs\./);
    matchGolden(t, 'jobs', words);
  });
});

describe('what stands around the figures', () => {
  it('names what was run, with which client, against which server', (t) => {
    const environment = { ...measured.environment, userAgent: 'Node.js v20.20.2' };
    const statusBefore = /** @type {any} */ ({ server: 'own server', pollCostMs: 5 });
    const byBrowser = describeRun(measured);
    const byNode = describeRun({ ...measured, environment, statusBefore, roundTripMs: [] });
    for (const fact of ['10 users', '10 jobs', '0–10 s', '11 s', 'seed 5.', ' 10.00 ms', 'a browser', ' 127.0.0.1.']) {
      assert.ok(byBrowser.includes(fact), fact);
    }
    for (const fact of ['No round trip', 'Node.js v20.20.2', 'own server, 127.0.0.1.']) {
      assert.ok(byNode.includes(fact), fact);
    }
    matchGolden(t, 'jobs', [byBrowser, byNode]);
  });

  it('says of polls that waited for each other what their period was', (t) => {
    const waiting = structuredClone(measured);
    const poll = waiting.trials.find(({ way }) => way === 'poll');
    assert.ok(poll);
    poll.told.pollCount = poll.told.pollCount.map((count) => Math.ceil(count / 2));
    const sentenceOf = (/** @type {Measured} */ run) =>
      sentencesOf(run).find((sentence) => sentence.includes('polled every')) ?? '';
    const periodMs = Math.round(Number(rowOf(waiting, 'poll').periodMs));
    assert.ok(periodMs > 600, `${periodMs} ms`);
    assert.ok(sentenceOf(waiting).includes(` ${periodMs} ms `), sentenceOf(waiting));
    assert.equal(sentenceOf(measured), '');
    matchGolden(t, 'jobs', sentenceOf(waiting));
  });

  it('says of jobs that several clocks made that it is not known how late answers were read', (t) => {
    const several = structuredClone(measured);
    const push = several.trials.find(({ way }) => way === 'push');
    assert.ok(push);
    push.told.madeAtMs[7] += 5000;
    for (const { way, told } of several.trials) {
      assert.equal(clockFaultOf(told, RTT_MS), way === 'push' ? 'several' : undefined, way);
    }
    const [lag, note] = describeClocks(several);
    assert.ok(note.startsWith('One WebSocket per user: '), note);
    assert.match(note, /not fit one clock/);
    matchGolden(t, 'jobs', [lag, note]);
  });

  it('says of a coarse clock that it is not known how late answers were read', (t) => {
    const coarse = { ...measured, environment: { ...measured.environment, stepMs: 100 } };
    assert.equal(clockFaultOf(coarse.trials[0].told, RTT_MS, 100), 'coarse');
    const [error, note] = describeClocks(coarse);
    assert.match(error, / 106\.0 ms /);
    assert.match(note, / 100\.0 ms, /);
    assert.equal(summarize(coarse)[0].lagDecimals, 0);
    assert.match(cellsOf(tabulateJobs(summarize(coarse))[0])[0][1], /^\d+ \(\d+–\d+\)$/);
    matchGolden(t, 'jobs', note);
  });

  it('gives no verdict of a run that ended early, and says how many jobs were open', (t) => {
    const cut = {
      ...structuredClone(measured),
      ending: /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' }),
    };
    const last = cut.trials[cut.trials.length - 1];
    for (const list of Object.values(last.told)) list.length = 40;
    delete last.traffic;
    const words = sentencesOf(cut).join(' ');
    const markdown = jobs.formatMarkdown(cut);
    assert.equal(reportOf(jobs, cut).answer, undefined);
    assert.doesNotMatch(words, /sooner|against/);
    assert.match(words, /: 60 of 100 jobs were open /);
    assert.equal(rowOf(cut, last.way).openCount, 60);
    assert.match(markdown, /\*\*Invalid:\*\* Enough\.\n[^]+60 of 100 jobs /);
    const cells = tabulateJobs(summarize(cut)).flatMap(cellsOf).flat();
    const missing = cells.filter((cell) => cell.startsWith('not measured'));
    assert.equal(missing.length, 3);
    matchGolden(t, 'jobs', [formatText(jobs, cut), markdown]);
  });

  it('has an answer, however little was measured', async (t) => {
    const few = await measure({ ways: ['poll', 'push'], users: 1, jobs: 1 });
    for (const { notifiedCount, lag } of summarize(few)) {
      assert.deepEqual([notifiedCount, lag.interval], [1, undefined]);
    }
    assert.match(answerOf(few), /^One WebSocket .* 5\.0 ms /);

    const late = await measure({ ways: ['poll', 'push'], intervals: [12_000] });
    assert.equal(rowOf(late, 'poll').notifiedCount, 0);
    assert.match(answerOf(late), /^One WebSocket .* 5\.0 ms /);
    matchGolden(t, 'jobs', [...sentencesOf(few), ...sentencesOf(late)]);
  });

  it('names why jobs failed, the most frequent first', async (t) => {
    const refused = await measure(
      { ways: ['poll'] },
      {
        request: (kind, number) =>
          kind !== 'create' || number > 4
            ? undefined
            : { status: 503, answer: { error: { message: `Busy ${number % 4}.` } } },
      },
    );
    assert.deepEqual(rowOf(refused, 'poll').failureReasons, [
      ['Busy 0.', 2],
      ['Busy 1.', 1],
      ['Busy 2.', 1],
      ['Busy 3.', 1],
    ]);
    assert.match(sentencesOf(refused).join(' '), /: Busy 0 \(2\), Busy 1 \(1\), Busy 2 \(1\), others \(1\)\./);
    matchGolden(t, 'jobs', sentencesOf(refused));
  });
});

describe('the table of poll or push', () => {
  it('is in columns at a terminal, among all that is said of a run', (t) => {
    const text = formatText(jobs, measured);
    for (const column of tabulateJobs(summarize(measured)).flatMap(({ columns }) => columns))
      assert.ok(
        [`\n${headOf(column)} `, `  ${headOf(column)}`].some((head) => text.includes(head)),
        column.title,
      );
    assert.match(text, /\nNotified( +100){3}\n/);
    matchGolden(t, 'jobs', text);
  });

  it('is in Markdown, where no name is more than text', (t) => {
    const markdown = jobs.formatMarkdown(measured);
    assert.match(markdown, /^\| One WebSocket per user \| 5\.0 \| baseline \| – \| 1\.10 \| 0\.53 \|/m);
    assert.match(markdown, /^\| One WebSocket per user \| websocket \| 5\.0 \| 5\.0 \| 5\.0 \| – \|/m);
    assert.match(
      markdown,
      /^Plan: http:\/\/127.0.0.1\/polltest\?ways=poll,socket-per-job,push&intervals=500&.* a\\\|b\.$/m,
    );
    assert.ok(!markdown.includes('2018'));
    matchGolden(t, 'jobs', markdown);
  });

  it('has figures of 2018 beside the delivery methods, intervals and jobs that it had, and no others', () => {
    const of2018 = { ...PLAN, arrangement: 'sequential' };
    assert.deepEqual(publishedOf({ way: 'poll', intervalMs: 500 }, of2018), { kibPerJob: 1.62, cpuMsPerJob: 16.45 });
    for (const [trial, plan] of [
      [{ way: 'poll', intervalMs: 50 }, of2018],
      [{ way: 'push' }, of2018],
      [
        { way: 'poll', intervalMs: 500 },
        { ...of2018, mostMs: 1000 },
      ],
      [
        { way: 'poll', intervalMs: 500 },
        { ...of2018, leastMs: 10 },
      ],
      [
        { way: 'poll', intervalMs: 500 },
        { ...PLAN, arrangement: 'all' },
      ],
      [{ way: 'poll', intervalMs: 500 }, PLAN],
    ]) {
      assert.equal(publishedOf(/** @type {any} */ (trial), /** @type {any} */ (plan)), undefined);
    }
  });

  it('shows those figures in columns of their own, and says what they are', (t) => {
    const as2018 = { ...measured, plan: { ...PLAN, arrangement: 'sequential' } };
    const partsOf = (/** @type {any} */ run) => {
      const { notes = [], tables } = reportOf(jobs, run);
      const heads = tables.flatMap(headsOf).filter((head) => head.includes('2018'));
      return [PUBLISHED_NOTES.filter((note) => notes.includes(note)).length, heads.length];
    };
    assert.deepEqual([as2018, measured, { ...as2018, trials: [] }].map(partsOf), [
      [3, 2],
      [0, 0],
      [0, 0],
    ]);
    matchGolden(t, 'jobs', [...PUBLISHED_NOTES, ...toMarkdown(tabulateJobs(summarize(as2018))[2])]);
  });
});

describe('estimateCapacity', () => {
  const needs = { users: 100, jobsPerDay: 20, intervalMs: 1000 };

  it('counts polling by the closed form at the interval that is asked for, the others as they were', () => {
    const [poll, perJob, push] = estimateCapacity(measured, needs);
    const durations = measured.trials[0].told.durationMs;
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

  it('agrees with what was measured at the interval that was, over all blocks', async () => {
    for (const run of [measured, await measure({ blocks: 3 })]) {
      const [row] = summarize(run);
      const [poll] = estimateCapacity(run, { users: 1, jobsPerDay: 1, intervalMs: 500 });
      assert.ok(Math.abs(Number(poll.requestsPerDay) - Number(row.requestsPerJob)) < 1e-9);
      assert.ok(Math.abs(Number(poll.bytesPerDay) - Number(row.bytesPerJob?.both)) < 1e-6);
      assert.ok(Math.abs(Number(poll.meanLagMs) - Number(row.lag.meanMs)) < 1e-6);
    }
  });

  it('says nothing of polling where that was not measured, nor of a run that ended early', async () => {
    const rows = estimateCapacity(await measure({ ways: ['push'] }), needs);
    assert.deepEqual(
      rows.map(({ delivery }) => delivery),
      ['push'],
    );
    assert.deepEqual(estimateCapacity({ ...measured, ending: { kind: 'cancelled', reason: 'Enough.' } }, needs), []);
  });

  it('does not take over what kept polls from their interval', () => {
    const waiting = structuredClone(measured);
    const poll = waiting.trials.find(({ way }) => way === 'poll');
    assert.ok(poll);
    poll.told.pollCount = poll.told.pollCount.map((count) => Math.ceil(count / 2));
    assert.equal(estimateCapacity(waiting, needs)[0].meanLagMs, estimateCapacity(measured, needs)[0].meanLagMs);
  });

  it('has its units, and says on what it rests', (t) => {
    const rows = [
      { delivery: 'push', requestsPerDay: 1234.4, bytesPerDay: 1.2345e12, cpuHoursPerDay: 0.01 },
      { delivery: 'push', bytesPerDay: 512 },
    ];
    assert.deepEqual(cellsOf({ columns: CAPACITY_COLUMNS, rows }), [
      ['One WebSocket per user', '1,234', '1,234.5 GB', '36.0 s', '–'],
      ['One WebSocket per user', '–', '0.5 kB', '–', '–'],
    ]);
    assert.deepEqual([0, 0.1, 2345.67].map(formatCpuTime), ['below 0.1 s', '0.1 h', '2,345.7 h']);
    assert.match(describeCapacity(measured), / 0–10 s, /);
    const { plan } = measured;
    matchGolden(t, 'jobs', [describeCapacity({ plan }), describeCapacity({ plan: { ...plan, ways: ['push'] } })]);
  });

  it('takes bytes from the nearest interval that was measured', async () => {
    const both = await measure({ ways: ['poll'], intervals: [500, 50] });
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

  it('refuses needs that are none', () => {
    const parse = (/** @type {string} */ query) => parseNeeds(new URLSearchParams(query));
    assert.deepEqual(parse('users=5'), { users: 5, jobsPerDay: 10, intervalMs: 500 });
    for (const [field, got] of Object.entries({ interval: '5', users: 'many' })) {
      assert.throws(() => parse(`${field}=${got}`), complaintOf(field, got));
    }
  });
});
