/**
 * The obstacles that other tests put before a server are what they say, for a bare WebSocket and a bare stream of events.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { before, describe, it } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, EventSource, fetch } from 'undici';
import { WebSocketServer } from 'ws';
import { createInbox } from '../../test/support/inbox.js';
import { OBSTACLE_NAMES, RESET_MS, withObstacle } from '../../test/support/obstacles/index.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { askHttp2 } from './support/https-client.js';
import { requireNginx } from './support/nginx.js';

/**
 * @import { IncomingHttpHeaders, ServerResponse } from 'node:http'
 * @import { AddressInfo, Socket } from 'node:net'
 * @import { ObstacleName } from '../../test/support/obstacles/index.js'
 */

const MIB = 1024 * 1024;
/** Nothing may come in that time: a machine that is slower can only make less come. */
const QUIET_MS = 400;
const CUT_MS = 700;
/** By which two clocks may differ: one of them only looks up now and then. */
const CLOCK_MS = 20;

before(requireNginx);

/**
 * @typedef {object} Bare a server that echoes: messages, bodies
 * @property {IncomingHttpHeaders[]} plainRequests at the address of its WebSocket
 * @property {string[]} messages as its WebSockets got them
 * @property {() => Promise<ServerResponse>} nextStream of events, to be written to
 */

/** @param {(bare: Bare & { port: number }) => Promise<unknown>} use */
async function withBareServer(use) {
  /** @type {Socket[]} */
  const sockets = [];
  /** @type {{ put(stream: ServerResponse): void, next(): Promise<ServerResponse> }} */
  const streams = createInbox();
  /** @type {Bare} */
  const bare = { plainRequests: [], messages: [], nextStream: streams.next };
  const webSockets = new WebSocketServer({ noServer: true });
  const server = createServer((req, res) => {
    if (req.url === '/echo') {
      // nginx takes no answer before it has sent the whole body.
      buffer(req).then((body) => res.end(body));
    } else if (req.url === '/ws') {
      bare.plainRequests.push(req.headers);
      res.writeHead(426).end();
    } else {
      res.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).flushHeaders();
      streams.put(res);
    }
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.on('upgrade', (req, socket, head) =>
    webSockets.handleUpgrade(req, socket, head, (client) => {
      client.on('error', () => {});
      client.on('message', (message, isBinary) => {
        bare.messages.push(isBinary ? 'binary' : message.toString());
        client.send(message, { binary: isBinary });
      });
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use({ ...bare, port: /** @type {AddressInfo} */ (server.address()).port });
  } finally {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
}

/**
 * @typedef {object} Way to a bare server
 * @property {string} origin
 * @property {Buffer} [ca] the certificate of one over TLS
 * @property {Agent} dispatcher
 * @property {() => ReturnType<typeof openWebSocket>} openSocket
 * @property {() => EventSource} openEvents
 *
 * @typedef {Bare & Way} Behind
 */

/**
 * @param {ObstacleName} name
 * @param {(behind: Behind) => Promise<unknown>} use
 */
const behind = (name, use) =>
  withBareServer(({ port, ...bare }) => {
    /** @param {{ origin: string, certificate?: Buffer }} path */
    const useWay = async ({ origin, certificate: ca }) => {
      const dispatcher = new Agent({ connect: { ca } });
      const openSocket = () => openWebSocket(`${origin.replace('http', 'ws')}/ws`, ca ? { ca } : {});
      const openEvents = () => new EventSource(`${origin}/events`, { dispatcher });
      try {
        await use({ ...bare, origin, ca, dispatcher, openSocket, openEvents });
      } finally {
        await dispatcher.destroy();
      }
    };
    return withObstacle(name, port, useWay, { cutMs: CUT_MS });
  });

/** @param {Behind} path */
async function checkSockets({ openSocket, messages }) {
  const socket = await openSocket();
  for (const bytes of [1, 125, 126, 64 * 1024, MIB]) {
    const text = 'x'.repeat(bytes);
    assert.ok((await socket.ask(text)) === text, `${bytes} bytes of text`);
    assert.ok((await socket.ask(Buffer.from(text))) === text, `${bytes} binary bytes`);
  }
  assert.equal(messages.filter((message) => message === 'binary').length, 5);
  socket.socket.close(4000, 'over');
  assert.deepEqual(await socket.closed, { code: 4000, reason: 'over' });
}

/** @param {Behind} path */
async function checkStreams({ nextStream, openEvents }) {
  const events = openEvents();
  try {
    const opened = once(events, 'open');
    const stream = await nextStream();
    // Each comes although the stream goes on.
    await opened;
    for (const text of ['one', 'two']) {
      const received = once(events, 'message');
      stream.write(`data: ${text}\n\n`);
      assert.equal((await received)[0].data, text);
    }
  } finally {
    events.close();
  }
}

/** @type {Record<ObstacleName, (path: Behind) => Promise<unknown>>} */
const CHECKS = {
  async none(path) {
    await checkSockets(path);
    await checkStreams(path);
  },

  async 'no-upgrade'(path) {
    await assert.rejects(path.openSocket(), { message: 'status 426' });
    assert.deepEqual(
      path.plainRequests.map(({ upgrade, connection }) => [upgrade, connection]),
      [[undefined, undefined]],
    );
    await checkStreams(path);
  },

  async buffering(path) {
    await checkSockets(path);
    const events = path.openEvents();
    try {
      /** @type {string[]} */
      const received = [];
      events.addEventListener('message', ({ data }) => received.push(data));
      events.addEventListener('open', () => received.push('open'));
      const stream = await path.nextStream();
      stream.write('data: one\n\n');
      await sleep(QUIET_MS);
      stream.write('data: two\n\n');
      await sleep(QUIET_MS);
      assert.deepEqual(received, []);
      const ended = once(events, 'error');
      stream.end();
      await ended;
      assert.deepEqual(received, ['open', 'one', 'two']);
    } finally {
      events.close();
    }
  },

  async 'idle-cut'(path) {
    // Before it opens: nginx leaves a timer as it is where a new one would be less than 300 ms later.
    const since = performance.now();
    const socket = await path.openSocket();
    assert.equal(await socket.ask('still there'), 'still there');
    assert.equal((await socket.closed).code, 1006);
    const afterMs = performance.now() - since;
    assert.ok(afterMs > CUT_MS - CLOCK_MS, `${afterMs} ms`);
    const events = path.openEvents();
    await path.nextStream();
    await once(events, 'error');
    events.close();
    await checkSockets(path);
  },

  async reset(path) {
    const since = performance.now();
    const { socket, closed } = await path.openSocket();
    // The library tells nobody else of it.
    const [error] = await once(/** @type {any} */ (socket)._socket, 'error');
    const afterMs = performance.now() - since;
    assert.deepEqual([error.code, (await closed).code], ['ECONNRESET', 1006]);
    assert.ok(afterMs > RESET_MS - CLOCK_MS, `${afterMs} ms`);
    await checkStreams(path);
  },

  async 'no-binary'(path) {
    const { socket, ask: askSocket, next } = await path.openSocket();
    socket.send(Buffer.from('lost'));
    socket.send(Buffer.from('lost, '), { fin: false });
    socket.send(Buffer.from('too'), { fin: true });
    socket.send('in two ', { fin: false });
    socket.send('parts', { fin: true });
    assert.equal(await next(), 'in two parts');
    const large = 'x'.repeat(MIB);
    assert.ok((await askSocket(large)) === large);
    assert.deepEqual(path.messages, ['in two parts', large]);
    const pong = once(socket, 'pong');
    socket.ping();
    await pong;
    socket.close(4000);
    await once(socket, 'close');
    await checkStreams(path);
  },

  async swallow(path) {
    const { socket, ask: askSocket, close } = await path.openSocket();
    assert.equal(await askSocket('one'), 'one');
    socket.send('two');
    socket.ping();
    socket.on('pong', () => assert.fail('Expected no pong'));
    await sleep(QUIET_MS);
    socket.close();
    await sleep(QUIET_MS);
    assert.deepEqual([path.messages, socket.readyState], [['one'], socket.CLOSING]);
    close();
    await checkStreams(path);
  },

  async http2(path) {
    const { origin, ca = assert.fail('Expected a certificate') } = path;
    assert.equal((await askHttp2(`${origin}/ws`, { ca })).status, 426);
    await checkSockets(path);
    await checkStreams(path);
  },
};

describe('behind an obstacle', () => {
  for (const name of OBSTACLE_NAMES) {
    it(`${name}: a client meets it, and nothing else`, () => behind(name, CHECKS[name]));
  }

  it('a long body comes back as it is, whatever stands there', async () => {
    const body = 'é'.repeat(4 * MIB);
    for (const name of OBSTACLE_NAMES) {
      await behind(name, async ({ origin, dispatcher }) => {
        const response = await fetch(`${origin}/echo`, { method: 'POST', body, dispatcher });
        assert.ok(response.status === 200 && (await response.text()) === body, name);
      });
    }
  });
});
