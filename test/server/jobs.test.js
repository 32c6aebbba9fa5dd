import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { drawDurationMs } from '../../core/net/delivery/job.js';
import { createAlarms, createJobs } from '../../server/endpoints/jobs.js';
import { createConversation } from '../../server/endpoints/job-sockets.js';
import { openRaw, requestHead } from '../support/payload-client.js';
import { openServer } from '../support/server.js';
import { openSession } from '../support/sockjs-session.js';
import { withServer, withTwoWorkers } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';

/**
 * @import { Server } from 'node:http'
 * @import { TestServer } from '../support/server.js'
 */

const LIMIT_MS = 60_000;
const RUN = 'run-of_jobs1';
const VISITOR = '192.0.2.1';
const WAITER = { visitor: VISITOR, owned: { destroy() {} } };
const SECRET = Buffer.from('a secret of this test');
const ID = /^[\w-]{48}$/;

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function ask(url, options) {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS), ...options });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, headers: response.headers, text, answer: isJson ? JSON.parse(text) : undefined };
}

/** @param {string} origin @param {string} [query] */
const make = async (origin, query = 'least=0&most=30') =>
  (await ask(`${origin}/job?${query}`, { method: 'POST' })).answer;

/** @param {string} text of a stream */
const eventsOf = (text) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));

/** One connection for many jobs. */
const SHARED = {
  '/ws/jobs': async (/** @type {number} */ port, query = '') => {
    const { socket, next, closed, close } = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs${query}`);
    return { send: (/** @type {string} */ text) => socket.send(text), next, closed, close };
  },
  'SockJS’s raw WebSocket': async (/** @type {number} */ port, query = '') => {
    const { socket, next, closed, close } = await openWebSocket(`ws://127.0.0.1:${port}/jobs/websocket${query}`);
    return { send: (/** @type {string} */ text) => socket.send(text), next, closed, close };
  },
  ...Object.fromEntries(
    ['websocket', 'xhr-streaming', 'xhr-polling'].map((transport) => [
      `SockJS by ${transport}`,
      (/** @type {number} */ port, query = '') => openSession(`http://127.0.0.1:${port}/jobs${query}`, transport),
    ]),
  ),
};

for (const [name, open] of Object.entries(SHARED)) {
  describe(`one connection for many jobs, ${name}`, () => {
    /** @type {TestServer} */
    let server;
    before(async () => {
      server = await openServer({ limits: { connectionJobCount: 20 } });
    });
    after(() => server.close());

    it('answers in the order of the messages, tells of each job when it is due, and stays open', async () => {
      const connection = await open(server.port, `?run=${RUN}`);
      const seeds = [1, 2, 3, 4, 5];
      for (const seed of seeds) connection.send(JSON.stringify({ seed, least: 0, most: 30 }));
      /** @type {any[]} */
      const made = [];
      /** @type {Map<string, any>} */
      const told = new Map();
      while (told.size < seeds.length) {
        const answer = JSON.parse(await connection.next());
        if (answer.complete) {
          assert.ok(Date.now() >= answer.createTime + answer.durationMs);
          assert.ok(!told.has(answer.id));
          told.set(answer.id, answer);
        } else made.push(answer);
      }
      assert.deepEqual(
        made.map(({ id }) => told.get(id).durationMs),
        seeds.map((seed) => drawDurationMs({ seed, leastMs: 0, mostMs: 30 })),
      );
      for (const answer of told.values())
        assert.deepEqual((await ask(`${server.origin}/job/${answer.id}`)).answer, answer);
      connection.close();
    });

    it('answers what is wrong in its place, and goes on', async () => {
      const connection = await open(server.port);
      for (const [message, code] of [
        ['', 'bad-json'],
        ['[]', 'bad-json'],
        ['null', 'bad-json'],
        ['{"seed":"1"}', 'bad-option'],
        ['{"seed":1.5}', 'bad-option'],
        ['{"least":null}', 'bad-option'],
        ['{"least":5,"most":4}', 'bad-option'],
        ['{"__proto__":1}', 'bad-option'],
        [`{"run":"${RUN}"}`, 'bad-option'],
      ]) {
        connection.send(message);
        assert.equal(JSON.parse(await connection.next()).error.code, code, message);
      }
      connection.send('{"most":0}');
      assert.equal(JSON.parse(await connection.next()).complete, false);
      assert.equal(JSON.parse(await connection.next()).complete, true);
      connection.close();
    });

    it('takes as many jobs as it may, and says so of the next', async () => {
      const connection = await open(server.port);
      for (let i = 0; i <= 20; i++) connection.send('{"least":600000,"most":600000}');
      for (let i = 0; i < 20; i++) assert.equal(JSON.parse(await connection.next()).complete, false);
      assert.equal(JSON.parse(await connection.next()).error.code, 'busy');
      connection.close();
    });

    it('is closed with 1009 on a message above 1 KiB', async () => {
      const connection = await open(server.port);
      connection.send(`{"seed":1${' '.repeat(1024)}}`);
      const { code } = await connection.closed;
      assert.equal(code, 1009);
    });
  });
}

describe('one connection with as many jobs as the busiest users of a run have', () => {
  const COUNT = 1000;
  /** @type {TestServer} */
  let server;
  // With the limits of a normal start.
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const [name, open] of Object.entries(SHARED)) {
    it(`is told of each, and could have twice as many: ${name}`, async () => {
      const connection = await open(server.port);
      for (let i = 0; i < COUNT; i++) connection.send('{"least":600000,"most":600000}');
      for (let i = 0; i < COUNT; i++) connection.send('{"least":0,"most":100}');
      /** @type {Set<string>} */
      const told = new Set();
      for (let i = 0; i < 3 * COUNT; i++) {
        const answer = JSON.parse(await connection.next());
        assert.equal(answer.error, undefined);
        if (answer.complete) told.add(answer.id);
      }
      assert.equal(told.size, COUNT);
      connection.close();
    });
  }
});

describe('what a server takes on', () => {
  const WAITING = 'least=600000&most=600000';

  it('is a number of jobs that somebody waits for, by whatever way; their places are free again afterwards', () =>
    withServer({ env: { TRUST_PROXY: '1' }, limits: { waitingJobCount: 3 } }, async ({ origin, port }) => {
      const { id } = await make(origin, WAITING);
      const controller = new AbortController();
      const stream = await fetch(`${origin}/job/events?ids=${id},${id}`, { signal: controller.signal });
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      const socket = await openWebSocket(`ws://127.0.0.1:${port}/ws/job?${WAITING}`, { headers });

      const refused = [`/job/${id}?wait=25000`, `/job/events?ids=${id}`];
      for (const target of refused) {
        const { status, answer } = await ask(origin + target);
        assert.deepEqual([status, answer.error.code], [503, 'busy'], target);
      }
      await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}/ws/job`), /status 503/);
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      assert.equal(JSON.parse(await shared.ask('{}')).error.code, 'busy');
      // Who polls does not wait.
      assert.equal((await ask(`${origin}/job/${id}`)).status, 200);

      assert.equal(stream.status, 200);
      controller.abort();
      socket.close();
      await untilTrue(async () => JSON.parse(await shared.ask(`{"least":600000,"most":600000}`)).complete === false);
      await untilTrue(async () => (await ask(`${origin}/job/${id}?wait=1`)).status === 200);
      shared.close();
    }));

  it('is a number of sockets and streams of jobs, which is not that of the echoes', () =>
    withServer({ limits: { jobSessionCount: 2, sessionCount: 1 } }, async ({ origin, port }) => {
      const { id } = await make(origin, WAITING);
      const controller = new AbortController();
      await fetch(`${origin}/job/events?ids=${id}`, { signal: controller.signal });
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      for (const socketPath of ['/ws/job', '/ws/jobs', '/jobs/websocket']) {
        await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}${socketPath}`), /status 503/, socketPath);
      }
      assert.equal((await ask(`${origin}/job/events?ids=${id}`)).status, 503);
      assert.equal((await ask(`${origin}/jobs/000/abc/xhr`, { method: 'POST' })).status, 503);

      const echo = await openWebSocket(`ws://127.0.0.1:${port}/ws`);
      await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}/ws`), /status 503/);
      controller.abort();
      for (const socket of [shared, echo]) socket.close();
    }));

  it('is so many waits, streams and bookings no more when a connection breaks on which more was asked than answered', () =>
    withServer({ limits: { jobSessionCount: 5, waitingJobCount: 10 } }, async ({ origin, port }) => {
      const { id } = await make(origin, `${WAITING}&run=${RUN}`);
      const done = await make(origin, 'least=0&most=0');
      const statuses = () =>
        Promise.all(
          [`events?ids=${done.id}`, `${id}?wait=1`].map(async (rest) => (await ask(`${origin}/job/${rest}`)).status),
        );
      const openCount = async () => JSON.parse((await ask(`${origin}/traffic/${RUN}`)).text).workers[0].openCount;
      const client = await openRaw(port);
      client.send(requestHead(`/job/events?ids=${id}`).repeat(3) + requestHead(`/job/${id}?wait=25000`).repeat(3));
      await untilTrue(async () => (await openCount()) === 6);
      assert.deepEqual(await statuses(), [429, 429]);
      client.socket.destroy();
      await untilTrue(async () => (await openCount()) === 0);
      assert.deepEqual(await statuses(), [200, 200]);
    }));

  it('is a number of jobs that long polls and streams wait for on one connection, so that others have room', () =>
    withServer({ limits: { connectionWaitCount: 3 } }, async ({ origin, port }) => {
      const { id } = await make(origin, WAITING);
      const client = await openRaw(port);
      const longPoll = requestHead(`/job/${id}?wait=20`);
      const stream = requestHead(`/job/events?ids=${id},${id}`);
      /** @param {number} count of answers to be waited for */
      const statuses = async (count) => {
        /** @type {string[]} */
        let got = [];
        for (let bytes = 0; got.length < count;) {
          bytes = await client.received(bytes + 1);
          got = [...client.text().matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
        }
        return got.join(' ');
      };
      client.send(longPoll.repeat(4));
      assert.equal(await statuses(4), '200 200 200 503');
      // Their places are free again. A stream takes as many as it has jobs.
      client.send(longPoll.repeat(2) + stream);
      assert.equal(await statuses(7), '200 200 200 503 200 200 503');
      client.send(stream);
      assert.equal(await statuses(8), '200 200 200 503 200 200 503 200');
      assert.equal((await ask(`${origin}/job/${id}?wait=1`)).status, 200);
      client.socket.destroy();
    }));

  it('ends with the server: long polls are answered, streams end, sockets get 1001, and nothing is lost', () =>
    withServer({ limits: { idleGraceMs: 0, drainMs: 600_000 } }, async ({ origin, port, drain, server }) => {
      const made = await make(origin, WAITING);
      const agent = new Agent({ keepAlive: true });
      const longPoll = request(`${origin}/job/${made.id}?wait=25000`, { agent }).end();
      const stream = fetch(`${origin}/job/events?ids=${made.id}`);
      const sockets = await Promise.all(
        [`/ws/job?${WAITING}`, '/ws/jobs'].map((target) => openWebSocket(`ws://127.0.0.1:${port}${target}`)),
      );
      const session = await openSession(`${origin}/jobs`, 'xhr-streaming');
      assert.equal(JSON.parse(await sockets[1].ask('{"least":600000,"most":600000}')).complete, false);
      await stream;
      await untilTrue(async () => (await count(server)) >= 5);

      const drained = drain();
      const [answered] = await once(longPoll, 'response');
      const [body] = await once(answered, 'data');
      assert.deepEqual([answered.headers.connection, JSON.parse(String(body))], ['close', made]);
      assert.deepEqual(eventsOf(await (await stream).text()), []);
      for (const { closed } of [...sockets, session]) assert.equal((await closed).code, 1001);
      await drained;
      agent.destroy();
    }));
});

describe('a job over HTTP', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  it('is made with an address, is not complete at once, and is once its drawn time has passed', async () => {
    const { origin } = server;
    const before = Date.now();
    const made = await ask(`${origin}/job?run=${RUN}&seed=7&least=10&most=60`, { method: 'POST' });
    const { id, createTime } = made.answer;
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `/job/${id}`);
    assert.match(id, ID);
    assert.ok(createTime >= before && createTime <= Date.now(), String(createTime));
    assert.deepEqual(made.answer, { id, createTime, complete: false });

    const durationMs = drawDurationMs({ seed: 7, leastMs: 10, mostMs: 60 });
    let polled = await ask(`${origin}/job/${id}`);
    while (!polled.answer.complete) {
      assert.deepEqual(polled.answer, made.answer);
      polled = await ask(`${origin}/job/${id}`);
    }
    assert.ok(Date.now() >= createTime + durationMs);
    assert.deepEqual(polled.answer, { id, createTime, complete: true, durationMs });
    assert.equal(polled.headers.get('cache-control'), 'no-store');
  });

  it('costs CPU time to poll where the operator wants it, and status and page say so', () =>
    withServer({ env: { POLL_COST_MS: '30' } }, async ({ origin }) => {
      const { id } = await make(origin);
      for (const query of ['', '?wait=1']) {
        const start = process.cpuUsage();
        assert.equal((await ask(`${origin}/job/${id}${query}`)).status, 200);
        const { user, system } = process.cpuUsage(start);
        assert.ok(user + system >= 30_000, `${user + system} us`);
      }
      assert.equal((await ask(`${origin}/status`)).answer.pollCostMs, 30);
      assert.match((await ask(`${origin}/polltest`)).text, />Each poll .* 30 ms of /);
      assert.doesNotMatch((await ask(`${origin}/inflight`)).text, />Each poll /);
    }));

  it('takes a client of 2018, which names no options and sends what it likes as a body', async () => {
    const options = { method: 'POST', body: '{"any":"thing"}', headers: { 'content-type': 'application/json' } };
    const { status, answer } = await ask(`${server.origin}/job`, options);
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(answer), ['id', 'createTime', 'complete']);
  });

  it('is answered for as soon as it is complete, and not before, to a long poll', async () => {
    const { id, createTime } = await make(server.origin, 'least=30&most=30');
    const { answer } = await ask(`${server.origin}/job/${id}?wait=25000`);
    assert.ok(Date.now() >= createTime + 30);
    assert.deepEqual(answer, { id, createTime, complete: true, durationMs: 30 });
  });

  it('is not complete in the answer to a long poll that waited less', async () => {
    const { id, createTime } = await make(server.origin, 'least=600000&most=600000');
    const startMs = Date.now();
    const { status, answer } = await ask(`${server.origin}/job/${id}?wait=20`);
    assert.ok(Date.now() >= startMs + 20);
    assert.deepEqual([status, answer], [200, { id, createTime, complete: false }]);
  });

  it('is told of by a stream, each job once and when it is due, which then ends', async () => {
    const made = [];
    const durationsMs = [40, 0, 20];
    for (const durationMs of durationsMs) {
      made.push(await make(server.origin, `least=${durationMs}&most=${durationMs}`));
    }
    const { status, headers, text } = await ask(
      `${server.origin}/job/events?ids=${encodeURIComponent(made.map(({ id }) => id).join(','))}`,
    );
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream']);
    const told = eventsOf(text);
    assert.equal(told.length, durationsMs.length);
    assert.deepEqual(
      made.map((job) => told.find(({ id }) => id === job.id)),
      made.map((job, index) => ({ ...job, complete: true, durationMs: durationsMs[index] })),
    );
    assert.ok(made.every(({ createTime }, index) => Date.now() >= createTime + durationsMs[index]));
  });

  it('is unknown by an id that was changed, whichever of its bytes it was', async () => {
    const { id } = await make(server.origin);
    const bytes = Buffer.from(id, 'base64url');
    assert.equal(bytes.length, 36);
    await Promise.all(
      [...bytes.keys()].map(async (index) => {
        const changed = Buffer.from(bytes);
        changed[index] ^= 1 << (index % 8);
        const { status, answer } = await ask(`${server.origin}/job/${changed.toString('base64url')}`);
        assert.deepEqual([status, answer.error.code], [404, 'not-found'], `byte ${index}`);
      }),
    );
    assert.equal((await ask(`${server.origin}/job/${id}`)).status, 200);
  });

  const MIB = 1024 * 1024;
  /** @type {[string, string, number, string, RegExp?, string?][]} method, path, status, code, message, body */
  const table = [
    ['POST', '/job?run=short', 400, 'bad-option', /^run: expected .* got 'short'$/],
    ['POST', `/job?run=${RUN}x`, 400, 'bad-option', /^run: /],
    ['POST', '/job?run=AAAAAAAAAAAA', 400, 'bad-option', /^run: /],
    ['POST', '/job?run=', 400, 'bad-option', /^run: .* got ''$/],
    ['POST', '/job?seed=-1', 400, 'bad-option', /^seed: expected .* got '-1'$/],
    ['POST', '/job?seed=4294967296', 400, 'bad-option', /^seed: .* got 4294967296$/],
    ['POST', '/job?seed=1.5', 400, 'bad-option', /^seed: /],
    ['POST', '/job?seed=1e3', 400, 'bad-option', /^seed: /],
    ['POST', '/job?seed=', 400, 'bad-option', /^seed: /],
    ['POST', '/job?least=600001&most=600001', 400, 'bad-option', /^least: expected .* 600000, got 600001$/],
    ['POST', '/job?most=99999999999999', 400, 'bad-option', /^most: /],
    ['POST', '/job?least=2&most=1', 400, 'bad-option', /^least: expected at most `most` \(1\), got 2$/],
    ['POST', '/job?least=10001', 400, 'bad-option', /^least: expected at most `most` \(10000\), /],
    ['POST', '/job?most=1&most=1', 400, 'bad-option', /^most: expected it once/],
    ['POST', '/job?count=1', 400, 'bad-option', /^option: expected .* got 'count'$/],
    ['POST', '/job', 413, 'too-large', /^body: /, 'x'.repeat(MIB + 1)],
    ['GET', '/job', 405, 'wrong-method', /^method: .* POST, got GET$/],
    ['PUT', '/job/ID', 405, 'wrong-method', /^method: .* GET, got PUT$/],
    ['DELETE', '/job/events?ids=ID', 405, 'wrong-method', /^method: expected GET, /],
    ['GET', '/job/', 404, 'not-found', /^id: /],
    ['GET', '/job/ID/', 404, 'not-found', /^id: /],
    ['GET', '/job/IDA', 404, 'not-found', /^id: /],
    ['GET', '/job/constructor', 404, 'not-found', /^id: /],
    ['GET', '/job/ID?wait=0', 400, 'bad-option', /^wait: expected .* 25000, got 0$/],
    ['GET', '/job/ID?wait=25001', 400, 'bad-option', /^wait: /],
    ['GET', '/job/ID?wait=soon', 400, 'bad-option', /^wait: .* got 'soon'$/],
    ['GET', '/job/ID?wait=%E0', 400, 'bad-option', /^wait: /],
    ['GET', '/job/ID?wait=1&wait=1', 400, 'bad-option', /^wait: expected it once/],
    ['GET', '/job/ID?attempt=1&attempt=2&wait=x', 400, 'bad-option', /^wait: .* got 'x'$/],
    ['GET', '/job/IDA?attempt=1', 404, 'not-found', /^id: /],
    ['GET', '/job/events?ids=ID&attempt=1', 400, 'bad-option', /^option: expected ids, got 'attempt'$/],
    ['GET', '/job/events', 400, 'bad-option', /^ids: expected 1 to 100 .*, got 0$/],
    ['GET', '/job/events?ids=', 400, 'bad-option', /^ids: /],
    ['GET', `/job/events?ids=${'ID,'.repeat(100)}ID`, 400, 'bad-option', /^ids: .* got 101$/],
    ['GET', '/job/events?ids=ID,nobody', 404, 'not-found', /^id: /],
    ['GET', '/job/events?ids=ID,', 404, 'not-found', /^id: /],
    ['GET', '/ws/job', 426, 'upgrade-required', /^Upgrade: /],
    ['GET', '/ws/jobs', 426, 'upgrade-required', /^Upgrade: /],
    ['POST', '/ws/jobs', 405, 'wrong-method', /^method: /],
    ['GET', '/jobs/info?run=x', 400, 'bad-option', /^run: /],
    ['POST', '/jobs/000/session/xhr?run=x', 400, 'bad-option', /^run: /],
    ['GET', '/traffic/x', 400, 'bad-option', /^run: /],
    ['POST', `/traffic/${RUN}`, 405, 'wrong-method', /^method: /],
  ];
  for (const [method, target, status, code, message, body] of table) {
    it(`answers ${method} ${target.slice(0, 60)} with ${status} ${code}`, async () => {
      const { id } = await make(server.origin, 'least=600000&most=600000');
      const got = await ask(server.origin + target.replaceAll('ID', id), { method, body });
      assert.deepEqual([got.status, got.answer?.error.code], [status, code], got.text);
      assert.match(got.answer.error.message, message ?? /\w/);
    });
  }

  for (const query of ['attempt=1', 'run=x', 'a=1&a=2', '__proto__=1', '%E0%A4=%', '&&=', 'attempt=1&wait=1']) {
    it(`answers a poll with ?${query} as one without`, async () => {
      const made = await make(server.origin, 'least=600000&most=600000');
      const { status, answer } = await ask(`${server.origin}/job/${made.id}?${query}`);
      assert.deepEqual([status, answer], [200, made]);
    });
  }

  for (const [socketPath, status] of /** @type {const} */ ([
    ['/ws/job?most=x', 400],
    ['/ws/job?run=x', 400],
    ['/ws/jobs?most=1', 400],
    ['/jobs/websocket?run=x', 400],
    ['/ws/none', 404],
  ])) {
    it(`answers a handshake at ${socketPath} with ${status}`, () =>
      assert.rejects(openWebSocket(`ws://127.0.0.1:${server.port}${socketPath}`), new RegExp(`status ${status}`)));
  }
});

describe('who may have jobs done', () => {
  const FRIEND = 'https://friend.example';
  const STRANGER = 'https://stranger.example';

  it('is who may measure: with a list those on it alone, by every way', () =>
    withServer({ env: { ALLOWED_ORIGINS: FRIEND } }, async ({ origin, port }) => {
      const { id } = await make(origin);
      for (const [method, target] of [
        ['POST', '/job'],
        ['GET', `/job/${id}`],
        ['GET', `/job/events?ids=${id}`],
        ['GET', '/jobs/info'],
        ['GET', `/traffic/${RUN}`],
      ]) {
        const friend = await ask(origin + target, { method, headers: { origin: FRIEND } });
        assert.ok(friend.status < 300, target);
        assert.equal(friend.headers.get('access-control-allow-origin'), FRIEND, target);
        const stranger = await ask(origin + target, { method, headers: { origin: STRANGER } });
        assert.deepEqual([stranger.status, stranger.answer.error.code], [403, 'origin-refused'], target);
      }
      for (const socketPath of ['/ws/job', '/ws/jobs', '/jobs/websocket', '/jobs/000/abc/websocket']) {
        const url = `ws://127.0.0.1:${port}${socketPath}`;
        (await openWebSocket(url, { origin: FRIEND })).close();
        await assert.rejects(openWebSocket(url, { origin: STRANGER }), /status 403/, socketPath);
      }
    }));

  it('is everybody by default, with CORS', () =>
    withServer({}, async ({ origin }) => {
      const { status, headers } = await ask(`${origin}/job`, { method: 'POST', headers: { origin: STRANGER } });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [201, '*']);
      assert.equal((await ask(`${origin}/job`, { method: 'OPTIONS', headers: { origin: STRANGER } })).status, 204);
    }));
});

describe('a WebSocket per job', () => {
  it('makes a job by opening, tells of it once, when it is due, and is closed with 1000', () =>
    withServer({}, async ({ origin, port }) => {
      const socket = await openWebSocket(`ws://127.0.0.1:${port}/ws/job?run=${RUN}&seed=3&least=5&most=30`);
      const told = JSON.parse(await socket.next());
      const durationMs = drawDurationMs({ seed: 3, leastMs: 5, mostMs: 30 });
      assert.deepEqual(told, { id: told.id, createTime: told.createTime, complete: true, durationMs });
      assert.ok(Date.now() >= told.createTime + durationMs);
      assert.equal((await socket.closed).code, 1000);
      assert.deepEqual((await ask(`${origin}/job/${told.id}`)).answer, told);
    }));

  it('is not held for a visitor who has gone', () =>
    withServer({ limits: { jobSessionCount: 1 } }, async ({ port }) => {
      const url = `ws://127.0.0.1:${port}/ws/job?least=600000&most=600000`;
      const first = await openWebSocket(url);
      await assert.rejects(openWebSocket(url), /status 503/);
      first.close();
      await untilTrue(() =>
        openWebSocket(url).then(
          ({ close }) => close() ?? true,
          () => false,
        ),
      );
    }));
});

describe('/metrics', () => {
  it('tells how many jobs were made, by transport', () =>
    withServer({}, async ({ origin, port }) => {
      for (let i = 0; i < 2; i++) await make(origin);
      (await openWebSocket(`ws://127.0.0.1:${port}/ws/job?most=0`)).close();
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      for (const message of ['{}', '{}', '{}', 'wrong']) await shared.ask(message);
      const { text } = await ask(`${origin}/metrics`);
      assert.deepEqual(
        [...text.matchAll(/^sockshootout_jobs_total\{transport="(.*?)".*\} (\d+)$/gm)].map(([, ...pair]) => pair),
        [
          ['http', '2'],
          ['ws/job', '1'],
          ['ws/jobs', '3'],
        ],
      );
      shared.close();
    }));
});

describe('jobs that several servers know', () => {
  it('are made on one worker and polled, waited for and streamed on the other', () =>
    withFolder((folder) =>
      withTwoWorkers(
        async ([first, second]) => {
          const made = await make(first.origin, `run=${RUN}&least=40&most=40`);
          const told = { ...made, complete: true, durationMs: 40 };
          const [polled, waited, streamed] = await Promise.all([
            ask(`${second.origin}/job/${made.id}`),
            ask(`${second.origin}/job/${made.id}?wait=25000`),
            ask(`${second.origin}/job/events?ids=${made.id}`),
          ]);
          assert.deepEqual(polled.answer, polled.answer.complete ? told : made);
          assert.deepEqual(waited.answer, told);
          assert.deepEqual(eventsOf(streamed.text), [told]);
        },
        { DATA_DIR: folder },
      ),
    ));

  it('are those of one JOB_SECRET, or of one store, and of no other', () =>
    withFolder((folder) => {
      const shared = { JOB_SECRET: 'sixteen-or-more-characters' };
      return withServer({ env: shared }, (first) =>
        withServer({ env: shared }, (second) =>
          withServer({ env: { DATA_DIR: folder } }, (third) =>
            withServer({ env: { DATA_DIR: folder } }, async (fourth) => {
              const servers = [first, second, third, fourth];
              const ids = await Promise.all(servers.map(async ({ origin }) => (await make(origin)).id));
              const statuses = await Promise.all(
                servers.map(({ origin }) =>
                  Promise.all(ids.map(async (id) => (await ask(`${origin}/job/${id}`)).status)),
                ),
              );
              assert.deepEqual(statuses, [
                [200, 200, 404, 404],
                [200, 200, 404, 404],
                [404, 404, 200, 200],
                [404, 404, 200, 200],
              ]);
            }),
          ),
        ),
      );
    }));

  // The process that made them, too: test/soak/jobs-process.test.js.
  it('outlast the server that made them', () =>
    withFolder(async (folder) => {
      const env = { DATA_DIR: folder };
      let made = { id: '' };
      await withServer({ env }, async ({ origin }) => (made = await make(origin, 'least=1&most=1')));
      await withServer({ env }, async ({ origin }) => {
        const { answer } = await ask(`${origin}/job/${made.id}?wait=25000`);
        assert.deepEqual(answer, { ...made, complete: true, durationMs: 1 });
      });
    }));
});

describe('an alarm', () => {
  it('never goes off before it is due, even where the timer does', async () => {
    let nowMs = 1000;
    const alarms = createAlarms({ limit: 9, now: () => nowMs });
    /** @type {number[]} */
    const actedAtMs = [];
    await new Promise((resolve) => {
      alarms.at(WAITER, 1003, () => resolve(actedAtMs.push(nowMs)));
      // By this clock a third of the time passes that passes for the timer.
      const clock = setInterval(() => nowMs++ >= 1003 && clearInterval(clock), 9);
    });
    assert.deepEqual(actedAtMs, [1003]);
    assert.equal(alarms.waitingCount(), 0);
  });

  it('gives its place back once, whether it goes off or is given up', () => {
    const alarms = createAlarms({ limit: 2, now: () => 0 });
    const act = () => assert.fail('it was given up');
    const giveUps = [1e6, 1e12].map((dueMs) => alarms.at(WAITER, dueMs, act));
    assert.throws(() => alarms.at(WAITER, 1e6, act), { code: 'busy' });
    for (const giveUp of [...giveUps, ...giveUps]) giveUp();
    assert.equal(alarms.waitingCount(), 0);
    const waits = [1e6, 1e12, 1e12].map((dueMs) => ({ dueMs, act }));
    assert.throws(() => alarms.atAll(WAITER, waits), { code: 'busy' });
    assert.equal(alarms.waitingCount(), 0, 'all or none');
    const giveUpBoth = alarms.atAll(WAITER, waits.slice(1));
    assert.equal(alarms.waitingCount(), 2);
    giveUpBoth();
    assert.equal(alarms.waitingCount(), 0);
  });
});

describe('a conversation that has ended', () => {
  it('waits for nothing, not even for a job whose answer ended it', () => {
    const alarms = createAlarms({ limit: 9 });
    /** @type {string[]} */
    const said = [];
    const conversation = createConversation(
      {
        jobs: createJobs({ secret: SECRET }),
        alarms,
        limits: { jobMessageBytes: 100, connectionJobCount: 9 },
        metrics: { jobMade() {}, refused() {} },
        traffic: { messageReceived() {}, notified() {} },
        transport: 'test',
        visitor: VISITOR,
        run: undefined,
      },
      { say: (text) => said.push(text) === 2 && conversation.onEnd(), close: () => assert.fail('nobody closed it') },
    );
    conversation.onMessage('{}');
    assert.equal(alarms.waitingCount(), 1);
    conversation.onMessage('{}');
    conversation.onMessage('{}');
    assert.deepEqual([alarms.waitingCount(), said.length], [0, 2]);
  });
});

/** @param {Server} server */
function count(server) {
  return new Promise((resolve, reject) =>
    server.getConnections((error, connections) => (error ? reject(error) : resolve(connections))),
  );
}

/** @param {() => Promise<boolean>} check */
async function untilTrue(check) {
  while (!(await check())) await new Promise(setImmediate);
}

/** @param {(folder: string) => Promise<unknown>} use */
async function withFolder(use) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-jobs-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
