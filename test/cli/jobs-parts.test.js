/**
 * Parts of `sockshootout run jobs` that a whole run shows too seldom.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants, createServer } from 'node:http2';
import { describe, it } from 'node:test';
import { createEventParser } from '../../cli/net/job-client.js';
import { climbUsers } from '../../cli/stress/climb.js';
import { countConnections, describeFileLimit, readFileLimit } from '../../cli/stress/file-limit.js';
import { SCHEMA } from '../../cli/stress/index.js';
import { describeClimb, formatStress } from '../../cli/stress/report.js';
import { countWaitingUsers, describeMemory, memoryOf, readMemory } from '../../cli/stress/server-memory.js';
import { stepOf } from '../../cli/stress/step.js';
import { createHttp2Sender } from '../../cli/net/http-senders.js';
import { formatBar } from '../../cli/program/program.js';
import { useGolden } from '../support/golden.js';

/**
 * @import { ServerHttp2Stream } from 'node:http2'
 * @import { AddressInfo } from 'node:net'
 * @import { Sender } from '../../cli/net/http-senders.js'
 */

const matchGolden = useGolden(import.meta.url);

const IDLE_CLIENT = { busiest: 0.2, timerLateMs: 1, isBusy: false };

describe('a stream of server-sent events', () => {
  const stream =
    ': hello\n\ndata: one\n\nid: 7\ndata:two\r\n\r\ndatabase: no\ndata\ndata: lines\n\n\n: beat\n\ndata: unfinished\n';

  it('gives the data of each event, in whatever pieces it comes', () => {
    for (const size of [1, 2, 3, 7, stream.length]) {
      /** @type {string[]} */
      const got = [];
      const parse = createEventParser((data) => got.push(data));
      for (let at = 0; at < stream.length; at += size) parse(stream.slice(at, at + size));
      assert.deepEqual(got, ['one', 'two', '\nlines'], `${size} at a time`);
    }
  });
});

describe('requests over HTTP/2', () => {
  /**
   * @param {(stream: ServerHttp2Stream, count: number) => void} answer is given how many requests came before on the
   *   same connection
   * @param {(server: { sender: Sender, connections: () => number }) => Promise<unknown>} use
   */
  async function withServer(answer, use) {
    let connectionCount = 0;
    const server = createServer();
    server.on('session', (session) => {
      connectionCount++;
      let count = 0;
      // What this server breaks off, it notices, too.
      session.on('error', () => {});
      session.on('stream', (stream) => {
        stream.on('error', () => {});
        // Not while it still reads: one that is closed then can corrupt Node's memory
        // (https://github.com/nodejs/node/pull/39076).
        const before = count++;
        setImmediate(() => answer(stream, before));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    const sender = createHttp2Sender(`http://127.0.0.1:${port}`);
    try {
      await use({ sender, connections: () => connectionCount });
    } finally {
      sender.close();
      server.close();
    }
  }

  /** @param {Sender} sender */
  const send = async (sender, method = 'GET') => {
    const { status, text } = await sender.send({ method, path: '/job' });
    return `${status} ${await text()}`;
  };

  it('go over one connection, a hundred at once, POSTs too', () => {
    /** @type {ServerHttp2Stream[]} */
    const open = [];
    return withServer(
      (stream) => {
        open.push(stream);
        if (open.length < 100) return;
        for (const one of open) {
          one.respond({ ':status': 201 });
          one.end('made');
        }
      },
      async ({ sender, connections }) => {
        const answers = await Promise.all(Array.from({ length: 100 }, () => send(sender, 'POST')));
        assert.deepEqual(new Set(answers), new Set(['201 made']));
        assert.equal(connections(), 1);
        assert.equal(sender.protocol(), 'h2c');
      },
    );
  });

  it('go on over another connection where the server takes no more on one, and none is lost', () =>
    withServer(
      (stream, count) => {
        if (count === 9) stream.session?.close();
        stream.respond({ ':status': 200 });
        stream.end('ok');
      },
      async ({ sender, connections }) => {
        for (let round = 0; round < 10; round++) {
          const answers = await Promise.all(Array.from({ length: 7 }, () => send(sender)));
          assert.deepEqual(new Set(answers), new Set(['200 ok']));
        }
        assert.ok(connections() > 3, `${connections()} connections`);
      },
    ));

  it('are sent again where the server refused to look at them', () =>
    withServer(
      (stream, count) => {
        if (count < 2) stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else {
          stream.respond({ ':status': 200 });
          stream.end('ok');
        }
      },
      async ({ sender }) => assert.equal(await send(sender), '200 ok'),
    ));

  it('fail where an answer breaks off, or does not come', async () => {
    const breakOff = (/** @type {ServerHttp2Stream} */ stream) => {
      stream.respond({ ':status': 200 });
      stream.write('o');
      // Node.js 24 ends a stream in order before it closes it.
      stream.destroy(new Error('Broken off.'));
    };
    const drop = (/** @type {ServerHttp2Stream} */ { session }) => session?.destroy();
    for (const answer of [breakOff, drop]) {
      await withServer(answer, ({ sender }) => assert.rejects(send(sender)));
    }
    await assert.rejects(send(createHttp2Sender('http://127.0.0.1:1')), /ECONNREFUSED/);
  });
});

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
    assert.match(describeClimb(all, 100), /^One WebSocket per user: at least 100 users, /);
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

  it('gives nothing where a step was cancelled', async () => {
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

it('a bar says how many messages are done', () => {
  assert.equal(formatBar(5, 10), '[##########----------] 5 of 10');
  assert.equal(formatBar(0, 10), '[--------------------] 0 of 10');
});
