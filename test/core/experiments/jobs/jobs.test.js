import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidInputError } from '../../../../core/base/foreign-text.js';
import { describeJobsPlan } from '../../../../core/experiments/jobs/plan.js';
import {
  clockFaultOf,
  lagsOf as lagsOfTold,
  lateReadsOf,
  pollCountOf,
  pollLagOf,
} from '../../../../core/experiments/jobs/lag.js';
import { runExperiment } from '../../../../core/experiment/run.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { measureRoundTrips } from '../../../../core/experiments/jobs/measure.js';
import { ExchangeError } from '../../../../core/net/exchange-error.js';
import { findFault } from '../../../../core/experiment/faults.js';
import { drawDurationMs } from '../../../../core/net/delivery/job.js';
import { assertComplaint } from '../../../support/complaint.js';
import { useGolden } from '../../../support/golden.js';
import {
  CPU_MS,
  createScriptedJobs,
  DOWN_BYTES,
  IDLE_CPU_RATIO,
  READING_CPU_MS,
  UP_BYTES,
} from '../../../support/scripted-jobs.js';
import { createScriptedTransport } from '../../../support/scripted-transport.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { JobsProgress } from '../../../../core/experiments/jobs/measure.js'
 * @import { JobsTrial } from '../../../../core/experiments/jobs/schema.js'
 * @import { Options } from '../../../../core/experiments/jobs/measure.js'
 * @import { JobsPlan } from '../../../../core/experiments/jobs/plan.js'
 */

const matchGolden = useGolden(import.meta.url);

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

/**
 * @param {Partial<JobsPlan>} [plan]
 * @param {Parameters<typeof createScriptedJobs>[1]} [script]
 * @param {Partial<Options> & { onTrialStart?: (planned: any, progress: any) => void }} [options]
 */
async function measure(plan, script, options) {
  const time = createVirtualTime();
  const server = createScriptedJobs(time, { roundTripMs: RTT_MS, ...script });
  const { now, timers } = time;
  const { state, ...means } = server;
  const run = await time.run(runExperiment(jobs, { plan: { ...PLAN, ...plan }, ...means, now, timers, ...options }));
  return { ...run, state, time };
}

/** @param {JobsTrial} trial */
const lagsOf = ({ told }) => lagsOfTold(told, RTT_MS);

/** @param {JobsTrial} trial */
const messagesOf = ({ failures }) => [...new Set(failures.map(({ message }) => message))];

/** @param {readonly number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

describe('polling', () => {
  it('polls as often and is notified as late as the closed form says, job by job', async () => {
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
          // At the edges within the rounding of a division.
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

describe('the delivery methods', () => {
  for (const way of ['socket-per-job', 'push', 'sockjs', 'sse', 'long-poll']) {
    it(`${way}: notifies of each job half a round trip after it is done`, async () => {
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
    /** @type {JobsProgress | undefined} */
    let progress;
    const done = time.run(
      runExperiment(jobs, {
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
    assert.ok(progress?.notifiedAtMs.every((ms, job) => ms > Number(progress?.createdAtMs[job])));
    assert.deepEqual([...progress.failed], Array(10).fill(0));
  });
});

describe('lag', () => {
  // Three jobs requested at 0, over a path of 5 ms: created at 5, 6 and 8, done 100 ms later, and notified at once. The
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

  it('is half a round trip where a notification comes sooner than any creation answer', () => {
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

  it('corrects nothing by a clock that is too coarse', () => {
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
  it('are late without a notification within the limit', async (t) => {
    const { trials, ending } = await measure({ ways: ['push'], leastMs: 0, mostMs: 1000, limitMs: 500, users: 4 });
    const [{ told, failures }] = trials;
    assert.ok(told.durationMs.every((ms) => ms <= 500 - RTT_MS));
    assert.deepEqual(new Set(failures.map(({ outcome }) => outcome)), new Set(['timeout']));
    matchGolden(t, 'jobs', messagesOf(trials[0]));
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

  it('are late where not even the creation was answered', async (t) => {
    const { trials } = await measure(
      { ways: ['poll'] },
      { request: (kind, number) => (kind === 'create' && number < 2 ? 'silence' : undefined) },
    );
    assert.deepEqual(
      trials[0].failures.map(({ outcome, createdAtMs }) => [outcome, createdAtMs]),
      Array(2).fill(['timeout', undefined]),
    );
    matchGolden(t, 'jobs', messagesOf(trials[0]));
  });

  /** @type {[string, string, Parameters<typeof createScriptedJobs>[1], number, string, RegExp][]} way, what, script, how many, outcome, what is said */
  const faults = [
    ['poll', 'a poll that is lost', { request: (kind, number) => (kind === 'poll' && number === 0 ? 'lost' : undefined) }, 1, 'closed', /scripted loss/],
    ['poll', 'a poll that is refused', { request: (kind, number) => (kind === 'poll' && number === 0 ? { status: 404, answer: { error: { message: 'No such job.' } } } : undefined) }, 1, 'rejected', /No such job/],
    ['long-poll', 'an answer without JSON', { request: (kind, number) => (kind === 'wait' && number === 0 ? { status: 200 } : undefined) }, 1, 'mismatch', /JSON/],
    ['poll', 'a creation without an id', { request: (kind, number) => (kind === 'create' && number === 0 ? { status: 201, answer: {} } : undefined) }, 1, 'mismatch', /got none/],
    ['sse', 'a creation that is refused', { request: (kind, number) => (kind === 'create' && number === 0 ? { status: 503 } : undefined) }, 1, 'rejected', /503/],
    ['sse', 'streams that break off', { message: (number) => (number === 0 ? 'close' : undefined) }, 10, 'closed', /stream of events/],
    ['sse', 'words that are none', { message: (number) => (number === 0 ? 'x' : undefined) }, 10, 'mismatch', /JSON/],
    ['socket-per-job', 'sockets that are refused', { refusesSocket: (path) => path === '/ws/job' }, 10, 'closed', /1006/],
    ['socket-per-job', 'sockets that break off', { message: () => 'close' }, 10, 'closed', /1006/],
    ['push', 'sockets that are refused', { refusesSocket: () => true }, 10, 'closed', /1006/],
    ['push', 'an error in the place of an answer', { message: (number) => (number === 1 ? '{"error":{"message":"Busy."}}' : undefined) }, 2, 'rejected', /Busy/],
    ['push', 'an answer without JSON', { message: (number) => (number === 1 ? 'x' : undefined) }, 2, 'mismatch', /got none/],
    ['sockjs', 'connections that are lost', { message: (number) => (number === 5 ? 'close' : undefined) }, 10, 'closed', /1006/],
  ]; // prettier-ignore
  for (const [way, what, script, failureCount, outcome, said] of faults) {
    it(`${way}: ${what}`, async () => {
      const { trials, state } = await measure({ ways: [way] }, script);
      const [{ told, failures }] = trials;
      assert.deepEqual([failures.length, told.job.length], [failureCount, 10 - failureCount]);
      for (const failure of failures) {
        assert.equal(failure.outcome, outcome);
        assert.match(failure.message, said);
      }
      assert.deepEqual([state.openCount, state.closedClientCount], [0, 2]);
    });
  }

  /** @type {Parameters<typeof createScriptedJobs>[1]} */
  const otherDuration = { answer: (answer) => ({ ...answer, durationMs: answer.durationMs + 1 }) };
  for (const way of ALL_WAYS) {
    it(`${way}: a job of another duration than the drawn one is not the requested one`, async () => {
      const { trials } = await measure({ ways: [way], users: 1, jobs: 1 }, otherDuration);
      const [{ outcome, message }] = trials[0].failures;
      const [expectedMs, gotMs] = [...message.matchAll(/(\d+) ms/g)].map(([, ms]) => Number(ms));
      assert.deepEqual([outcome, gotMs], ['mismatch', expectedMs + 1]);
      assert.match(message, /^Expected a job /);
    });
  }

  it('say why', async (t) => {
    /** @type {string[]} */
    const said = [];
    for (const [way, what, script] of faults) {
      const { trials } = await measure({ ways: [way] }, script);
      said.push(`${way}, ${what}: ${messagesOf(trials[0]).join(' ')}`);
    }
    const { trials } = await measure({ ways: ['poll'], users: 1, jobs: 1 }, otherDuration);
    said.push(`poll, another duration: ${messagesOf(trials[0]).join(' ')}`);
    matchGolden(t, 'jobs', said);
  });

  it('make a run invalid where a connection that had worked is lost, and end it', async (t) => {
    /** @type {string[]} */
    const reasons = [];
    for (const [way, script] of /** @type {[string, Parameters<typeof createScriptedJobs>[1]][]} */ ([
      ['poll', { request: (kind, number) => (kind === 'poll' && number > 20 ? 'lost' : undefined) }],
      ['push', { message: (number) => (number === 7 ? 'close' : undefined) }],
    ])) {
      const plan = { ways: [way, 'socket-per-job'], seed: way === 'poll' ? 1 : 0 };
      const { trials, ending } = await measure(plan, script);
      const last = trials[trials.length - 1];
      assert.equal(ending?.kind, 'invalid');
      assert.match(String(ending?.reason), new RegExp(` lost in trial ${trials.length} of 2 `));
      assert.ok(last.failures.some(({ createdAtMs }) => Number(createdAtMs) > 0));
      reasons.push(String(ending?.reason));
    }
    matchGolden(t, 'jobs', reasons);
  });

  it('make a run invalid where the server is gone when a trial begins', async (t) => {
    const plan = { ...PLAN, ways: ['poll', 'push'] };
    const { trials } = await measure(plan);
    const [first, { traffic, ...last }] = trials;
    const told = Object.fromEntries(Object.keys(last.told).map((name) => [name, []]));
    const failures = last.told.job.map((job) => ({ job, outcome: 'closed', message: 'Refused.' }));
    const gone = /** @type {any} */ ({ ...last, told, failures });
    assert.ok(traffic);
    const fault = findFault(jobs, { plan, trials: [first, { ...gone, trafficFault: 'unread' }] });
    assert.equal(fault?.kind, 'invalid');
    assert.match(String(fault?.reason), / in trial 2 of 2 /);
    matchGolden(t, 'jobs', String(fault?.reason));
    // Where the server can be asked, that way never worked.
    assert.equal(findFault(jobs, { plan, trials: [first, { ...gone, traffic }] }), undefined);
  });

  it('end the run at once where the server no longer answers, while it warms up and in a trial', async () => {
    const loss = new ExchangeError('closed', 'Nobody is there.');
    const reach = async () => {
      throw loss;
    };
    const lostPolls = (/** @type {number} */ from) => ({
      request: (/** @type {string} */ kind, /** @type {number} */ number) =>
        kind === 'poll' && number >= from ? /** @type {const} */ ('lost') : undefined,
    });
    await assert.rejects(measure({ ways: ['poll'] }, lostPolls(0), { reach, warmUpRounds: 1 }), loss);
    const { trials, ending, time } = await measure({ ways: ['poll', 'push'], seed: 1 }, lostPolls(5), { reach });
    const last = trials[trials.length - 1];
    assert.deepEqual([last.way, ending?.kind], ['poll', 'invalid']);
    assert.ok(last.failures.length > 1 && last.told.job.length === 0);
    // Two polls of some 50 ms after it began.
    assert.ok(last.elapsedMs < 3 * (50 + RTT_MS), `${last.elapsedMs} ms`);
    assert.ok(time.now() > 0);

    const answering = await measure({ ways: ['poll'] }, lostPolls(5), { reach: async () => {} });
    assert.ok(answering.trials[0].elapsedMs > last.elapsedMs);
  });

  it('leave a run valid where they were refused before they were made', async () => {
    const refused = { refusesSocket: (/** @type {string} */ path) => path === '/ws/job' };
    const { trials, ending } = await measure({ ways: ['poll', 'socket-per-job'] }, refused);
    assert.deepEqual([trials.length, ending], [2, undefined]);
    assert.ok(trials.every(({ failures }) => failures.every(({ createdAtMs }) => createdAtMs === undefined)));
  });

  it('make a run invalid where no delivery method notified of any', async (t) => {
    const { trials, ending } = await measure(
      { ways: ['poll', 'push'] },
      { request: () => 'lost', refusesSocket: () => true },
    );
    assert.deepEqual([trials.length, ending?.kind], [2, 'invalid']);
    const reason = String(ending?.reason);
    const last = trials[1].failures.at(-1);
    assert.match(reason, /^No client was notified /);
    assert.ok(reason.endsWith(`: ${last?.message}`), reason);
    matchGolden(t, 'jobs', reason);
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
      const run = await time.run(runExperiment(jobs, options).finally(() => assert.equal(time.now(), cancelledAtMs)));
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
      runExperiment(jobs, { plan: PLAN, ...means, now: time.now, timers: time.timers, signal: controller.signal }),
    );
    assert.deepEqual([run.trials, run.ending?.kind], [[], 'cancelled']);
  });
});

describe('what the server recorded', () => {
  it('is the difference over a trial, all workers together', async () => {
    const { trials, idle } = await measure({ ways: ['push'] });
    // Two sockets, a message for each of ten jobs; an answer to each of both kinds, and a notification for each job.
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
        runExperiment(jobs, { plan: PLAN, ...means, readTraffic, now: time.now, timers: time.timers }),
      );
      assert.deepEqual([trials[0].traffic, trials[0].trafficFault, idle], [undefined, fault, undefined]);
    }
  });
});

describe('users whose jobs come one after the other', () => {
  const plan = { arrangement: 'sequential', users: 3, jobs: 5, intervals: [100] };

  for (const way of ALL_WAYS) {
    it(`${way}: create a job when the one before has ended, and know of it as soon as of jobs at once`, async () => {
      const { trials, state } = await measure({ ...plan, ways: [way] });
      const { told, elapsedMs } = trials[0];
      assert.deepEqual([told.job.length, state.openCount, state.closedClientCount], [15, 0, 3]);
      for (const [i, sentAtMs] of told.sentAtMs.entries()) {
        assert.equal(sentAtMs, i % plan.jobs === 0 ? 0 : told.toldAtMs[i - 1]);
      }
      assert.equal(elapsedMs, Math.max(...told.toldAtMs));
      const atOnce = await measure({ ...plan, ways: [way], arrangement: 'all' });
      assert.deepEqual(told.pollCount, atOnce.trials[0].told.pollCount);
      const lags = [trials[0], atOnce.trials[0]].map((trial) => lagsOf(trial).map((ms) => ms.toFixed(3)));
      assert.deepEqual(lags[0], lags[1]);
    });
  }

  it('takes as long as its plan says: of each user the sum, of the users the most', async () => {
    const whole = { ...PLAN, ...plan, ways: ['poll', 'push'] };
    const { trials } = await measure(whole, { roundTripMs: 0 });
    const elapsedMs = sum(trials.map((trial) => trial.elapsedMs));
    const seconds = Math.ceil((2500 + elapsedMs + 2 * 150) / 1000);
    assert.ok(describeJobsPlan(whole).endsWith(` about ${seconds} s.`), describeJobsPlan(whole));
  });

  it('go on after a late job, and stop where they are when cancelled', async () => {
    const late = await measure({ ...plan, leastMs: 0, limitMs: 500 });
    const { told, failures } = late.trials[0];
    assert.ok(failures.length > 0 && told.job.length > 0);
    assert.equal(told.job.length + failures.length, 15);
    const cancel = new AbortController();
    const message = (/** @type {number} */ number) => {
      if (number === 3) cancel.abort({ kind: 'cancelled', reason: 'Cancelled.' });
      return undefined;
    };
    const { trials, ending } = await measure(plan, { message }, { signal: cancel.signal });
    assert.equal(ending?.kind, 'cancelled');
    const { job } = trials[0].told;
    assert.ok(job.length >= 1 && job.length <= 6, String(job));
    assert.deepEqual(trials[0].failures, []);
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
  const parse = (/** @type {string} */ query) => jobs.parsePlan(new URLSearchParams(query), { seed: 9 });
  const usual = {
    ways: ['poll', 'socket-per-job', 'push', 'sockjs'],
    intervals: [500, 250],
    users: 20,
    jobs: 10,
    arrangement: 'all',
    leastMs: 0,
    mostMs: 10_000,
    limitMs: 11_000,
    blocks: 1,
    seed: 9,
  };

  it('is in a link, and what the link leaves out is as in 2018', () => {
    const plan = parse(
      'ways=push,poll&intervals=25,50&users=3&jobs=4&arrangement=sequential&least=5&most=200&limit=400&seed=7',
    );
    assert.deepEqual(plan, {
      ways: ['poll', 'push'],
      intervals: [50, 25],
      users: 3,
      jobs: 4,
      arrangement: 'sequential',
      leastMs: 5,
      mostMs: 200,
      limitMs: 400,
      blocks: 1,
      seed: 7,
    });
    assert.deepEqual(plan && parse(jobs.formatPlan(plan)), plan);
    assert.deepEqual(parse('users=20'), usual);
    assert.deepEqual(parse('ways=push'), { ...usual, ways: ['push'] });
    assert.equal(parse('autostart=1&transports=ajax'), undefined);
  });

  /** @type {[query: string, field: string, got: string | number][]} */
  const wrongs = [
    ['users=0', 'users', 0],
    ['jobs=101', 'jobs', 101],
    ['limit=99', 'limit', 99],
    ['least=20&most=10', 'least', 20],
    ['most=600001', 'most', 600001],
    ['intervals=9', 'intervals', '“9”'],
    ['intervals=50,50', 'intervals', '50 more than once'],
    ['intervals=', 'intervals', 'nothing'],
    ['intervals=1.5e2', 'intervals', '1.5e2'],
    ['intervals=10,20,30,40,50,60', 'intervals', 6],
    ['interval=250', 'interval', 'interval “250”'],
    ['ways=poll,poll', 'ways', 'poll,poll'],
    ['ways=pigeons', 'ways', 'pigeons'],
    ['ways=constructor', 'ways', 'constructor'],
    ['arrangement=both', 'arrangement', '“both”'],
    ['users=1000&jobs=11', 'users times jobs', 11000],
  ];
  for (const [query, field, got] of wrongs) {
    it(`refuses ${query}`, () => assertComplaint(complaintOf(query), field, got));
  }

  it('names what it expects', (t) => {
    const complaints = wrongs.map(([query]) => complaintOf(query));
    matchGolden(t, 'jobs', complaints);
  });

  /** @param {string} query */
  function complaintOf(query) {
    try {
      parse(query);
    } catch (error) {
      assert.ok(error instanceof InvalidInputError);
      return error.message;
    }
    return assert.fail('expected an InvalidInputError, got a plan');
  }

  it('is said in words, below a second in ms, with what cannot come in time', (t) => {
    const describe = (/** @type {string} */ query) => describeJobsPlan(/** @type {JobsPlan} */ (parse(query)));
    const late = describe('ways=poll,push&intervals=500&users=1&least=0&most=0&limit=300');
    const long = describe('least=250');
    const short = describe('most=400&blocks=2');
    assert.match(late, /^1 user .+ 0 ms, .+ 300 ms.+ 4 s\.$/);
    assert.match(late, / all .* will be late\./);
    assert.match(long, / 0\.25–10 s each, .+ 54 s\.$/);
    assert.match(short, / 0–400 ms each, .+ 2 blocks\./);
    const sequential = describe('users=2&jobs=3&arrangement=sequential');
    matchGolden(t, 'jobs', [late, long, short, sequential]);
  });

  it('has one block, and all jobs at once, where an older link or document says nothing of either', () => {
    const old = { ...usual, arrangement: undefined, blocks: undefined };
    const one = parse('users=20');
    assert.equal(jobs.formatPlan(one), jobs.formatPlan(old));
    assert.deepEqual(jobs.trialsOf(one), jobs.trialsOf(old));
    assert.ok(jobs.trialsOf(one).every((/** @type {any} */ trial) => trial.block === undefined));
    assert.match(jobs.formatPlan(parse('blocks=6')), /&blocks=6&/);
  });

  it('has every delivery method in every block, with the same jobs within a block only', async () => {
    const { trials } = await measure({ ways: ['sse', 'push'], blocks: 3 });
    assert.deepEqual(
      trials.map(({ block, way }) => `${block} ${way}`).sort(),
      [0, 1, 2].flatMap((block) => [`${block} push`, `${block} sse`]),
    );
    const durations = trials.map(({ told }) => told.durationMs.join());
    for (const i of [0, 2, 4]) assert.equal(durations[i], durations[i + 1]);
    assert.equal(new Set(durations).size, 3);
  });

  it('never asks for more than a document may hold', () => {
    assert.doesNotThrow(() =>
      parse('users=1000&jobs=10&ways=poll,long-poll,sse,socket-per-job,push,sockjs&intervals=10,20,30,40,50'),
    );
  });
});
