/**
 * Sessions of Socket.IO whose requests come to several workers.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { io } from 'socket.io-client';
import { findFreePorts } from '../../../cli/program/free-ports.js';
import { ownerOf } from '../../../server/workers.js';
import '../../support/lean.js';
import { createLinesLog } from '../../support/lines-log.js';
import { frame, openRaw, requestHead, upgradeHead } from '../../support/payload-client.js';
import { sendRaw } from '../../support/raw-http.js';
import {
  messageOf,
  openPolling,
  openSocketioSession,
  POLLING,
  upgradeSession,
  WEBSOCKET,
} from '../../support/socketio-session.js';
import { withServer, withTwoWorkers, workerEnv } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { TestServer } from '../../support/server.js'
 */

const SHARED = { JOB_SECRET: 'a-secret-of-both-workers' };

/** The session that one worker opened, as it is reached through another. @param {TestServer} server @param {string} sid */
const pollPathOf = ({ origin }, sid) => `${origin}${POLLING}&sid=${sid}`;

/**
 * Opens a session at one worker, whose client goes on at another.
 *
 * @param {TestServer} at @param {TestServer} through
 */
async function openElsewhere(at, through) {
  const { sid } = await openPolling(at.origin);
  const url = pollPathOf(through, sid);
  const session = {
    sid,
    /** @param {string} body */
    post: async (body) => (await fetch(url, { method: 'POST', body })).status,
    poll: async () => (await (await fetch(url)).text()).split('\x1e'),
    /** @param {object} value */
    async ask(value) {
      assert.equal(await session.post(messageOf(value)), 200);
      return session.poll();
    },
  };
  assert.equal(await session.post('40'), 200);
  assert.match((await session.poll())[0], /^40\{/);
  return session;
}

/** @param {TestServer} server @returns {Promise<number[]>} of each worker */
async function readOpenSessions({ origin }) {
  const { workers } = await (await fetch(`${origin}/status`)).json();
  return workers.map((/** @type {{ openSessions: number }} */ { openSessions }) => openSessions);
}

/** @param {TestServer} server */
async function untilNoneIsOpen(server) {
  for (let counts = [1]; counts.some((count) => count > 0);) counts = await readOpenSessions(server);
}

describe('a session of Socket.IO’s that one worker holds', () => {
  it('has an ID that names its worker', () =>
    withTwoWorkers(async (workers) => {
      for (const [index, { origin, port }] of workers.entries()) {
        for (let i = 0; i < 8; i++) assert.equal(ownerOf((await openPolling(origin)).sid, 2), index);
        const { next } = await openWebSocket(`ws://127.0.0.1:${port}${WEBSOCKET}`);
        assert.equal(ownerOf(JSON.parse((await next()).slice(1)).sid, 2), index);
      }
    }, SHARED));

  it('is polled through the other', () =>
    withTwoWorkers(async ([first, second]) => {
      for (const [at, through] of [
        [first, second],
        [second, first],
      ]) {
        const session = await openElsewhere(at, through);
        assert.deepEqual(await session.ask({ count: 1 }), [messageOf({ count: 2 })]);
        const many = Array.from({ length: 500 }, (_, count) => messageOf({ count }));
        assert.equal(await session.post(many.join('\x1e')), 200);
        assert.equal((await session.poll()).length, 500);
        assert.deepEqual((await readOpenSessions(first)).toSorted(), [0, 1]);
        assert.equal(await session.post('1'), 200);
        await untilNoneIsOpen(first);
      }
    }, SHARED));

  it('is upgraded through the other, and closed from either side', () =>
    withTwoWorkers(async ([first, second]) => {
      for (const close of ['the client', 'the server']) {
        const { sid, poll } = await openElsewhere(first, second);
        const upgraded = await upgradeSession(second.port, /** @type {any} */ ({ sid, poll }));
        for (let count = 0; count < 100; count++) {
          assert.equal(await upgraded.ask(messageOf({ count })), messageOf({ count: count + 1 }));
        }
        const large = 'x'.repeat(900_000);
        assert.equal(
          (await upgraded.ask(messageOf({ count: 1, large }))).length,
          messageOf({ count: 1, large }).length,
        );
        assert.deepEqual(await readOpenSessions(first), [1, 0]);
        if (close === 'the client') upgraded.socket.close(1000);
        else upgraded.socket.send('bAAAA');
        const { code } = await upgraded.closed;
        assert.equal(code, close === 'the client' ? 1000 : 1008);
        await untilNoneIsOpen(first);
      }
    }, SHARED));

  it('ends where the connection through the other breaks, polling or upgraded', () =>
    withTwoWorkers(async ([first, second]) => {
      const { sid } = await openElsewhere(first, second);
      const client = await openRaw(second.port);
      client.send(requestHead(`${POLLING}&sid=${sid}`));
      await until(async () => (await countConnections(first)) > 0);
      client.socket.destroy();
      await untilNoneIsOpen(first);

      const session = await openElsewhere(first, second);
      const upgraded = await upgradeSession(second.port, /** @type {any} */ (session));
      await upgraded.ask(messageOf({ count: 1 }));
      upgraded.close();
      await untilNoneIsOpen(first);
    }, SHARED));

  it('is read no faster than its answers are, through the other', () =>
    withTwoWorkers(async ([first, second]) => {
      const session = await openElsewhere(first, second);
      const { socket, next, closed } = await upgradeSession(second.port, /** @type {any} */ (session));
      socket.pause();
      const message = messageOf({ count: 1, body: 'x'.repeat(100_000) });
      const COUNT = 500;
      for (let i = 0; i < COUNT; i++) socket.send(message);
      for (let still = 0, last = -1; still < 200;) {
        await new Promise(setImmediate);
        still = socket.bufferedAmount === last ? still + 1 : 0;
        last = socket.bufferedAmount;
      }
      assert.ok(socket.bufferedAmount > 0, 'the workers read no further');
      socket.resume();
      for (let i = 0; i < COUNT; i++) assert.equal((await next()).length, message.length);
      socket.close();
      await closed;
    }, SHARED));

  it('is used by the library’s own client, whichever worker its requests come to', () =>
    withTwoWorkers(async ([first, second]) => {
      const proxy = await openAlternatingProxy([first.port, second.port]);
      try {
        for (let i = 0; i < 8; i++) {
          const session = await openSocketioSession(`${proxy.origin}/socket.io`);
          await session.upgraded;
          for (let count = 0; count < 10; count++) assert.deepEqual(await session.ask({ count }), { count: count + 1 });
          session.close();
          await session.closed;
        }
        await untilNoneIsOpen(first);
        // A handshake, a post, a poll and an upgrade, at least.
        assert.ok(proxy.connectionCount() >= 8 * 4);
      } finally {
        await proxy.close();
      }
    }, SHARED));

  it('is not closed by a visitor who asks for it as a worker would', () =>
    withTwoWorkers(async ([first, second], port) => {
      const { sid, ask } = await openElsewhere(first, second);
      const path = `/socket.io/close?EIO=4&sid=${sid}`;
      for (const [origin, headers] of /** @type {[string, Record<string, string>][]} */ ([
        [first.origin, {}],
        [second.origin, {}],
        [`http://127.0.0.1:${port + 1}`, { 'x-forwarded-for': '127.0.0.1' }],
      ])) {
        assert.equal((await fetch(origin + path, { method: 'POST', headers })).status, 404);
      }
      assert.deepEqual(await ask({ count: 1 }), [messageOf({ count: 2 })]);
    }, SHARED));

  it('that there is not is refused by the worker that would hold it', () =>
    withTwoWorkers(async ([first, second]) => {
      for (let i = 0; i < 8; i++) {
        for (const { origin, port } of [first, second]) {
          const response = await fetch(`${origin}${POLLING}&sid=unknown-${i}`);
          assert.deepEqual([response.status, (await response.json()).error.code], [400, 'no-session']);
          const answer = await sendRaw(port, upgradeHead(`${WEBSOCKET}&sid=unknown-${i}`));
          assert.match(answer, /^HTTP\/1\.1 400 [^]*"no-session"/);
        }
      }
    }, SHARED));
});

describe('a session of Socket.IO’s whose worker is gone', () => {
  it('gets 502 for a request and for an upgrade', async () => {
    const port = await findFreePorts(3);
    const { log, lines } = createLinesLog();
    // The other worker never was.
    await withServer({ env: { ...SHARED, ...workerEnv(0, port) }, log }, async (server) => {
      const sid = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].find((id) => ownerOf(id, 2) === 1);
      for (const method of ['GET', 'POST']) {
        const response = await fetch(pollPathOf(server, String(sid)), { method });
        assert.deepEqual([response.status, (await response.json()).error.code], [502, 'owner-lost'], method);
      }
      const answer = await sendRaw(server.port, upgradeHead(`${WEBSOCKET}&sid=${sid}`));
      assert.match(answer, /^HTTP\/1\.1 502 [^]*"owner-lost"/);
    });
    assert.equal(lines.filter(({ msg, owner }) => msg === 'relay failed' && owner === 1).length, 3);
  });

  it('ends with its relayed WebSocket', async () => {
    const port = await findFreePorts(3);
    await withServer({ env: { ...SHARED, ...workerEnv(1, port) } }, async (second) => {
      await withServer({ env: { ...SHARED, ...workerEnv(0, port) } }, async (first) => {
        const session = await openElsewhere(first, second);
        const upgraded = await upgradeSession(second.port, /** @type {any} */ (session));
        await upgraded.ask(messageOf({ count: 1 }));
        const drained = first.drain();
        assert.equal(await upgraded.next(), '41');
        assert.equal((await upgraded.closed).code, 1001);
        await drained;
        const again = await fetch(pollPathOf(second, session.sid));
        assert.ok([400, 502].includes(again.status));
      });
    });
  });
});

describe('a worker that drains', () => {
  it('has its relayed sessions told: those that poll, and those with a WebSocket', () =>
    withTwoWorkers(async ([first, second]) => {
      const session = await openElsewhere(first, second);
      const upgraded = await upgradeSession(second.port, /** @type {any} */ (session));
      await upgraded.ask(messageOf({ count: 1 }));
      const polling = await openElsewhere(first, second);
      const client = await openRaw(second.port);
      client.send(requestHead(`${POLLING}&sid=${polling.sid}`));
      await until(async () => (await countConnections(first)) > 1);
      const own = await openElsewhere(first, first);
      const drained = second.drain();
      assert.equal(await upgraded.next(), '41');
      assert.deepEqual(await upgraded.closed, { code: 1001, reason: 'Server is going away' });
      await client.closed;
      assert.match(client.text(), /^HTTP\/1\.1 200 [^]*41/);
      await drained;
      // What does not go through it goes on.
      assert.deepEqual(await own.ask({ count: 1 }), [messageOf({ count: 2 })]);
      assert.deepEqual((await readOpenSessions(first))[0], 1);
    }, SHARED));
});

describe('a feed’s session, which is to be opened again', () => {
  for (const drains of ['the worker that holds it', 'the worker that relays it']) {
    it(`ends as a connection that breaks where ${drains} drains`, () =>
      withTwoWorkers(async ([first, second]) => {
        const made = await fetch(`${first.origin}/feed?rate=20&count=400`, { method: 'POST' });
        const { id } = /** @type {any} */ (await made.json());
        const proxy = await openAlternatingProxy([first.port, ...Array.from({ length: 20 }, () => second.port)]);
        const options = { path: '/socket.io/feeds', query: { feed: id }, reconnection: false };
        const socket = io(proxy.origin, options);
        try {
          await new Promise((resolve) => socket.on('connect', () => resolve(undefined)));
          const { engine } = socket.io;
          if (engine.transport.name === 'polling') await new Promise((resolve) => engine.once('upgrade', resolve));
          const ended = new Promise((resolve) => socket.on('disconnect', resolve));
          const drained = (drains === 'the worker that holds it' ? first : second).drain();
          assert.equal(await ended, 'transport close');
          await drained;
        } finally {
          socket.disconnect();
          await proxy.close();
        }
      }, SHARED));
  }
});

describe('the places of relayed sessions', () => {
  it('are free again after the end', async () => {
    const port = await findFreePorts(3);
    const limits = { sessionCount: 8 };
    await withServer({ env: { ...SHARED, ...workerEnv(0, port) }, limits }, (first) =>
      withServer({ env: { ...SHARED, ...workerEnv(1, port) }, limits }, async (second) => {
        for (let round = 0; round < 12; round++) {
          const session = await openElsewhere(first, second);
          const upgraded = await upgradeSession(second.port, /** @type {any} */ (session));
          await upgraded.ask(messageOf({ count: 1 }));
          upgraded.socket.close();
          await upgraded.closed;
          await untilNoneIsOpen(first);
        }
        // The connections have gone a moment later.
        await until(async () => (await countConnections(first)) === 0);
        for (let i = 0; i < 5; i++) await openPolling(first.origin);
      }),
    );
  });

  it('are taken back where the relayed upgrade is refused', async () => {
    const port = await findFreePorts(3);
    const limits = { sessionCount: 2 };
    await withServer({ env: { ...SHARED, ...workerEnv(0, port) }, limits }, (first) =>
      withServer({ env: { ...SHARED, ...workerEnv(1, port) }, limits }, async (second) => {
        const unknown = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].find((id) => ownerOf(id, 2) === 0);
        for (let i = 0; i < 6; i++) {
          const client = await openRaw(second.port);
          client.send(upgradeHead(`${WEBSOCKET}&sid=${unknown}`));
          client.send(frame('2probe'));
          await client.closed;
          assert.match(client.text(), /^HTTP\/1\.1 (400|503) /);
        }
        await until(async () => (await countConnections(second)) === 0);
        await openPolling(first.origin);
        await openPolling(second.origin);
        await openPolling(second.origin);
      }),
    );
  });
});

/** Counts what is open at the worker's own port, where only the other workers come. @param {TestServer} server @returns {Promise<number>} */
const countConnections = ({ ownServer }) =>
  new Promise((resolve, reject) =>
    ownServer?.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** @param {() => Promise<boolean>} isSo */
async function until(isSo) {
  while (!(await isSo())) await new Promise(setImmediate);
}

/** Gives each connection to the next port in turn; Node's own clients open one for each request. @param {readonly number[]} ports */
async function openAlternatingProxy(ports) {
  let turn = 0;
  const proxy = createServer((client) => {
    const server = connect(ports[turn++ % ports.length], '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = /** @type {AddressInfo} */ (proxy.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    connectionCount: () => turn,
    close: () => new Promise((resolve) => proxy.close(resolve)),
  };
}
