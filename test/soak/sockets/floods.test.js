/**
 * Every path at which the server takes sockets, under a short flood. How a server and its memory fare under long ones
 * is for test/soak.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FLOOD_KINDS } from '../../support/flood.js';
import { LIMITS } from '../../../server/http/limits.js';
import { meterOf } from '../../../server/sockets/socket-meter.js';
import { checkFlood, openWatchedServer, until, watch } from '../../support/flood-checks.js';
import { listSocketPaths } from '../../support/socket-paths.js';
import { openSession } from '../../support/sockjs-session.js';
import { openWebSocket } from '../../support/web-socket.js';
import { frame, openRaw, upgradeHead } from '../../support/payload-client.js';

/** @import { WatchedServer } from '../../support/flood-checks.js' */

const MIB = 1024 * 1024;
const PACKET_LIMITS = { packetCount: 10, payloadPacketCount: 20 };
const PACKET_PATHS = await listSocketPaths(PACKET_LIMITS);

/** @type {WatchedServer} */
let watched;
before(async () => {
  watched = await openWatchedServer();
});
after(() => watched.server.close());

for (const [index, path] of (await listSocketPaths()).entries()) {
  const { example, limits } = path;
  describe(`the socket at ${example}`, () => {
    // One flood a path, so that each is seen here; all on each: test/soak/flood-pairs.test.js.
    const kind = FLOOD_KINDS[index % FLOOD_KINDS.length];
    const reads = index % 2 === 0;
    it(`handles ${kind} of a client that ${reads ? 'reads' : 'does not read'} bit by bit`, () =>
      checkFlood(watched, { path, kind, reads }));

    it('closes with 1009 by the length of a message alone', async () => {
      const client = await openRaw(watched.server.port);
      client.send(upgradeHead(example));
      await client.received(1);
      const head = frame('x'.repeat(limits.messageBytes + 1)).subarray(0, 20);
      client.send(head);
      await client.closed;
      assert.ok(client.text().includes('\x03\xf1') || client.text().includes('c[1009,'));
    });
  });
}

describe('a socket', () => {
  it('can be opened nowhere else', async () => {
    for (const path of [
      '/',
      '/ajaxecho',
      '/ws/',
      '/ws/other',
      '/echo/x/websocket',
      '/echo2012',
      '/payload/ws/sideways',
    ]) {
      const client = await openRaw(watched.server.port);
      client.send(upgradeHead(path));
      await client.closed;
      assert.match(client.text(), /^HTTP\/1\.1 404 /, path);
    }
  });
});

describe('a client that reads its answers', () => {
  const COUNT = 10_000;
  const echo = JSON.stringify({ count: 1 });
  /** @type {Record<string, string>} one message each */
  const messages = {
    '/ws': echo,
    '/echo/websocket': echo,
    '/echo/000/x/websocket': JSON.stringify([echo]),
    '/echo2012/000/x/websocket': JSON.stringify([echo]),
  };
  for (const [path, message] of Object.entries(messages)) {
    it(`may send ${COUNT} messages at once on ${path}, as after a stall, and gets every answer`, async () => {
      const { socket, closed, close } = await openWebSocket(`ws://127.0.0.1:${watched.server.port}${path}`);
      let answerCount = 0;
      const answered = new Promise((resolve) => {
        socket.on('message', (answer) => {
          if (String(answer) !== 'o' && ++answerCount === COUNT) resolve('answered');
        });
      });
      for (let i = 0; i < COUNT; i++) socket.send(message);
      assert.equal(await Promise.race([answered, closed]), 'answered');
      close();
    });
  }
});

describe('a client of a fallback', () => {
  for (const [path, answerOf] of /** @type {[string, (data: any) => any][]} */ ([
    ['/echo', JSON.parse],
    ['/echo2012', (data) => data],
  ])) {
    it(`may send 10,000 messages at once on ${path}, as after a stall, and gets every answer in order`, async () => {
      const session = await openSession(`${watched.server.origin}${path}`, 'xhr-streaming');
      // While the first is on its way, its client gathers the others into one request.
      for (let count = 0; count < 10_000; count++) session.send(JSON.stringify({ count }));
      for (let count = 0; count < 10_000; count++) {
        const answer = await Promise.race([session.next(), session.closed]);
        assert.equal(answerOf(answer).count, count + 1);
      }
      session.close();
    });
  }
});

describe('the frames of all sockets together', () => {
  it('take no more of a turn than they may, however many sockets wait', async () => {
    const allFramesPerTurn = 2 * LIMITS.framesPerTurn;
    const few = await openWatchedServer({ limits: { allFramesPerTurn, controlFramesPerSecond: 1e9 } });
    try {
      // A pong is answered with nothing.
      const pongs = Buffer.concat(Array(2000).fill(frame('', { opcode: 10 })));
      const clients = await Promise.all(Array.from({ length: 10 }, () => openRaw(few.server.port)));
      for (const client of clients) client.send(upgradeHead('/ws'));
      for (const client of clients) await client.received(1);
      const meters = few.sockets.map((socket) => meterOf(socket) ?? assert.fail());
      for (const client of clients) client.send(pongs);
      await until(() => meters.every(({ heldBytes }) => heldBytes > 0));
      const countFrames = () => meters.reduce((sum, { frames }) => sum + frames.frameCount, 0);
      let before = countFrames();
      let mostFrames = 0;
      for (let turn = 0; turn < 50; turn++) {
        await new Promise(setImmediate);
        mostFrames = Math.max(mostFrames, countFrames() - before);
        before = countFrames();
      }
      assert.ok(mostFrames > 0 && mostFrames <= allFramesPerTurn, String(mostFrames));
      for (const client of clients) client.socket.destroy();
    } finally {
      await few.server.close();
    }
  });
});

describe('a message that comes in many packets', () => {
  /** @type {WatchedServer} */
  let own;
  before(async () => {
    own = await openWatchedServer({ limits: PACKET_LIMITS });
  });
  after(() => own.server.close());

  for (const { example, limits } of PACKET_PATHS) {
    const { packetCount } = limits;
    it(`is refused with 1008 after ${packetCount} at ${example}`, async () => {
      own.sockets.length = 0;
      const client = await openRaw(own.server.port);
      client.send(upgradeHead(example));
      await client.received(1);
      const [socket] = own.sockets;
      client.socket.setNoDelay();
      const message = frame('x'.repeat(100));
      let sentCount = 0;
      while (!meterOf(socket)?.isClosing) {
        const { bytesRead } = socket;
        client.send(message.subarray(sentCount, ++sentCount));
        await until(() => socket.bytesRead > bytesRead);
      }
      assert.equal(sentCount, packetCount + 1);
      await client.closed;
      assert.ok(client.text().includes('\x03\xf0') || client.text().includes('c[1008,'));
    });
  }
});

describe('a frame of SockJS’s with more messages than a turn has room for', () => {
  it('is answered in its order, and before what comes after it', async () => {
    const { socket, next, close } = await openWebSocket(`ws://127.0.0.1:${watched.server.port}/echo/000/x/websocket`);
    assert.equal(await next(), 'o');
    const echoes = Array.from({ length: 1000 }, (_, count) => JSON.stringify({ count }));
    socket.send(JSON.stringify(echoes.slice(0, 990)));
    for (const echo of echoes.slice(990)) socket.send(JSON.stringify([echo]));
    for (let count = 0; count < 1000; count++) {
      const [answer] = JSON.parse((await next()).slice(1));
      assert.equal(JSON.parse(answer).count, count + 1);
    }
    close();
  });
});

describe('a client of /ws that reads none of its answers', () => {
  it('is not read from, either, and leaves no listener for each message', async () => {
    const { sockets } = watched;
    sockets.length = 0;
    const client = await openRaw(watched.server.port);
    client.send(upgradeHead('/ws'));
    await client.received(1);
    client.socket.pause();
    const [socket] = sockets;
    const stop = watch(socket);
    const message = frame(JSON.stringify({ count: 1, body: 'x'.repeat(100_000) }));
    for (let i = 0; i < 300; i++) client.send(message);
    await until(() => socket.writableLength > 0);
    for (let i = 0; i < 200; i++) await new Promise(setImmediate);
    const { drainListeners } = stop();
    assert.ok(socket.writableLength < LIMITS.unsentBytes + MIB, String(socket.writableLength));
    assert.ok(drainListeners <= 1, String(drainListeners));
    client.socket.resume();
    await until(() => meterOf(socket)?.frames.messageCount === 300);
    client.socket.destroy();
  });
});
