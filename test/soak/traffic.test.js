import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import '../support/lean.js';
import { messageOf, openPolling, openSocketioSession, upgradeSession, valueOf } from '../support/socketio-session.js';
import { openSession } from '../support/sockjs-session.js';
import { withServer, withTwoWorkers } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';
import { withFolder } from '../support/folder.js';

/**
 * A proxy that counts what passes each way: the truth for whatever claims to know how many bytes there were.
 */

/** @import { AddressInfo, Socket } from 'node:net' */

/**
 * @param {number} port of the server behind it, on this machine
 */
async function openCountingProxy(port) {
  const counts = { toServerBytes: 0, fromServerBytes: 0, openCount: 0 };
  /** @type {Set<Socket>} */
  const sockets = new Set();
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    counts.openCount++;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
    }
    client.on('data', ({ length }) => (counts.toServerBytes += length));
    server.on('data', ({ length }) => (counts.fromServerBytes += length));
    server.on('close', () => {
      counts.openCount--;
      proxy.emit('settled');
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = /** @type {AddressInfo} */ (proxy.address());
  return {
    port: own.port,
    origin: `http://127.0.0.1:${own.port}`,
    counts,
    /** Resolves when no connection is open. */
    async closed() {
      while (counts.openCount > 0) await once(proxy, 'settled');
    },
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}

const RUN = 'run-of-bytes';
/** Where sessions of Socket.IO make jobs. */
const JOBS = `/socket.io/jobs/?EIO=4&trial=${RUN}`;
const OTHER_RUN = 'another_run_';
const NONE = { requestCount: 0, messageCount: 0, notifiedCount: 0, receivedBytes: 0, sentBytes: 0, openCount: 0 };

/**
 * @param {{ origin: string }} server
 * @param {string} [run]
 * @returns {Promise<any>}
 */
async function readTraffic({ origin }, run = RUN) {
  const response = await fetch(`${origin}/traffic/${run}`);
  assert.equal(response.status, 200);
  return response.json();
}

/** @param {{ origin: string }} server */
async function isAnyOpen(server) {
  const { workers } = await readTraffic(server);
  return workers.some((/** @type {{ openCount: number }} */ { openCount }) => openCount > 0);
}

/**
 * All workers together, as soon as nothing is open any more.
 *
 * @param {{ origin: string }} server
 * @param {string} [run]
 */
async function readSettled(server, run) {
  for (;;) {
    const { workers } = await readTraffic(server, run);
    const sum = Object.fromEntries(
      Object.keys(NONE).map((name) => [
        name,
        workers.reduce((/** @type {number} */ total, /** @type {any} */ worker) => total + worker[name], 0),
      ]),
    );
    if (sum.openCount === 0) return sum;
  }
}

/**
 * A connection on which requests are written as they stand here, so that each one's bytes are known, and its answer's.
 *
 * @param {number} port
 */
async function openRaw(port) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    socket.emit('more');
  });
  return {
    /**
     * @param {string} method
     * @param {string} target
     * @param {{ body?: string, parts?: number }} [options] `parts` is how many pieces it is sent in
     */
    async ask(method, target, { body, parts = 1 } = {}) {
      received = Buffer.alloc(0);
      const length = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      const text = `${method} ${target} HTTP/1.1\r\nHost: x\r\n${length}\r\n${body ?? ''}`;
      for (let part = 0; part < parts; part++) {
        const [from, to] = [part, part + 1].map((index) => Math.floor((index * text.length) / parts));
        await new Promise((resolve) => socket.write(text.slice(from, to), resolve));
        // For the server to read it by itself.
        if (part < parts - 1) await new Promise(setImmediate);
      }
      while (!isWhole(received)) await once(socket, 'more');
      const answer = received.toString();
      return {
        text: answer.slice(answer.indexOf('\r\n\r\n') + 4),
        sentBytes: Buffer.byteLength(text),
        receivedBytes: received.length,
      };
    },
    close: () => socket.destroy(),
  };
}

/** @param {Buffer} received */
function isWhole(received) {
  const text = received.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  if (/transfer-encoding: chunked/i.test(text)) return text.endsWith('0\r\n\r\n');
  const [, length] = /content-length: (\d+)/i.exec(text) ?? [];
  return text.length >= end + 4 + Number(length);
}

/**
 * Ways to have two jobs done, in which nothing else goes over the connections; each gives the requests and messages that
 * it made, and how often it was notified.
 *
 * @type {Record<string, (origin: string, server: { origin: string }) =>
 *   Promise<{ requestCount?: number, messageCount: number, notifiedCount: number }>>}
 */
const WAYS = {
  polls: async (origin) => {
    let requestCount = 0;
    for (let job = 0; job < 2; job++) {
      requestCount++;
      const { id } = await (await fetch(`${origin}/job?trial=${RUN}&max=20`, { method: 'POST' })).json();
      for (let complete = false; !complete;) {
        requestCount++;
        ({ complete } = await (await fetch(`${origin}/job/${id}`)).json());
      }
    }
    return { requestCount, messageCount: 0, notifiedCount: 0 };
  },
  'long polls': async (origin) => {
    for (const [durationMs, wait] of [
      [600_000, 5],
      [0, 25_000],
    ]) {
      const query = `trial=${RUN}&min=${durationMs}&max=${durationMs}`;
      const { id } = await (await fetch(`${origin}/job?${query}`, { method: 'POST' })).json();
      const { complete } = await (await fetch(`${origin}/job/${id}?wait=${wait}`)).json();
      assert.equal(complete, durationMs === 0);
    }
    // Only the first was held.
    return { requestCount: 4, messageCount: 0, notifiedCount: 1 };
  },
  'a stream of events': async (origin) => {
    const ids = [];
    for (let job = 0; job < 2; job++) {
      ids.push((await (await fetch(`${origin}/job?trial=${RUN}&max=20`, { method: 'POST' })).json()).id);
    }
    const events = await (await fetch(`${origin}/job/events?ids=${ids}`)).text();
    assert.equal(events.match(/^data: /gm)?.length, 2);
    return { requestCount: 3, messageCount: 0, notifiedCount: 2 };
  },
  'a WebSocket per job': async (origin) => {
    for (let job = 0; job < 2; job++) {
      const { closed } = await openWebSocket(`${origin.replace('http', 'ws')}/ws/job?trial=${RUN}&max=20`);
      assert.equal((await closed).code, 1000);
    }
    return { requestCount: 2, messageCount: 0, notifiedCount: 2 };
  },
  'one WebSocket': async (origin) => {
    const { socket, next, closed } = await openWebSocket(`${origin.replace('http', 'ws')}/ws/jobs?trial=${RUN}`);
    for (const message of ['{"max":20}', '{"max":20}', 'wrong']) socket.send(message);
    for (let answers = 0; answers < 5; answers++) await next();
    socket.close();
    await closed;
    return { requestCount: 1, messageCount: 3, notifiedCount: 2 };
  },
  ...Object.fromEntries(
    ['websocket', 'xhr-streaming', 'xhr-polling'].map((transport) => [
      `SockJS by ${transport}`,
      async (/** @type {string} */ origin, /** @type {{ origin: string }} */ server) => {
        const session = await openSession(`${origin}/jobs?trial=${RUN}`, transport);
        for (let job = 0; job < 2; job++) session.send('{"max":20}');
        for (let answers = 0; answers < 4; answers++) await session.next();
        // A poll that is given up on its way to the server is none that it could book.
        while (!(await isAnyOpen(server)));
        session.close();
        await session.closed;
        // How many requests a fallback makes is its own affair.
        return { requestCount: transport === 'websocket' ? 2 : undefined, messageCount: 2, notifiedCount: 2 };
      },
    ]),
  ),
  ...Object.fromEntries(
    [['polling'], ['polling', 'websocket'], ['websocket']].map((transports) => [
      `Socket.IO by ${transports.join(', then ')}`,
      async (/** @type {string} */ origin, /** @type {{ origin: string }} */ server) => {
        const session = await openSocketioSession(`${origin}/socket.io/jobs?trial=${RUN}`, { transports });
        if (transports.length === 2) await session.upgraded;
        for (let job = 0; job < 2; job++) session.send('{"max":20}');
        for (let answers = 0; answers < 4; answers++) await session.next();
        while (!(await isAnyOpen(server)));
        session.close();
        await session.closed;
        return { requestCount: transports[0] === 'websocket' ? 1 : undefined, messageCount: 2, notifiedCount: 2 };
      },
    ]),
  ),
};

describe('/traffic', () => {
  for (const [name, carryOut] of Object.entries(WAYS)) {
    it(`has every byte of ${name}, both ways, and all that was served`, () =>
      withServer({}, async (server) => {
        const proxy = await openCountingProxy(server.port);
        try {
          const before = await readServed(server);
          const counted = await carryOut(proxy.origin, server);
          const { requestCount, messageCount, notifiedCount, receivedBytes, sentBytes } = await readSettled(server);
          const { toServerBytes, fromServerBytes } = proxy.counts;
          assert.ok(toServerBytes > 0 && fromServerBytes > 0);
          assert.deepEqual([receivedBytes, sentBytes], [toServerBytes, fromServerBytes]);
          assert.deepEqual([messageCount, notifiedCount], [counted.messageCount, counted.notifiedCount]);
          assert.equal((await readServed(server)) - before, requestCount + messageCount + notifiedCount);
          if (counted.requestCount !== undefined) assert.equal(requestCount, counted.requestCount);
        } finally {
          await proxy.close();
        }
      }));
  }

  it('books to a run nothing of what else goes over its connection: echoes, pages, or another run', () =>
    withServer({}, async (server) => {
      const raw = await openRaw(server.port);
      try {
        const long = 'x'.repeat(20_000);
        /** @type {Parameters<typeof raw.ask>[]} */
        const others = [
          ['GET', '/ajaxecho?count=1'],
          ['POST', '/ajaxecho', { body: `{"count":1,"body":"${long}"}`, parts: 3 }],
          ['GET', '/healthz'],
          ['POST', '/api/results', { body: long, parts: 3 }],
          ['GET', `/traffic/${RUN}`],
        ];
        /** @type {Record<string, { requestCount: number, receivedBytes: number, sentBytes: number }>} */
        const expected = {};
        /** @type {(run: string, ...args: Parameters<typeof raw.ask>) => Promise<any>} */
        const askFor = async (run, ...args) => {
          const { text, sentBytes, receivedBytes } = await raw.ask(...args);
          const sum = (expected[run] ??= { requestCount: 0, receivedBytes: 0, sentBytes: 0 });
          sum.requestCount++;
          sum.receivedBytes += sentBytes;
          sum.sentBytes += receivedBytes;
          return text;
        };
        for (const run of [RUN, OTHER_RUN]) {
          for (const other of others) {
            await raw.ask(...other);
            const body = { body: 'as in 2018', parts: 4 };
            const { id } = JSON.parse(await askFor(run, 'POST', `/job?trial=${run}&min=5&max=10`, body));
            await raw.ask(...other);
            await askFor(run, 'GET', `/job/${id}`);
            await raw.ask(...other);
            await askFor(run, 'GET', `/job/${id}?wait=25000`, { parts: 2 });
            await raw.ask(...other);
            await askFor(run, 'GET', `/job/events?ids=${id}`);
          }
        }
        await raw.ask('POST', '/job?max=5');
        for (const run of [RUN, OTHER_RUN]) {
          const { requestCount, receivedBytes, sentBytes } = await readSettled(server, run);
          assert.deepEqual({ requestCount, receivedBytes, sentBytes }, expected[run]);
        }
      } finally {
        raw.close();
      }
    }));

  it('says how much is still open, and has its bytes when that is closed, even if the visitor just left', () =>
    withServer({}, async (server) => {
      const proxy = await openCountingProxy(server.port);
      try {
        const url = `${proxy.origin.replace('http', 'ws')}/ws/job?trial=${RUN}&min=600000&max=600000`;
        const sockets = [await openWebSocket(url), await openWebSocket(url)];
        assert.deepEqual((await readTraffic(server)).workers.map(pickFigures), [
          { ...NONE, requestCount: 2, openCount: 2 },
        ]);
        for (const { close } of sockets) close();
        await proxy.closed();
        const { receivedBytes, sentBytes } = await readSettled(server);
        assert.deepEqual([receivedBytes, sentBytes], [proxy.counts.toServerBytes, proxy.counts.fromServerBytes]);
      } finally {
        await proxy.close();
      }
    }));

  it('adds up what two workers did, and counts once what one handed on to the other', () =>
    withFolder((folder) =>
      withTwoWorkers(
        async ([first, second]) => {
          const proxies = await Promise.all([first, second].map(({ port }) => openCountingProxy(port)));
          try {
            const before = await readServed(first);
            const [at, elsewhere] = proxies.map(({ origin }) => origin);
            const { id } = await (await fetch(`${at}/job?trial=${RUN}&max=20`, { method: 'POST' })).json();
            await (await fetch(`${elsewhere}/job/${id}?wait=25000`)).json();
            // Of eight sessions some belong to either worker.
            for (let i = 0; i < 8; i++) await WAYS[`SockJS by xhr-${i % 2 ? 'polling' : 'streaming'}`](at, first);
            // A session of Socket.IO is held by the worker that opened it; each of its requests may come to either.
            for (const transport of ['polling', 'websocket']) {
              const opened = await openPolling(at, { path: JOBS });
              await useElsewhere(transport, opened, { ...second, origin: elsewhere, port: proxies[1].port });
            }
            const sum = await readSettled(second);
            const total = (/** @type {'toServerBytes' | 'fromServerBytes'} */ name) =>
              proxies.reduce((bytes, { counts }) => bytes + counts[name], 0);
            assert.deepEqual([sum.receivedBytes, sum.sentBytes], [total('toServerBytes'), total('fromServerBytes')]);
            assert.equal(sum.messageCount, 16 + 4);
            assert.equal((await readServed(first)) - before, sum.requestCount + sum.messageCount + sum.notifiedCount);
            const { workers } = await readTraffic(first);
            assert.deepEqual(
              workers.map((/** @type {any} */ { worker }) => worker),
              [0, 1],
            );
            assert.ok(workers.every((/** @type {any} */ { requestCount }) => requestCount > 0));
          } finally {
            await Promise.all(proxies.map((proxy) => proxy.close()));
          }
        },
        { DATA_DIR: folder },
      ),
    ));

  it('counts everybody’s requests, upgrades, messages and notifications, but not who asks for this', () =>
    withServer({}, async (server) => {
      const { origin, port } = server;
      const before = await readServed(server);
      for (const target of ['/', '/nowhere', '/ajaxecho?count=1', '/xhr?ping=1', '/job/x', '/echo/info']) {
        await (await fetch(origin + target)).text();
      }
      await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}/none`));
      const sockets = await Promise.all(
        ['/ws', '/echo/websocket', '/ws/jobs', '/echo2012/websocket'].map((target) =>
          openWebSocket(`ws://127.0.0.1:${port}${target}`),
        ),
      );
      await sockets[0].ask('ping');
      for (const { ask } of sockets) await ask('{"count":1}');
      const session = await openSession(`${origin}/echo`, 'websocket');
      await session.ask({ count: 1 });
      // A message, its answer, and one that tells.
      await sockets[2].ask('{"max":0}');
      await sockets[2].next();
      // A payload's beginning and its end.
      await (await fetch(`${origin}/payload/down?bytes=1`)).text();
      // Six, one, four, five, and of the session its /info, its upgrade and its message; two and two as said.
      const expected = before + 6 + 1 + 4 + 5 + 3 + 2 + 2;
      for (let served = 0; served < expected;) served = await readServed(server);
      assert.equal(await readServed(server), expected);
      for (const { close } of [...sockets, session]) close();
    }));

  it('counts what a visitor calls handed on by a worker, and counts it to its run', () =>
    withFolder((folder) =>
      withTwoWorkers(
        async ([first], port) => {
          const before = await readServed(first);
          // As a proxy hands it on, at the worker's own port.
          const headers = { 'x-sockshootout-relayed': '1', 'x-forwarded-for': '203.0.113.7' };
          for (const target of ['/ajaxecho?count=1', `/jobs/info?trial=${RUN}`]) {
            await (await fetch(`http://127.0.0.1:${port + 1}${target}`, { headers })).text();
          }
          assert.equal((await readServed(first)) - before, 2);
          assert.equal((await readSettled(first)).requestCount, 1);
        },
        { DATA_DIR: folder },
      ),
    ));

  it('tells the CPU time of the process, and when that began', () =>
    withServer({}, async (server) => {
      const usedMs = () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1000;
      };
      const beforeMs = usedMs();
      const first = (await readTraffic(server)).workers[0];
      const betweenMs = usedMs();
      while (usedMs() === betweenMs);
      const second = (await readTraffic(server)).workers[0];
      const readingsMs = [beforeMs, first.cpuMs, betweenMs, second.cpuMs, usedMs()];
      assert.deepEqual(
        readingsMs,
        readingsMs.toSorted((a, b) => a - b),
      );
      assert.ok(second.cpuMs > first.cpuMs);
      assert.equal(first.startedAt, new Date(performance.timeOrigin).toISOString());
    }));

  it('knows nothing of a trial that nobody named, and counts a worker that is down as silent', () =>
    withTwoWorkers(async ([first, second]) => {
      const { trialId, workers } = await readTraffic(first);
      assert.deepEqual([trialId, workers.map(pickFigures)], [RUN, [NONE, NONE]]);
      await second.close();
      const { workers: left, silentWorkerCount } = await readTraffic(first);
      assert.deepEqual([left.length, silentWorkerCount], [1, 1]);
    }));

  it('is read by no more than a number of visitors at a time', () =>
    withServer({ limits: { trafficReadCount: 0 } }, async ({ origin }) => {
      const response = await fetch(`${origin}/traffic/${RUN}`);
      assert.deepEqual([response.status, (await response.json()).error.code], [503, 'busy']);
    }));
});

describe('/traffic/own', () => {
  it('is answered to a worker at the own port, and to nobody else', () =>
    withTwoWorkers(async ([first], port) => {
      /** @param {string} origin @param {Record<string, string>} [headers] */
      const statusOf = async (origin, headers) => (await fetch(`${origin}/traffic/own/${RUN}`, { headers })).status;
      const own = `http://127.0.0.1:${port + 1}`;
      assert.equal(await statusOf(own), 200);
      assert.equal(await statusOf(own, { 'x-forwarded-for': '127.0.0.1' }), 404);
      assert.equal(await statusOf(first.origin), 404);
    }));
});

/**
 * Has two jobs done over a session that another worker opened, then closes it.
 *
 * @param {string} transport @param {{ sid: string }} session @param {{ origin: string, port: number }} server
 */
async function useElsewhere(transport, { sid }, { origin, port }) {
  const url = `${origin}${JOBS}&transport=polling&sid=${sid}`;
  const post = async (/** @type {string} */ body) => (await fetch(url, { method: 'POST', body })).text();
  const poll = async () => (await (await fetch(url)).text()).split('\x1e');
  await post('40');
  await poll();
  const job = messageOf('{"max":20}');
  if (transport === 'polling') {
    await post(`${job}\x1e${job}`);
    for (let answerCount = 0; answerCount < 4; answerCount += (await poll()).length);
    await post('1');
    return;
  }
  const { socket, next, closed } = await upgradeSession(port, /** @type {any} */ ({ sid, poll }), { path: JOBS });
  for (let i = 0; i < 2; i++) socket.send(job);
  for (let answers = 0; answers < 4; answers++) assert.ok(valueOf(await next()));
  socket.close();
  await closed;
}

/** @param {any} worker */
function pickFigures(worker) {
  return Object.fromEntries(Object.keys(NONE).map((name) => [name, worker[name]]));
}

/** @param {{ origin: string }} server */
async function readServed(server) {
  const { workers } = await readTraffic(server);
  return workers.reduce((/** @type {number} */ sum, /** @type {any} */ { servedCount }) => sum + servedCount, 0);
}
