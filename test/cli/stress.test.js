/**
 * Parts of the stress test of `sockshootout run jobs` that a whole one shows too seldom.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { climbUsers, stepOf } from '../../cli/stress/step.js';
import { countConnections, describeFileLimit, readFileLimit } from '../../cli/stress/file-limit.js';
import { SCHEMA, describeClimb, formatStress } from '../../cli/stress/index.js';
import { countWaitingUsers, describeMemory, memoryOf, readMemory } from '../../cli/stress/server-memory.js';
import { useGolden } from '../support/golden.js';

const matchGolden = useGolden(import.meta.url);

const IDLE_CLIENT = { busiest: 0.2, timerLateMs: 1, isBusy: false };

describe('the number of users that a delivery method carries', () => {
  /**
   * @param {number} carried by what is measured
   * @param {{ first?: number, max?: number, isBusy?: boolean }} [options]
   */
  const climb = async (carried, { first = 20, max = 3200, isBusy = false } = {}) => {
    const result = await climbUsers({
      first,
      max,
      measureStep: async (users) => {
        const failures = users > carried ? Array(users).fill({ job: 0, outcome: 'timeout', message: 'late' }) : [];
        const trial = /** @type {any} */ ({ notified: { job: [] }, failures, elapsedMs: 1 });
        return stepOf(trial, { users, jobs: 1 }, { ...IDLE_CLIENT, isBusy });
      },
    });
    assert.ok(result);
    return { ...result, delivery: 'push', users: result.steps.map(({ users }) => users) };
  };

  it('is doubled until it breaks, then halved in twice', async () => {
    const { users, carriedUsers, brokeAtUsers } = await climb(100);
    assert.deepEqual([users, carriedUsers, brokeAtUsers], [[20, 40, 80, 160, 120, 100], 100, 120]);
    assert.deepEqual((await climb(90)).users, [20, 40, 80, 160, 120, 100]);
    assert.deepEqual((await climb(3)).users, [20, 10, 5]);
    assert.equal((await climb(3)).carriedUsers, 0);
  });

  it('ends at the maximum', async (t) => {
    const all = await climb(1000, { max: 100 });
    assert.deepEqual([all.users, all.carriedUsers, all.brokeAtUsers], [[20, 40, 80, 100], 100, undefined]);
    assert.deepEqual((await climb(1000, { first: 50, max: 10 })).users, [10]);
    assert.deepEqual((await climb(1, { first: 2, max: 2 })).users, [2, 1]);
    matchGolden(t, 'jobs', describeClimb(all, 100));
  });

  it('is a lower bound where this client was busy', async (t) => {
    /** @type {[climbed: Awaited<ReturnType<typeof climb>>, isClientBusy: boolean, carried: string][]} */
    const cases = [
      [await climb(100), false, '100 users'],
      [await climb(100, { isBusy: true }), true, 'at least 100 users'],
      [await climb(0, { first: 2, isBusy: true }), true, 'not known'],
    ];
    for (const [climbed, isClientBusy, carried] of cases) {
      const words = describeClimb(climbed, 3200);
      assert.deepEqual([climbed.isClientBusy, climbed.reason], [isClientBusy, 'late']);
      assert.ok(words.startsWith(`One WebSocket per user: ${carried}`), words);
      assert.ok(/ at \d+ users?, 100% /.test(words), words);
    }
    const environment = { url: 'http://127.0.0.1/', userAgent: 'Node.js v20.20.2' };
    const plan = {
      deliveries: ['push'],
      intervals: [500],
      users: 20,
      jobs: 1,
      minMs: 0,
      maxMs: 1000,
      limitMs: 2000,
      seed: 1,
    };
    const deliveries = cases.map(([climbed]) => climbed);
    matchGolden(
      t,
      'jobs',
      formatStress({
        schema: SCHEMA,
        startedAt: '2026-11-21T10:00:00.000Z',
        plan,
        maxUsers: 3200,
        environment,
        deliveries,
      }),
    );
  });

  it('has the server’s memory at the most users who waited, of one process', async (t) => {
    const steps = [{ memory: { userCount: 50, rssBytes: 61e6 } }, { memory: { userCount: 200, rssBytes: 65e6 } }, {}];
    const memory = memoryOf(steps, 60e6);
    assert.deepEqual(memory, { userCount: 200, bytesPer1000Users: 25e6 });
    assert.deepEqual([memoryOf(steps), memoryOf([{}], 60e6)], [undefined, undefined]);
    const read = (/** @type {any[]} */ ...workers) => readMemory(async () => ({ workers, silentWorkerCount: 0 }));
    const one = { rssBytes: 7 };
    assert.deepEqual([await read(one), await read(one, one), await read({})], [7, undefined, undefined]);
    const noise = { userCount: 20, bytesPer1000Users: 91.8e6 };
    const none = { userCount: 300, bytesPer1000Users: -3.5e6 };
    matchGolden(t, 'jobs', [memory, undefined, noise, none].map(describeMemory));
  });

  it('counts users with a job that is created, and neither notified nor failed', () => {
    const state = {
      createdAtMs: Float64Array.of(1, 2, 3, NaN, 5, 6),
      notifiedAtMs: Float64Array.of(NaN, NaN, 4, NaN, NaN, NaN),
      failed: Uint8Array.of(0, 0, 0, 0, 1, 0),
    };
    assert.equal(countWaitingUsers(/** @type {any} */ (state), 2), 2);
  });

  it('is not notified where a step was cancelled', async () => {
    assert.equal(await climbUsers({ first: 1, max: 2, measureStep: async () => undefined }), undefined);
  });

  it('holds while at most 1 % of the jobs are late or fail, and says what most of those say', () => {
    const of = (/** @type {string[]} */ ...messages) =>
      stepOf(
        /** @type {any} */ ({
          notified: { job: Array(200 - messages.length).fill(0) },
          failures: messages.map((message) => ({ outcome: message === 'late' ? 'timeout' : 'closed', message })),
          elapsedMs: 1000,
          traffic: { cpuMs: 500 },
        }),
        { users: 20, jobs: 10 },
        IDLE_CLIENT,
      );
    const held = of('late', 'gone');
    assert.deepEqual([held.hasHeld, held.lateCount, held.failureCount, held.notifiedCount], [true, 1, 1, 198]);
    const broken = of('late', 'gone', 'gone');
    assert.deepEqual([broken.hasHeld, broken.reason, broken.serverCpuMs], [false, 'gone', 500]);
    assert.equal(of().reason, undefined);
  });
});

describe('the limit of open files', () => {
  const plan = { users: 400, jobs: 10 };

  it('is reported before it is met', (t) => {
    assert.equal(countConnections({ delivery: 'socket-per-job' }, plan), 4000);
    assert.equal(countConnections({ delivery: 'poll' }, plan), 2400);
    assert.equal(countConnections({ delivery: 'poll' }, { users: 3, jobs: 2 }), 6);
    assert.equal(countConnections({ delivery: 'push' }, plan), 400);
    assert.equal(describeFileLimit({ delivery: 'socket-per-job' }, plan, 20_000), undefined);
    assert.equal(describeFileLimit({ delivery: 'socket-per-job' }, plan, undefined), undefined);
    const words = String(describeFileLimit({ delivery: 'poll', intervalMs: 500 }, plan, 1024));
    for (const fact of ['Polling every 500 ms ', ' 2400 connections ', ' 1024 files', '(ulimit -n)']) {
      assert.ok(words.includes(fact), words);
    }
    matchGolden(t, 'jobs', words);
  });

  it('is known here', () => {
    const limit = readFileLimit();
    assert.ok(limit === undefined || limit > 0);
  });
});
