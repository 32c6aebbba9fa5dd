import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drawDurationMs } from '../../../core/net/delivery/job.js';
import { createBytesInFlight } from '../../../server/http/body.js';
import { LIMITS } from '../../../server/http/limits.js';
import { createConversation } from '../../../server/endpoints/job-channel.js';
import { createAlarms } from '../../../server/endpoints/alarms.js';
import { createJobs } from '../../../server/endpoints/jobs.js';
import { ask, LONG, RUN, untilTrue } from '../../support/job-client.js';
import { openServer } from '../../support/server.js';
import { openSocketioSession } from '../../support/socketio-session.js';
import { openSession } from '../../support/sockjs-session.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

/** @import { TestServer } from '../../support/server.js' */

/** Each opens one connection for many jobs. */
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
  ...Object.fromEntries(
    ['polling', 'websocket'].map((transport) => [
      `Socket.IO by ${transport}`,
      (/** @type {number} */ port, query = '') =>
        openSocketioSession(`http://127.0.0.1:${port}/socket.io/jobs${query}`, { transports: [transport] }),
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

    it('answers in the order of the messages, notifies of each job when it is due, and stays open', async () => {
      const connection = await open(server.port, `?trial=${RUN}`);
      const seeds = [1, 2, 3, 4, 5];
      for (const seed of seeds) connection.send(JSON.stringify({ seed, min: 0, max: 30 }));
      /** @type {any[]} */
      const made = [];
      /** @type {Map<string, any>} */
      const notified = new Map();
      while (notified.size < seeds.length) {
        const answer = JSON.parse(await connection.next());
        if (answer.complete) {
          assert.ok(Date.now() >= answer.createTime + answer.durationMs);
          assert.ok(!notified.has(answer.id));
          notified.set(answer.id, answer);
        } else made.push(answer);
      }
      assert.deepEqual(
        made.map(({ id }) => notified.get(id).durationMs),
        seeds.map((seed) => drawDurationMs({ seed, minMs: 0, maxMs: 30 })),
      );
      for (const answer of notified.values())
        assert.deepEqual((await ask(`${server.origin}/job/${answer.id}`)).answer, answer);
      connection.close();
    });

    it('answers a wrong message in its turn, and goes on', async () => {
      const connection = await open(server.port);
      for (const [message, code] of [
        ['', 'bad-json'],
        ['[]', 'bad-json'],
        ['null', 'bad-json'],
        ['{"seed":"1"}', 'bad-option'],
        ['{"seed":1.5}', 'bad-option'],
        ['{"min":null}', 'bad-option'],
        ['{"min":5,"max":4}', 'bad-option'],
        ['{"__proto__":1}', 'bad-option'],
        [`{"run":"${RUN}"}`, 'bad-option'],
      ]) {
        connection.send(message);
        assert.equal(JSON.parse(await connection.next()).error.code, code, message);
      }
      connection.send('{"max":0}');
      assert.equal(JSON.parse(await connection.next()).complete, false);
      assert.equal(JSON.parse(await connection.next()).complete, true);
      connection.close();
    });

    it('takes jobs up to its limit, and refuses the next as busy', async () => {
      const connection = await open(server.port);
      for (let i = 0; i <= 20; i++) connection.send('{"min":600000,"max":600000}');
      for (let i = 0; i < 20; i++) assert.equal(JSON.parse(await connection.next()).complete, false);
      assert.equal(JSON.parse(await connection.next()).error.code, 'busy');
      connection.close();
    });

    it('is closed with 1009 after a message above 1 KiB', async () => {
      const connection = await open(server.port);
      connection.send(`{"seed":1${' '.repeat(1024)}}`);
      const { code } = await connection.closed;
      // Socket.IO's client learns no code where it is told to disconnect first.
      if (!name.startsWith('Socket.IO')) assert.equal(code, 1009);
    });
  });
}

describe('one connection with more jobs than a user of a run can have', () => {
  const COUNT = 1000;
  /** @type {TestServer} */
  let server;
  // This server has the limits of a normal start.
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const [name, open] of Object.entries(SHARED)) {
    it(`notifies of 1,000 jobs while 1,000 others wait: ${name}`, async () => {
      const connection = await open(server.port);
      for (let i = 0; i < COUNT; i++) connection.send('{"min":600000,"max":600000}');
      for (let i = 0; i < COUNT; i++) connection.send('{"min":0,"max":100}');
      /** @type {Set<string>} */
      const notified = new Set();
      for (let i = 0; i < 3 * COUNT; i++) {
        const answer = JSON.parse(await connection.next());
        assert.equal(answer.error, undefined);
        if (answer.complete) notified.add(answer.id);
      }
      assert.equal(notified.size, COUNT);
      connection.close();
    });
  }
});

describe('a WebSocket per job', () => {
  it('creates a job by opening, notifies of it once, when it is due, and is closed with 1000', () =>
    withServer({}, async ({ origin, port }) => {
      const socket = await openWebSocket(`ws://127.0.0.1:${port}/ws/job?trial=${RUN}&seed=3&min=5&max=30`);
      const notified = JSON.parse(await socket.next());
      const durationMs = drawDurationMs({ seed: 3, minMs: 5, maxMs: 30 });
      assert.deepEqual(notified, { id: notified.id, createTime: notified.createTime, complete: true, durationMs });
      assert.ok(Date.now() >= notified.createTime + durationMs);
      assert.equal((await socket.closed).code, 1000);
      assert.deepEqual((await ask(`${origin}/job/${notified.id}`)).answer, notified);
    }));

  it('gives back the place of a visitor who has gone', () =>
    withServer({ limits: { jobSessionCount: 1 } }, async ({ port }) => {
      const url = `ws://127.0.0.1:${port}/ws/job?${LONG}`;
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

describe('the handshakes of the sockets of jobs', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());
  for (const [socketPath, status] of /** @type {const} */ ([
    ['/ws/job?max=x', 400],
    ['/ws/job?trial=x', 400],
    ['/ws/jobs?max=1', 400],
    ['/jobs/websocket?trial=x', 400],
    ['/socket.io/jobs/?EIO=4&transport=websocket&trial=x', 400],
    ['/ws/none', 404],
  ])) {
    it(`answers a handshake at ${socketPath} with ${status}`, () =>
      assert.rejects(openWebSocket(`ws://127.0.0.1:${server.port}${socketPath}`), new RegExp(`status ${status}`)));
  }
});

describe('a conversation that has ended', () => {
  it('waits for nothing, not even for a job whose answer ended it', () => {
    const alarms = createAlarms({ limit: 9 });
    /** @type {string[]} */
    const said = [];
    const conversation = createConversation(
      {
        jobs: createJobs({ secret: Buffer.from('a secret of this test') }),
        alarms,
        inFlight: createBytesInFlight(0),
        limits: { ...LIMITS, jobMessageBytes: 100, connectionJobCount: 9 },
        metrics: { jobMade() {}, refused() {} },
        traffic: { messageReceived() {}, notified() {} },
        transport: 'test',
        visitor: '192.0.2.1',
        trialId: undefined,
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
