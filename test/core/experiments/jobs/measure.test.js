import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runExperiment } from '../../../../core/experiment/run/run.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { pollCountOf, pollLagOf } from '../../../../core/experiments/jobs/polling.js';
import { lagsOf as lagsOfTold } from '../../../../core/experiments/jobs/trial.js';
import { measureRoundTrips } from '../../../../core/experiments/jobs/measure.js';
import { estimateSeconds, WARM_UP_ROUNDS } from '../../../../core/experiments/jobs/plan.js';
import { situationOf } from '../../../support/full-tests.js';
import { DELIVERIES, measure, PLAN, RTT_MS, runScriptedJobs } from '../../../support/run-scripted-jobs.js';
import { createScriptedJobs } from '../../../support/scripted-jobs.js';
import { createScriptedTransport } from '../../../support/scripted-transport.js';
import { createVirtualTime } from '../../../support/virtual-time.js';

/**
 * @import { JobsProgress } from '../../../../core/experiments/jobs/follow.js'
 * @import { JobsTrial } from '../../../../core/experiments/jobs/schema.js'
 */

/** @param {JobsTrial} trial */
const lagsOf = ({ notified }) => lagsOfTold(notified, RTT_MS);

/** @param {readonly number[]} counts */
const sum = (counts) => counts.reduce((total, count) => total + count, 0);

describe('polling', () => {
  it('polls as often, and learns of each job as late, as the closed form says', async () => {
    const { trials, roundTripMs } = await measure({
      deliveries: ['poll'],
      intervals: [200, 50],
      users: 5,
      jobs: 20,
      minMs: 0,
    });
    assert.deepEqual([trials.length, Math.min(...roundTripMs)], [2, RTT_MS]);
    for (const trial of trials) {
      const periodMs = Number(trial.intervalMs) + RTT_MS;
      const { durationMs, pollCount } = trial.notified;
      assert.deepEqual(
        pollCount,
        durationMs.map((ms) => pollCountOf({ durationMs: ms, periodMs })),
      );
      const expected = durationMs.map((ms) => pollLagOf({ durationMs: ms, periodMs, roundTripMs: RTT_MS }));
      assert.deepEqual(lagsOf(trial), expected);
      assert.equal(trial.requestCount, 100 + sum(pollCount));
    }
  });
});

describe('the delivery methods', () => {
  for (const delivery of ['socket-per-job', 'push', 'sockjs', 'sse', 'long-poll']) {
    it(`notifies of each job half a round trip after it is done: ${delivery}`, async () => {
      const { trials, state } = await measure({ deliveries: [delivery], users: 4, jobs: 10 });
      const [trial] = trials;
      assert.equal(trial.notified.job.length, 40);
      assert.deepEqual(trial.failures, []);
      assert.deepEqual(new Set(lagsOf(trial)), new Set([RTT_MS / 2]));
      assert.equal(trial.requestCount, trial.traffic?.requestCount);
      assert.equal(trial.traffic?.otherCount, 0);
      assert.deepEqual(trial.notified.pollCount, Array(40).fill(delivery === 'long-poll' ? 1 : 0));
      assert.deepEqual([state.openCount, state.closedClientCount], [0, 4]);
    });
  }

  it('gives every trial jobs of the same durations, and an ID of its own', async () => {
    const { trials, state } = await measure({ deliveries: DELIVERIES });
    const trialIds = new Set(state.paths.flatMap((path) => /[?&]trial=([\w-]{12})(?:&|$)/.exec(path)?.[1] ?? []));
    assert.deepEqual([trials.length, trialIds.size], [6, 6]);
    for (const { notified } of trials) assert.deepEqual(notified.durationMs, trials[0].notified.durationMs);
    assert.equal(new Set(trials[0].notified.durationMs).size > 5, true);
    assert.deepEqual(trials.map(({ delivery, protocol }) => `${delivery} ${protocol}`).sort(), [
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

  it('opens one socket or stream per user, and one socket per job where that is the delivery method', async () => {
    const opened = async (/** @type {string} */ delivery) => (await measure({ deliveries: [delivery] })).state.paths;
    const count = (/** @type {string[]} */ paths, /** @type {RegExp} */ start) =>
      paths.filter((path) => start.test(path)).length;
    assert.deepEqual(count(await opened('push'), /^\/ws\/jobs\?trial=/), 2);
    assert.deepEqual(count(await opened('sockjs'), /^\/jobs\?trial=/), 2);
    assert.deepEqual(count(await opened('socket-per-job'), /^\/ws\/job\?trial=.{12}&seed=\d+&min=100&max=1000$/), 10);
    const streams = (await opened('sse')).filter((path) => path.startsWith('/job/events?ids='));
    assert.deepEqual(
      streams.map((path) => path.split(',').length),
      [5, 5],
    );
  });

  it('repeats a long poll that is answered before the job is done', async () => {
    const plan = { deliveries: ['long-poll'], users: 1, jobs: 1, minMs: 30_000, maxMs: 30_000, limitMs: 40_000 };
    const { trials } = await measure(plan);
    assert.deepEqual([trials[0].notified.pollCount, lagsOf(trials[0])], [[2], [RTT_MS / 2]]);
  });

  it('records the protocol that SockJS got, but no guess of its request count', async () => {
    const { trials } = await measure({ deliveries: ['sockjs'] }, { sockjs: 'xhr-streaming' });
    assert.deepEqual(
      [trials[0].protocol, trials[0].requestCount, trials[0].notified.job.length],
      ['xhr-streaming', undefined, 10],
    );
  });

  it('shows the state of each job while a trial runs', async () => {
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
    assert.deepEqual([...(progress?.durationMs ?? [])], trials[0].notified.durationMs);
    assert.ok(progress?.notifiedAtMs.every((ms, job) => ms > Number(progress?.createdAtMs[job])));
    assert.deepEqual([...progress.failed], Array(10).fill(0));
  });
});

describe('a cancelled run', () => {
  for (const delivery of DELIVERIES) {
    it(`ends a cancelled run at once, and keeps what was measured: ${delivery}`, async () => {
      const time = createVirtualTime();
      const controller = new AbortController();
      const reason = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
      const { state, ...means } = createScriptedJobs(time, { roundTripMs: RTT_MS });
      const plan = { ...PLAN, deliveries: [delivery], minMs: 100, maxMs: 5000, users: 4, limitMs: 6000 };
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
      const [{ notified, failures, traffic, trafficFault }] = run.trials;
      assert.ok(notified.job.length > 0 && notified.job.length < 20);
      assert.deepEqual([failures, traffic, trafficFault], [[], undefined, undefined]);
      if (delivery !== 'poll') assert.ok(notified.durationMs.every((ms) => ms <= 1500));
      await time.run(time.sleepUntil(time.now() + 3 * RTT_MS));
      assert.equal(state.openCount, 0);
    });
  }

  it('begins no trial where a run is cancelled while the idle server is measured', async () => {
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

describe('sequential jobs', () => {
  const plan = { arrangement: 'sequential', users: 3, jobs: 5, intervals: [100] };

  for (const delivery of DELIVERIES) {
    it(`creates each job when the one before has ended, and measures the latency of jobs all at once: ${delivery}`, async () => {
      const { trials, state } = await measure({ ...plan, deliveries: [delivery] });
      const { notified, elapsedMs } = trials[0];
      assert.deepEqual([notified.job.length, state.openCount, state.closedClientCount], [15, 0, 3]);
      for (const [i, sentAtMs] of notified.sentAtMs.entries()) {
        assert.equal(sentAtMs, i % plan.jobs === 0 ? 0 : notified.notifiedAtMs[i - 1]);
      }
      assert.equal(elapsedMs, Math.max(...notified.notifiedAtMs));
      const atOnce = await measure({ ...plan, deliveries: [delivery], arrangement: 'all' });
      assert.deepEqual(notified.pollCount, atOnce.trials[0].notified.pollCount);
      const lags = [trials[0], atOnce.trials[0]].map((trial) => lagsOf(trial).map((ms) => ms.toFixed(3)));
      assert.deepEqual(lags[0], lags[1]);
    });
  }

  it('takes as long as the plan says: the sum of each user’s jobs, the maximum of all users', async () => {
    const whole = { ...PLAN, ...plan, deliveries: ['poll', 'push'] };
    const { trials } = await measure(whole, { roundTripMs: 0 });
    const elapsedMs = sum(trials.map((trial) => trial.elapsedMs));
    assert.equal(estimateSeconds(whole, 0), Math.ceil((1000 + elapsedMs + 2 * 70) / 1000));
    // Round trips add to it.
    assert.ok(estimateSeconds(whole, 500) > estimateSeconds(whole, 0) + 3);
  });

  it('is estimated with what large news need: their bytes on a slow path, and more round trips far away', () => {
    const large = { ...PLAN, ...plan, users: 1, jobs: 4, newsBytes: 64_000, deliveries: ['poll', 'push'] };
    const secondsOf = (/** @type {number} */ newsBytes, /** @type {number} */ roundTripMs, bytesPerSecond = 1e9) =>
      estimateSeconds({ ...large, newsBytes }, roundTripMs, { bytesPerSecond });
    // 512 kB in two trials, at 1 Mbit/s.
    assert.equal(secondsOf(64_000, 0, 125_000) - secondsOf(0, 0, 125_000), 4);
    assert.ok(secondsOf(64_000, 1000) >= secondsOf(0, 1000) + 4);
  });

  it('is estimated with its round trips, of which this server needs fewer to open a socket', async () => {
    const quick = jobs.fullTest.quickPlan(situationOf('page=asks'), { roundTripMs: 230, seed: 7 });
    const fixed = { ...quick, blocks: quick.looks[0], looks: undefined };
    const { time } = await runScriptedJobs(fixed, { roundTripMs: 230 }, { warmUpRounds: WARM_UP_ROUNDS });
    const ratio = estimateSeconds(quick, 230) / (time.now() / 1000);
    assert.ok(ratio > 1 && ratio < 1.4, String(ratio));
  });

  it('continues after a late job, and stops when the run is cancelled', async () => {
    const late = await measure({ ...plan, minMs: 0, limitMs: 500 });
    const { notified, failures } = late.trials[0];
    assert.ok(failures.length > 0 && notified.job.length > 0);
    assert.equal(notified.job.length + failures.length, 15);
    const cancel = new AbortController();
    const message = (/** @type {number} */ number) => {
      if (number === 3) cancel.abort({ kind: 'cancelled', reason: 'Cancelled.' });
      return undefined;
    };
    const { trials, ending } = await measure(plan, { message }, { signal: cancel.signal });
    assert.equal(ending?.kind, 'cancelled');
    const { job } = trials[0].notified;
    assert.ok(job.length >= 1 && job.length <= 6, String(job));
    assert.deepEqual(trials[0].failures, []);
  });
});

describe('measureRoundTrips', () => {
  it('measures the round trips of a warm connection, and none where the connection fails', async () => {
    const warm = createScriptedTransport({ script: [], roundTripMs: 5 });
    assert.deepEqual(await measureRoundTrips(warm), Array(10).fill(5));
    const broken = createScriptedTransport({ script: Array(20).fill('closed') });
    assert.deepEqual(await measureRoundTrips(broken), []);
  });
});
