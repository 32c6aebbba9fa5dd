/** Requests that no client of ours makes: each gets an answer, and the server holds nothing of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { LIMITS } from '../../server/http/limits.js';
import { createLog } from '../../server/telemetry/log.js';
import { frame, openRaw, upgradeHead } from '../support/payload-client.js';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { messageOf, openPackets, openPolling } from '../support/socketio-session.js';
import { listSocketPaths } from '../support/socket-paths.js';
import { withServer } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';

/**
 * @import { Socket } from 'node:net'
 * @import { TestServer } from '../support/server.js'
 */

const STRANGER = 'https://stranger.example';
const LONG_POLL = 'GET /reach/poll?ms=100 HTTP/1.1\r\nHost: x\r\n\r\n';

const SOCKET_PATHS = await listSocketPaths();

/** @type {[how: string, leave: (socket: Socket) => void][]} */
const LEAVING = [
  ['by a FIN', (socket) => void socket.destroy()],
  ['by a reset', (socket) => void socket.resetAndDestroy()],
];

/** Waits until it holds no session and no connection. @param {TestServer} server */
async function untilFree({ port, server }) {
  const countConnections = promisify(server.getConnections).bind(server);
  const status = 'GET /status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  while (!(await sendRaw(port, status)).includes('"openSessions":0,') || (await countConnections()) > 0) {
    // Those of the test's own requests.
    server.closeIdleConnections();
    await sleep(10);
  }
}

/** @param {TestServer} server */
async function assertAnswers({ origin }) {
  assert.deepEqual(await (await fetch(`${origin}/ajaxecho?count=1`)).json(), { count: 2 });
}

/** @param {string} answer */
const statusesOf = (answer) => [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

/** @param {string} path @param {string} [headers] */
const upgrade = (path, headers = '') => upgradeHead(path).replace('Host: localhost', `Host: localhost${headers}`);

describe('an upgrade to a probe that is refused', () => {
  for (const [what, query, headers] of [
    ['with a field that there is not', 'probe=example-1&x=1', ''],
    ['with two probes', 'probe=example-1&probe=example-2', ''],
    ['without one', '', ''],
    ['with a name that cannot be one', 'probe=x', ''],
    ['from another origin, with a field that there is not', 'probe=example-1&x=1', `\r\nOrigin: ${STRANGER}`],
    ['of another version', 'probe=example-1&x=1', '\r\nSec-WebSocket-Version: 8'],
  ]) {
    it(`${what} gets an answer`, () =>
      withServer({ env: { ALLOWED_ORIGINS: 'https://friend.example' } }, async (server) => {
        const answer = await sendRaw(server.port, upgrade(`/reach/ws?${query}`, headers));
        const [status] = statusesOf(answer);
        assert.equal(status, headers.includes('Origin') ? 403 : headers ? 426 : 400, answer);
        await assertAnswers(server);
      }));
  }

  it('is recorded where it names one, and only there', () =>
    withServer({ env: { ALLOWED_ORIGINS: 'https://friend.example' } }, async ({ origin, port }) => {
      for (const query of ['probe=example-1', 'probe=example-2&probe=example-2']) {
        await sendRaw(port, upgrade(`/reach/ws?${query}`, `\r\nOrigin: ${STRANGER}`));
      }
      const ask = async (/** @type {string} */ name) => (await fetch(`${origin}/reach/seen?probe=${name}`)).json();
      const { upgradeCount, refusal } = await ask('example-1');
      assert.deepEqual([upgradeCount, refusal], [1, 'origin-refused']);
      assert.equal((await ask('example-2')).upgradeCount, 0);
    }));
});

describe('an upgrade behind a request that is not answered yet', () => {
  for (const { example } of SOCKET_PATHS) {
    it(`is accepted after the answer, at ${example}`, () =>
      withServer({}, async (server) => {
        const client = await openRaw(server.port);
        client.send(LONG_POLL + upgradeHead(example));
        while (statusesOf(client.text()).length < 2) await once(client.socket, 'data');
        assert.deepEqual(statusesOf(client.text()), [200, 101]);
        client.socket.destroy();
        await assertAnswers(server);
      }));
  }

  it('is refused after the answer', () =>
    withServer({}, async (server) => {
      assert.deepEqual(statusesOf(await sendRaw(server.port, LONG_POLL + upgradeHead('/nothing'))), [200, 404]);
      assert.deepEqual(
        statusesOf(await sendRaw(server.port, LONG_POLL + LONG_POLL + upgradeHead('/reach/ws?probe=x'))),
        [200, 200, 400],
      );
      await assertAnswers(server);
    }));

  it('is dropped where the answer ends the connection', () =>
    withServer({}, async (server) => {
      const closing = 'GET /ajaxecho?count=1&close=1 HTTP/1.1\r\nHost: x\r\n\r\n';
      const answer = await sendRaw(server.port, LONG_POLL + closing + upgradeHead('/ws'));
      assert.deepEqual(statusesOf(answer), [200, 200]);
      await assertAnswers(server);
    }));

  it('waits for an answer that the client is slow to read', () =>
    withServer({}, async (server) => {
      const client = connect(server.port, '127.0.0.1');
      client.on('error', () => {});
      client.write(`GET /payload/down?bytes=8000000 HTTP/1.1\r\nHost: x\r\n\r\n${upgradeHead('/ws')}`);
      let bytes = 0;
      let end = '';
      for await (const chunk of client) {
        bytes += chunk.length;
        end = (end + chunk.toString('latin1')).slice(-2000);
        if (/HTTP\/1\.1 101 /.test(end)) break;
      }
      assert.ok(bytes > 8_000_000);
      await assertAnswers(server);
    }));

  for (const [how, leave] of LEAVING) {
    it(`is nothing where the client leaves before two answers, ${how}`, () =>
      withServer({}, async (server) => {
        const client = await openRaw(server.port);
        // The second is ready when the first has been sent, and cannot be sent any more.
        client.send(LONG_POLL + LONG_POLL.replace('100', '1') + upgradeHead('/ws'));
        await assertAnswers(server);
        leave(client.socket);
        await sendRaw(server.port, LONG_POLL.replace('Host: x', 'Host: x\r\nConnection: close'));
        await assertAnswers(server);
        await untilFree(server);
      }));

    it(`holds no stream before it when the client has left, ${how}`, () =>
      withServer({}, async (server) => {
        const client = await openRaw(server.port);
        client.send(`GET /sse/left-stream HTTP/1.1\r\nHost: x\r\n\r\n${upgradeHead('/ws')}${'x'.repeat(1000)}`);
        await client.received(1);
        leave(client.socket);
        await untilFree(server);
      }));
  }

  it('opens a WebSocket that is read, where many answers waited', () =>
    withServer({}, async (server) => {
      const client = await openRaw(server.port);
      const large = 'GET /payload/down?bytes=100000 HTTP/1.1\r\nHost: x\r\n\r\n';
      client.send(LONG_POLL + large + LONG_POLL + upgradeHead('/ws'));
      await client.received(100_000);
      client.send(frame('{"count":1}'));
      let end = '';
      while (!end.endsWith('{"count":0}')) end = String((await once(client.socket, 'data'))[0].toString('latin1'));
      client.socket.destroy();
      await untilFree(server);
    }));

  it('may not bring much that nobody can read yet', () =>
    withServer({}, async (server) => {
      const client = await openRaw(server.port);
      client.send(`${LONG_POLL.replace('100', '60000')}${upgradeHead('/ws')}${'x'.repeat(100_000)}`);
      await client.closed;
      await untilFree(server);
    }));

  it('takes along what came behind it', () =>
    withServer({}, async (server) => {
      const client = await openRaw(server.port);
      client.send(LONG_POLL + upgradeHead('/ws'));
      for (const text of ['{"count":1}', '{"count":2}']) {
        await assertAnswers(server);
        client.send(frame(text));
      }
      while (!client.text().endsWith('{"count":1}')) await once(client.socket, 'data');
      assert.match(client.text(), /\{"count":0\}.+\{"count":1\}$/);
      client.socket.destroy();
    }));
});

describe('a request that waits for 100 Continue', () => {
  const head = 'POST /payload/echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n';

  it('gets it', () =>
    withServer({}, async (server) => {
      const client = await openRaw(server.port);
      client.send(head);
      await client.received(1);
      client.send('body');
      while (!client.text().endsWith('body')) await once(client.socket, 'data');
      assert.deepEqual(statusesOf(client.text()), [100, 200]);
      client.socket.destroy();
    }));

  it('gets none in the midst of its answer, where it waits behind another', () =>
    withServer({}, async (server) => {
      const client = await openRaw(server.port);
      client.send(`${LONG_POLL}${head}body`);
      while (!client.text().endsWith('body')) await once(client.socket, 'data');
      assert.deepEqual(statusesOf(client.text()), [200, 200]);
      client.socket.destroy();
    }));
});

describe('a connection whose client has left', () => {
  for (const [how, leave] of LEAVING) {
    it(`is closed where more came behind a refused upgrade, ${how}`, () =>
      withServer({}, async (server) => {
        const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', () => {});
        socket.write(upgradeHead('/nothing'));
        await once(socket, 'data');
        socket.write('and more');
        await assertAnswers(server);
        leave(socket);
        await untilFree(server);
      }));

    it(`is closed where its request had a body that nobody reads, ${how}`, () =>
      withServer({}, async (server) => {
        const client = await openRaw(server.port);
        const head = 'GET /echo/000/unread/eventsource HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n';
        client.send(head + 'x'.repeat(300_000));
        await client.received(1);
        leave(client.socket);
        await untilFree(server);
      }));
  }

  it('is closed where a refused upgrade’s client stays', () =>
    withServer({}, async (server) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.write(upgradeHead('/nothing'));
      socket.resume();
      await untilFree(server);
      socket.destroy();
    }));
});

describe('a stream that is told to end, and is not read', () => {
  it('gets no more messages', async () => {
    const server = await openServer({ limits: { drainMs: 2000, idleGraceMs: 1000 } });
    const stream = connect(server.port, '127.0.0.1');
    stream.on('error', () => {});
    stream.write('GET /sse/unread-stream HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(stream, 'readable');
    stream.pause();
    const poster = await openRaw(server.port);
    const body = JSON.stringify({ count: 1, x: 'x'.repeat(900_000) });
    const post = `POST /sse/unread-stream HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    poster.send(post);
    await poster.received(1);
    const closed = server.close();
    poster.send(post);
    await poster.closed;
    assert.deepEqual(statusesOf(poster.text()), [204, 404]);
    stream.destroy();
    await closed;
  });
});

describe('more headers than a request may have', () => {
  const headers = Array.from({ length: LIMITS.headerCount }, (_, index) => `a${index}: x\r\n`).join('');
  for (const path of ['/ajaxecho?count=1', '/', '/api/results']) {
    it(`are refused at ${path}`, () =>
      withServer({}, async ({ port }) => {
        const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
        assert.deepEqual(statusesOf(answer), [431]);
        assert.match(answer, /"too-large"/);
      }));
  }

  it('are refused with an upgrade', () =>
    withServer({}, async ({ port }) => {
      const answer = await sendRaw(port, upgradeHead('/ws').replace('Host:', `${headers}Host:`));
      assert.deepEqual(statusesOf(answer), [431]);
    }));
});

describe('many upgrades that are ignored on one connection', () => {
  it('leave no listeners behind', () =>
    withServer({}, async ({ port }) => {
      /** @type {Error[]} */
      const warnings = [];
      const onWarning = (/** @type {Error} */ warning) => void warnings.push(warning);
      process.on('warning', onWarning);
      const client = await openRaw(port);
      for (let count = 1; count <= 30; count++) {
        client.send('GET /ajaxecho?count=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
        while (statusesOf(client.text()).length < count) await once(client.socket, 'data');
      }
      client.socket.destroy();
      await promisify(setImmediate)();
      process.off('warning', onWarning);
      assert.deepEqual(warnings, []);
    }));
});

describe('a fault of the server’s own', () => {
  /** @param {(server: TestServer, faultCount: () => number) => Promise<unknown>} use */
  const withFault = async (use) => {
    let count = 0;
    const log = createLog({ logLevel: 'silent' });
    log.error = () => void count++;
    const delayAnswer = () => {
      throw new Error('fault');
    };
    await withServer({ delayAnswer, log }, (server) => use(server, () => count));
  };

  it('is answered with 500, before the body and after it', () =>
    withFault(async ({ origin }, faultCount) => {
      for (const init of [{}, { method: 'POST', body: '{"count":1}' }]) {
        const response = await fetch(`${origin}/ajaxecho?count=1`, init);
        assert.deepEqual([response.status, (await response.json()).error.code], [500, 'internal']);
      }
      assert.equal(faultCount(), 2);
      assert.match(await (await fetch(`${origin}/metrics`)).text(), /errors_total\{code="internal",.*\} 2$/m);
    }));

  it('closes the session that it is in with 1011, and no other', () =>
    withFault(async ({ origin, port }, faultCount) => {
      const { socket, closed, next } = await openWebSocket(`ws://127.0.0.1:${port}/echo/000/x/websocket`);
      const other = await openWebSocket(`ws://127.0.0.1:${port}/ws`);
      assert.equal(await next(), 'o');
      socket.send('["{\\"count\\":1}"]');
      assert.match(await next(), /^c\[1011,/);
      await closed;
      const post = async (/** @type {string} */ action, body = '') =>
        (await fetch(`${origin}/echo/000/fault/${action}`, { method: 'POST', body })).text();
      assert.equal(await post('xhr'), 'o\n');
      await post('xhr_send', '["{\\"count\\":1}"]');
      assert.match(await post('xhr'), /^c\[1011,/);
      const packets = await openPackets(port);
      assert.equal(await packets.ask(messageOf({ count: 1 })), '41');
      assert.equal((await packets.closed).code, 1011);
      const polling = await (await openPolling(origin)).connect();
      await polling.post(messageOf({ count: 1 }));
      assert.deepEqual(await polling.poll(), ['41']);
      assert.equal(await other.ask('ping'), 'pong');
      other.close();
      assert.equal(faultCount(), 4);
    }));
});

describe('requests behind an answer that ends the connection', () => {
  it('are ignored', () =>
    withServer({ limits: { messageBytes: 65_536 } }, async (server) => {
      const path = '/jobs/a/b/xhr_streaming';
      const large = `POST ${path}?x=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 278995\r\n\r\n${'x'.repeat(278_995)}`;
      const chunked = `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
      // After the last of them nothing may come: what does is an error, while it is being answered.
      const behind = chunked + chunked.replace('HTTP/1.1', 'HTTP/0.9') + 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
      for (let round = 0; round < 5; round++) {
        assert.deepEqual(statusesOf(await sendRaw(server.port, large + behind)), [413]);
      }
      await assertAnswers(server);
    }));
});

describe('requests that do not wait for answers', () => {
  const ECHO = 'GET /ajaxecho?count=1 HTTP/1.1\r\nHost: x\r\n\r\n';
  const most = LIMITS.connectionRequestCount;

  it(`are answered in order, up to ${most}`, () =>
    withServer({}, async ({ port }) => {
      const client = await openRaw(port);
      client.send(LONG_POLL + ECHO.repeat(most - 1));
      while (statusesOf(client.text()).length < most) await once(client.socket, 'data');
      client.send(LONG_POLL + ECHO.repeat(most - 1));
      while (statusesOf(client.text()).length < 2 * most) await once(client.socket, 'data');
      assert.match(client.text(), /waitedMs[^]*"count":2[^]*waitedMs/);
      client.socket.destroy();
    }));

  it('end the connection where they are more', () =>
    withServer({}, async (server) => {
      assert.equal(await sendRaw(server.port, LONG_POLL + ECHO.repeat(most)), '');
      assert.equal(await sendRaw(server.port, LONG_POLL + ECHO.repeat(20 * most)), '');
      const figures = await (await fetch(`${server.origin}/metrics`)).text();
      assert.match(figures, /errors_total\{code="too-many",.*\} 2$/m);
      await assertAnswers(server);
    }));
});
