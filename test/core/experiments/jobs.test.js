import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeJobsPlan, formatJobsPlan, parseJobsPlan } from '../../../core/experiments/jobs-plan.js';
import { clockFaultOf, lagsOf as lagsOfTold, lateReadsOf } from '../../../core/experiments/jobs-lag.js';
import { pollCountOf, pollLagOf } from '../../../core/experiments/jobs-prediction.js';
import { findJobsFault, measureJobs, measureRoundTrips } from '../../../core/experiments/jobs.js';
import { drawDurationMs } from '../../../core/job-duration.js';
import {
  CPU_MS,
  createScriptedJobs,
  DOWN_BYTES,
  IDLE_CPU_RATIO,
  READING_CPU_MS,
  UP_BYTES,
} from '../../support/scripted-jobs.js';
import { createScriptedTransport } from '../../support/scripted-transport.js';
import { createVirtualTime } from '../../support/virtual-time.js';

const RTT_MS = 10;
const ALL_WAYS = ['poll', 'long-poll', 'sse', 'socket-per-job', 'push', 'sockjs'];
const PLAN = {
  ways: ['push'],
  intervals: [50],
  users: 2,
  jobs: 5,
  leastMs: 100,
  mostMs: 1000,
  limitMs: 1100,
  seed: 7,
};

/** @typedef {import('../../../core/experiments/jobs-plan.js').JobsPlan} JobsPlan */

/**
 * @param {Partial<JobsPlan>} [plan]
 * @param {Parameters<typeof createScriptedJobs>[1]} [script]
 * @param {Partial<Parameters<typeof measureJobs>[0]>} [options]
 */
async function measure(plan, script, options) {
  const time = createVirtualTime();
  const server = createScriptedJobs(time, { roundTripMs: RTT_MS, ...script });
  const { now, timers } = time;
  const { state, ...means } = server;
  const run = await time.run(measureJobs({ plan: { ...PLAN, ...plan }, ...means, now, timers, ...options }));
  return { ...run, state, time };
}

/** @param {import('../../../core/experiments/jobs.js').JobsTrial} trial */
const lagsOf = ({ told }) => lagsOfTold(told, RTT_MS);

/** @param {readonly number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

describe('polling', () => {
  it('asks as often and learns as late as the closed form says, job by job', async () => {
    const { trials, roundTripMs } = await measure({
      ways: ['poll'],
      intervals: [200, 50],
      users: 5,
      jobs: 20,
      leastMs: 0,
    });
    assert.deepEqual([trials.length, Math.min(...roundTripMs)], [2, RTT_MS]);
    for (const trial of trials) {
      const periodMs = Number(trial.intervalMs) + RTT_MS;
      const { durationMs, pollCount } = trial.told;
      assert.deepEqual(
        pollCount,
        durationMs.map((ms) => pollCountOf({ durationMs: ms, periodMs })),
      );
      const expected = durationMs.map((ms) => pollLagOf({ durationMs: ms, periodMs, roundTripMs: RTT_MS }));
      assert.deepEqual(lagsOf(trial), expected);
      assert.equal(trial.requestCount, 100 + sum(pollCount));
    }
  });

  for (const seed of [1, 2, 3]) {
    it(`asks until a job is done, and knows it within a period after that: seed ${seed}`, () => {
      for (const [intervalMs, roundTripMs] of [
        [10, 0.5],
        [250, 3],
        [500, 160],
      ]) {
        const periodMs = intervalMs + roundTripMs;
        for (let i = 0; i < 1000; i++) {
          const durationMs = drawDurationMs({ seed: seed * 1000 + i, leastMs: 1, mostMs: 10_000 });
          const polls = pollCountOf({ durationMs, periodMs });
          const lagMs = pollLagOf({ durationMs, periodMs, roundTripMs });
          assert.ok(polls * periodMs >= durationMs && (polls - 1) * periodMs < durationMs);
          // At the edges by what a division of doubles loses.
          assert.ok(lagMs >= roundTripMs / 2 - 1e-9 && lagMs < periodMs + roundTripMs / 2 + 1e-9);
        }
      }
    });
  }

  it('asks once for a job that is done at once', () => {
    assert.equal(pollCountOf({ durationMs: 0, periodMs: 500 }), 1);
    assert.equal(pollLagOf({ durationMs: 0, periodMs: 500, roundTripMs: 2 }), 501);
  });
});

describe('the ways of being told', () => {
  for (const way of ['socket-per-job', 'push', 'sockjs', 'sse', 'long-poll']) {
    it(`${way}: tells of each job half a round trip after it is done`, async () => {
      const { trials, state } = await measure({ ways: [way], users: 4, jobs: 10 });
      const [trial] = trials;
      assert.equal(trial.told.job.length, 40);
      assert.deepEqual(trial.failures, []);
      assert.deepEqual(new Set(lagsOf(trial)), new Set([RTT_MS / 2]));
      assert.equal(trial.requestCount, trial.traffic?.requestCount);
      assert.equal(trial.traffic?.otherCount, 0);
      assert.deepEqual(trial.told.pollCount, Array(40).fill(way === 'long-poll' ? 1 : 0));
      assert.deepEqual([state.openCount, state.closedClientCount], [0, 4]);
    });
  }

  it('gives the jobs of every trial the same durations, and every trial a run of its own', async () => {
    const { trials, state } = await measure({ ways: ALL_WAYS });
    const runs = new Set(state.paths.flatMap((path) => /[?&]run=([\w-]{12})(?:&|$)/.exec(path)?.[1] ?? []));
    assert.deepEqual([trials.length, runs.size], [6, 6]);
    for (const { told } of trials) assert.deepEqual(told.durationMs, trials[0].told.durationMs);
    assert.equal(new Set(trials[0].told.durationMs).size > 5, true);
    assert.deepEqual(trials.map(({ way, protocol }) => `${way} ${protocol}`).sort(), [
      'long-poll http/1.1',
      'poll http/1.1',
      'push websocket',
      'socket-per-job websocket',
      'sockjs websocket',
      'sse http/1.1',
    ]);
    for (const [i, { startedAtMs }] of trials.slice(1).entries()) {
      assert.ok(startedAtMs >= trials[i].startedAtMs + trials[i].elapsedMs);
    }
  });

  it('opens a socket and a stream for each user, and a socket for each job where asked to', async () => {
    const opened = async (/** @type {string} */ way) => (await measure({ ways: [way] })).state.paths;
    const count = (/** @type {string[]} */ paths, /** @type {RegExp} */ start) =>
      paths.filter((path) => start.test(path)).length;
    assert.deepEqual(count(await opened('push'), /^\/ws\/jobs\?run=/), 2);
    assert.deepEqual(count(await opened('sockjs'), /^\/jobs\?run=/), 2);
    assert.deepEqual(count(await opened('socket-per-job'), /^\/ws\/job\?run=.{12}&seed=\d+&least=100&most=1000$/), 10);
    const streams = (await opened('sse')).filter((path) => path.startsWith('/job/events?ids='));
    assert.deepEqual(
      streams.map((path) => path.split(',').length),
      [5, 5],
    );
  });

  it('asks a long poll again where the server answers that it is not done yet', async () => {
    const plan = { ways: ['long-poll'], users: 1, jobs: 1, leastMs: 30_000, mostMs: 30_000, limitMs: 40_000 };
    const { trials } = await measure(plan);
    assert.deepEqual([trials[0].told.pollCount, lagsOf(trials[0])], [[2], [RTT_MS / 2]]);
  });

  it('names the protocol that SockJS got, and does not guess how many requests it made', async () => {
    const { trials } = await measure({ ways: ['sockjs'] }, { sockjs: 'xhr-streaming' });
    assert.deepEqual(
      [trials[0].protocol, trials[0].requestCount, trials[0].told.job.length],
      ['xhr-streaming', undefined, 10],
    );
  });

  it('keeps the state of its jobs for views while they go on', async () => {
    const time = createVirtualTime();
    const means = createScriptedJobs(time, { roundTripMs: RTT_MS });
    /** @type {import('../../../core/experiments/jobs.js').JobsProgress | undefined} */
    let progress;
    const done = time.run(
      measureJobs({
        plan: PLAN,
        ...means,
        now: time.now,
        timers: time.timers,
        onTrialStart: (__, own) => (progress = own),
      }),
    );
    const { trials } = await done;
    assert.equal(progress?.completedCount, 10);
    assert.deepEqual([...(progress?.durationMs ?? [])], trials[0].told.durationMs);
    assert.ok(progress?.toldAtMs.every((ms, job) => ms > Number(progress?.createdAtMs[job])));
    assert.deepEqual([...progress.failed], Array(10).fill(0));
  });
});

describe('lag', () => {
  // Three jobs asked for at 0, over a way of 5 ms: made at 5, 6 and 8, done 100 ms after that, and told of at once. The
  // answers of the last two are read late, at 30.
  const times = {
    sentAtMs: [0, 0, 0],
    createdAtMs: [10, 30, 30],
    durationMs: [100, 100, 100],
    toldAtMs: [110, 111, 113],
    madeAtMs: [0, 1, 3],
  };

  it('does not depend on when creation answers are read', () => {
    assert.deepEqual(lateReadsOf(times, 10), [0, 19, 17]);
    assert.deepEqual(lagsOfTold(times, 10), [5, 5, 5]);
  });

  it('is half a round trip where a job is told of sooner than any was heard to be made', () => {
    const createdAtMs = [25, 30, 30];
    // What a clock may run off in 100 ms is not believed.
    const runOffMs = 0.05;
    const rounded = (/** @type {number[]} */ list) => list.map((ms) => Number(ms.toFixed(6)));
    assert.deepEqual(
      rounded(lateReadsOf({ ...times, createdAtMs }, 10)),
      [15, 19, 17].map((ms) => ms - runOffMs),
    );
    assert.deepEqual(rounded(lagsOfTold({ ...times, createdAtMs }, 10)), Array(3).fill(5 - runOffMs));
  });

  it('does not depend on how the clocks stand to each other', () => {
    for (const off of [-5000, 1e6]) {
      const sentAtMs = times.sentAtMs.map((ms) => ms + off);
      const createdAtMs = times.createdAtMs.map((ms) => ms + off);
      const toldAtMs = times.toldAtMs.map((ms) => ms + off);
      assert.deepEqual(lagsOfTold({ ...times, sentAtMs, createdAtMs, toldAtMs }, 10), [5, 5, 5]);
    }
  });

  it('corrects nothing where the jobs were made by several clocks', () => {
    for (const off of [7_000_000, 60, -60]) {
      const twoClocks = { ...times, madeAtMs: [0, 1 + off, 3] };
      assert.equal(clockFaultOf(twoClocks, 10), 'several');
      assert.deepEqual(lateReadsOf(twoClocks, 10), [0, 0, 0]);
    }
    assert.equal(clockFaultOf(times, 10), undefined);
  });

  it('corrects nothing by a clock that is coarser than what is to be told', () => {
    assert.deepEqual(
      [6, 6.1].map((stepMs) => clockFaultOf(times, 10, stepMs)),
      [undefined, 'coarse'],
    );
    assert.deepEqual(lateReadsOf(times, 10, 100), [0, 0, 0]);
  });

  it('is not moved by a server’s clock that is being set right', () => {
    // It runs 500 ppm slower than ours, so a job of 10 s takes 5 ms longer, or faster, and 5 ms less.
    for (const slew of [1.0005, 0.9995]) {
      const durationMs = [100, 10_000, 10_000];
      const toldAtMs = durationMs.map((ms, i) => [5, 6, 8][i] + ms * slew + 5);
      const lags = lagsOfTold({ ...times, durationMs, toldAtMs }, 10);
      for (const [i, ms] of lags.entries()) assert.ok(Math.abs(ms - 5 - durationMs[i] * (slew - 1)) < 0.06, `${ms}`);
    }
  });
});

describe('jobs that fail', () => {
  it('are late where they are not told of within the limit after they were made', async () => {
    const { trials, ending } = await measure({ ways: ['push'], leastMs: 0, mostMs: 1000, limitMs: 500, users: 4 });
    const [{ told, failures }] = trials;
    assert.ok(told.durationMs.every((ms) => ms <= 500 - RTT_MS));
    assert.ok(failures.length > 0);
    assert.deepEqual(
      new Set(failures.map(({ outcome, message }) => `${outcome}: ${message}`)),
      new Set(['timeout: Not told of within 500 ms.']),
    );
    const jobs = [...told.job, ...failures.map(({ job }) => job)].sort((a, b) => a - b);
    assert.deepEqual(jobs, [...jobs.keys()]);
    assert.equal(ending, undefined);
  });

  it('are late one by one: what is given up by one poll ends no other', async () => {
    const request = (/** @type {string} */ kind, /** @type {number} */ number) =>
      kind === 'poll' && number === 3 ? 'silence' : undefined;
    const { trials } = await measure({ ways: ['poll'] }, { request: /** @type {any} */ (request) });
    assert.deepEqual(
      trials[0].failures.map(({ outcome }) => outcome),
      ['timeout'],
    );
    assert.equal(trials[0].told.job.length, 9);
  });

  it('are late where not even the creation was answered', async () => {
    const { trials } = await measure(
      { ways: ['poll'] },
      { request: (kind, number) => (kind === 'create' && number < 2 ? 'silence' : undefined) },
    );
    assert.deepEqual(
      trials[0].failures.map(({ message }) => message),
      Array(2).fill('Not made within 1100 ms.'),
    );
  });

  /** @type {[string, string, Parameters<typeof createScriptedJobs>[1], number, RegExp][]} way, what, script, how many, what is said */
  const faults = [
    ['poll', 'a poll that is lost', { request: (kind, number) => (kind === 'poll' && number === 0 ? 'lost' : undefined) }, 1, /^closed: scripted loss$/],
    ['poll', 'a poll that is refused', { request: (kind, number) => (kind === 'poll' && number === 0 ? { status: 404, answer: { error: { message: 'No such job.' } } } : undefined) }, 1, /^rejected: No such job\.$/],
    ['long-poll', 'an answer without JSON', { request: (kind, number) => (kind === 'wait' && number === 0 ? { status: 200 } : undefined) }, 1, /^mismatch: The answer is not JSON\.$/],
    ['poll', 'a creation that names no job', { request: (kind, number) => (kind === 'create' && number === 0 ? { status: 201, answer: {} } : undefined) }, 1, /^mismatch: Expected the id of a job, got none\.$/],
    ['sse', 'a creation that is refused', { request: (kind, number) => (kind === 'create' && number === 0 ? { status: 503 } : undefined) }, 1, /^rejected: The server answered 503\.$/],
    ['sse', 'streams that break off', { message: (number) => (number === 0 ? 'close' : undefined) }, 10, /^closed: The stream of events broke off\.$/],
    ['sse', 'words that are none', { message: (number) => (number === 0 ? 'x' : undefined) }, 10, /^mismatch: The answer is not JSON\.$/],
    ['socket-per-job', 'sockets that are refused', { refusesSocket: (path) => path === '/ws/job' }, 10, /^closed: The connection was closed: 1006\.$/],
    ['socket-per-job', 'sockets that tell no more', { message: () => 'close' }, 10, /^closed: /],
    ['push', 'sockets that are refused', { refusesSocket: () => true }, 10, /^closed: The connection was closed: 1006\.$/],
    ['push', 'an error in the place of an answer', { message: (number) => (number === 1 ? '{"error":{"message":"Busy."}}' : undefined) }, 2, /^rejected: Busy\.$/],
    ['push', 'an answer without JSON', { message: (number) => (number === 1 ? 'x' : undefined) }, 2, /^mismatch: Expected the id of a job, got none\.$/],
    ['sockjs', 'connections that are lost', { message: (number) => (number === 5 ? 'close' : undefined) }, 10, /^closed: The connection was closed: 1006\.$/],
  ]; // prettier-ignore
  for (const [way, what, script, failureCount, expected] of faults) {
    it(`${way}: ${what}`, async () => {
      const { trials, state } = await measure({ ways: [way] }, script);
      const [{ told, failures }] = trials;
      assert.deepEqual([failures.length, told.job.length], [failureCount, 10 - failureCount]);
      for (const { outcome, message } of failures) assert.match(`${outcome}: ${message}`, expected);
      assert.deepEqual([state.openCount, state.closedClientCount], [0, 2]);
    });
  }

  for (const way of ALL_WAYS) {
    it(`${way}: a job of another duration than the drawn one is none that was asked for`, async () => {
      const { trials } = await measure(
        { ways: [way], users: 1, jobs: 1 },
        { answer: (answer) => ({ ...answer, durationMs: answer.durationMs + 1 }) },
      );
      const [{ outcome, message }] = trials[0].failures;
      assert.match(`${outcome}: ${message}`, /^mismatch: Expected a job of (\d+) ms, got \d+ ms\.$/);
    });
  }

  it('make a run invalid where a connection that had worked is lost, and end it', async () => {
    for (const [way, script] of /** @type {[string, Parameters<typeof createScriptedJobs>[1]][]} */ ([
      ['poll', { request: (kind, number) => (kind === 'poll' && number > 20 ? 'lost' : undefined) }],
      ['push', { message: (number) => (number === 7 ? 'close' : undefined) }],
    ])) {
      const plan = { ways: [way, 'socket-per-job'], seed: way === 'poll' ? 1 : 0 };
      const { trials, ending } = await measure(plan, script);
      const last = trials[trials.length - 1];
      assert.equal(ending?.kind, 'invalid');
      assert.match(String(ending?.reason), /^The connection to the server was lost in trial \d of 2, by /);
      assert.ok(last.failures.some(({ createdAtMs }) => Number(createdAtMs) > 0));
    }
  });

  it('make a run invalid where the server is gone when a trial begins', async () => {
    const plan = { ...PLAN, ways: ['poll', 'push'] };
    const { trials } = await measure(plan);
    const [first, { traffic, ...last }] = trials;
    const told = Object.fromEntries(Object.keys(last.told).map((name) => [name, []]));
    const failures = last.told.job.map((job) => ({ job, outcome: 'closed', message: 'Refused.' }));
    const gone = /** @type {any} */ ({ ...last, told, failures });
    assert.ok(traffic);
    assert.match(
      String(findJobsFault(plan, [first, { ...gone, trafficFault: 'unread' }])?.reason),
      /^The connection to the server was lost in trial 2 of 2, by .+: Refused\.$/,
    );
    // Where the server can be asked, that way never worked.
    assert.equal(findJobsFault(plan, [first, { ...gone, traffic }]), undefined);
  });

  it('leave a run valid where they were refused before they were made', async () => {
    const refused = { refusesSocket: (/** @type {string} */ path) => path === '/ws/job' };
    const { trials, ending } = await measure({ ways: ['poll', 'socket-per-job'] }, refused);
    assert.deepEqual([trials.length, ending], [2, undefined]);
    assert.ok(trials.every(({ failures }) => failures.every(({ createdAtMs }) => createdAtMs === undefined)));
  });

  it('make a run invalid where no way told of any', async () => {
    const { trials, ending } = await measure(
      { ways: ['poll', 'push'] },
      { request: () => 'lost', refusesSocket: () => true },
    );
    assert.deepEqual([trials.length, ending?.kind], [2, 'invalid']);
    assert.match(String(ending?.reason), /^No job was told of by any way; the last one: .*(scripted loss|closed)/);
  });
});

describe('a cancelled run', () => {
  for (const way of ALL_WAYS) {
    it(`${way}: ends at once, and keeps what was measured`, async () => {
      const time = createVirtualTime();
      const controller = new AbortController();
      const reason = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
      const { state, ...means } = createScriptedJobs(time, { roundTripMs: RTT_MS });
      const plan = { ...PLAN, ways: [way], leastMs: 100, mostMs: 5000, users: 4, limitMs: 6000 };
      let cancelledAtMs = NaN;
      const onTrialStart = () => {
        time.timers.setTimeout(() => {
          cancelledAtMs = time.now();
          controller.abort(reason);
        }, 1500);
      };
      const options = { plan, ...means, now: time.now, timers: time.timers, signal: controller.signal, onTrialStart };
      const run = await time.run(measureJobs(options).finally(() => assert.equal(time.now(), cancelledAtMs)));
      assert.deepEqual(run.ending, reason);
      const [{ told, failures, traffic, trafficFault }] = run.trials;
      assert.ok(told.job.length > 0 && told.job.length < 20);
      assert.deepEqual([failures, traffic, trafficFault], [[], undefined, undefined]);
      if (way !== 'poll') assert.ok(told.durationMs.every((ms) => ms <= 1500));
      await time.run(time.sleepUntil(time.now() + 3 * RTT_MS));
      assert.equal(state.openCount, 0);
    });
  }

  it('begins no trial where it is cancelled while the server is idle', async () => {
    const controller = new AbortController();
    const time = createVirtualTime();
    const means = createScriptedJobs(time);
    time.timers.setTimeout(() => controller.abort({ kind: 'cancelled', reason: 'Enough.' }), 200);
    const run = await time.run(
      measureJobs({ plan: PLAN, ...means, now: time.now, timers: time.timers, signal: controller.signal }),
    );
    assert.deepEqual([run.trials, run.ending?.kind], [[], 'cancelled']);
  });
});

describe('what the server booked', () => {
  it('is the difference over a trial, all workers together', async () => {
    const { trials, idle } = await measure({ ways: ['push'] });
    // Two sockets, a message for each of ten jobs; an answer to each of both kinds, and a word of each job.
    const { elapsedMs, cpuMs, readingCount, ...booked } = trials[0].traffic ?? {};
    assert.deepEqual(booked, {
      requestCount: 2,
      messageCount: 10,
      receivedBytes: 12 * UP_BYTES,
      sentBytes: 22 * DOWN_BYTES,
      otherCount: 0,
    });
    assert.ok(Number(elapsedMs) >= trials[0].elapsedMs);
    const expectedCpuMs = 12 * CPU_MS + READING_CPU_MS + Number(elapsedMs) * IDLE_CPU_RATIO;
    assert.equal(readingCount, 1);
    assert.ok(Math.abs(Number(cpuMs) - expectedCpuMs) < 1e-9);
    // The longest job takes 1 s: at least half a second of it.
    assert.ok(Number(idle?.elapsedMs) >= 500 && Number(idle?.elapsedMs) < 600);
    assert.equal(idle?.otherCount, 0);
    const idleCpuMs = Number(idle?.elapsedMs) * IDLE_CPU_RATIO;
    assert.ok(Math.abs(Number(idle?.cpuMs) - READING_CPU_MS - idleCpuMs) < 1e-9);
    assert.ok(Math.abs(Number(idle?.readingCpuMs) - READING_CPU_MS - RTT_MS * IDLE_CPU_RATIO) < 1e-9);
  });

  it('tells of others', async () => {
    const { trials } = await measure({}, { booked: { servedCount: 3 } });
    assert.equal(trials[0].traffic?.otherCount, 3);
  });

  for (const [fault, script] of /** @type {const} */ ([
    ['unread', { isUnread: true }],
    ['open', { booked: { openCount: 1 } }],
  ])) {
    it(`is missing, and why: ${fault}`, async () => {
      const { trials } = await measure({}, script);
      assert.deepEqual([trials[0].traffic, trials[0].trafficFault], [undefined, fault]);
    });
  }

  it('is missing where workers came and went, or did not answer', async () => {
    const time = createVirtualTime();
    const means = createScriptedJobs(time);
    let reads = 0;
    for (const [fault, change] of /** @type {const} */ ([
      [
        'restarted',
        (/** @type {any} */ reading) => ({
          ...reading,
          workers: [{ ...reading.workers[0], startedAt: String(reads++) }],
        }),
      ],
      ['silent', (/** @type {any} */ reading) => ({ ...reading, silentWorkerCount: 1 })],
    ])) {
      const readTraffic = async (/** @type {string} */ run) => change(await means.readTraffic(run));
      const { trials, idle } = await time.run(
        measureJobs({ plan: PLAN, ...means, readTraffic, now: time.now, timers: time.timers }),
      );
      assert.deepEqual([trials[0].traffic, trials[0].trafficFault, idle], [undefined, fault, undefined]);
    }
  });
});

describe('measureRoundTrips', () => {
  it('gives the round trips of a warm connection, and none where it fails', async () => {
    const warm = createScriptedTransport({ script: [], roundTripMs: 5 });
    assert.deepEqual(await measureRoundTrips(warm), Array(10).fill(5));
    const broken = createScriptedTransport({ script: Array(20).fill('closed') });
    assert.deepEqual(await measureRoundTrips(broken), []);
  });
});

describe('the plan of poll or push', () => {
  const parse = (/** @type {string} */ query) => parseJobsPlan(new URLSearchParams(query), { seed: 9 });
  const usual = {
    ways: ['poll', 'socket-per-job', 'push', 'sockjs'],
    intervals: [500, 250],
    users: 20,
    jobs: 10,
    leastMs: 0,
    mostMs: 10_000,
    limitMs: 11_000,
    seed: 9,
  };

  it('is in a link, and what the link leaves out is as in 2018', () => {
    const plan = parse('ways=push,poll&intervals=25,50&users=3&jobs=4&least=5&most=200&limit=400&seed=7');
    assert.deepEqual(plan, {
      ways: ['poll', 'push'],
      intervals: [50, 25],
      users: 3,
      jobs: 4,
      leastMs: 5,
      mostMs: 200,
      limitMs: 400,
      seed: 7,
    });
    assert.deepEqual(plan && parse(formatJobsPlan(plan)), plan);
    assert.deepEqual(parse('users=20'), usual);
    assert.deepEqual(parse('ways=push'), { ...usual, ways: ['push'] });
    assert.equal(parse('autostart=1&transports=ajax'), undefined);
  });

  for (const [query, message] of [
    ['users=0', /^users: expected a whole number from 1 to 1000, got “0”$/],
    ['jobs=101', /^jobs: expected a whole number from 1 to 100, got “101”$/],
    ['limit=99', /^limit: expected a whole number from 100 to 700000, got “99”$/],
    ['least=20&most=10', /^least: expected at most the longest duration, 10 ms, got 20$/],
    ['most=600001', /^most: expected a whole number from 0 to 600000, got “600001”$/],
    [
      'intervals=9',
      /^intervals: expected 1 to 5 whole numbers of ms from 10 to 60000, each once, separated by commas, got “9”$/,
    ],
    ['intervals=50,50', /^intervals: .+, got “50,50”$/],
    ['intervals=', /^intervals: .+, got nothing$/],
    ['intervals=1.5e2', /^intervals: /],
    ['intervals=10,20,30,40,50,60', /^intervals: expected 1 to 5/],
    ['interval=250', /^interval: expected intervals, got interval “250”$/],
    ['ways=poll,poll', /^ways: expected at least one of poll, long-poll, .+, each once, .+, got “poll,poll”$/],
    ['ways=pigeons', /^ways: .+, got “pigeons”$/],
    ['ways=constructor', /^ways: /],
    ['users=1000&jobs=11', /^users times jobs: expected at most 10000 at once, got 11000$/],
  ]) {
    it(`refuses ${query}`, () => {
      assert.throws(() => parse(String(query)), { name: 'RangeError', message });
    });
  }

  it('is said in words, below a second in ms, with what cannot come in time', () => {
    const describe = (/** @type {string} */ query) => describeJobsPlan(/** @type {JobsPlan} */ (parse(query)));
    assert.equal(
      describe('ways=poll,push&intervals=500&users=1&least=0&most=0&limit=300'),
      '1 user with 10 jobs each at once, of 0 ms, by polling every 500 ms, one WebSocket, one after the other in random order. A job that is not told of within 300 ms is late. Polling every 500 ms asks for the first time after that: all its jobs will be late. It takes about 1 s.',
    );
    assert.match(describe('least=250'), /, of 0\.25 to 10 s, .+ within 11 s is late\. It takes about 50 s\.$/);
    assert.match(describe('most=400'), /, of 0 to 400 ms, /);
  });

  it('never asks for more than a document may hold', () => {
    assert.doesNotThrow(() =>
      parse('users=1000&jobs=10&ways=poll,long-poll,sse,socket-per-job,push,sockjs&intervals=10,20,30,40,50'),
    );
  });
});
