/**
 * Every path of the list that the server itself uses, under every flood. Here they are short; how a server and its memory
 * fare under long ones is for test/soak and bench/floods.js.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openFlood } from '../../../bench/floods/flood.js';
import { FLOOD_KINDS, floodOf } from '../../../bench/floods/kinds.js';
import { LIMITS } from '../../../server/limits.js';
import { SOCKET_PATHS } from '../../../server/sockets/list.js';
import { meterOf } from '../../../server/sockets/socket-meter.js';
import { openWebSocket } from '../../support/web-socket.js';
import { frame, openRaw, upgradeHead } from '../../support/payload-client.js';
import { openServer } from '../../support/server.js';

const MIB = 1024 * 1024;
/** A socket's buffer, a chunk that is coming, and one that waits. */
const MOST_HELD_BYTES = 3 * 64 * 1024;
/** What waited, what came after it, and what may come between two looks. */
const MOST_FRAMES_IN_A_TURN = 3 * LIMITS.framesPerTurn;
/** A frame's head, and SockJS's framing. */
const MOST_FRAMING_BYTES = 20;
/** More parts than the payload may come in, each at least six bytes. */
const FLOOD_BYTES = 200_000;

/** The codes that each flood is closed with; absent: it goes on. @type {Record<string, number[]>} */
const CLOSED_WITH = {
  pings: [1008],
  pongs: [1008],
  'empty fragments': [1008],
  'one-byte fragments': [1008, 1009],
};

/** @type {import('../../support/server.js').TestServer} */
let server;
/** @type {import('node:net').Socket[]} the server's ends */
let sockets;
before(async () => {
  sockets = [];
  server = await openServer();
  server.server.on('upgrade', (_req, socket) => sockets.push(/** @type {any} */ (socket)));
});
after(() => server.close());

/** Looks at a connection in each turn of the event loop, until told to stop. */
function watch(/** @type {import('node:net').Socket} */ socket) {
  const meter = meterOf(socket);
  assert.ok(meter);
  const most = { frames: 0, heldBytes: 0, drainListeners: 0 };
  let { frameCount } = meter.frames;
  const look = () => {
    most.frames = Math.max(most.frames, meter.frames.frameCount - frameCount);
    most.heldBytes = Math.max(most.heldBytes, meter.heldBytes + socket.readableLength);
    most.drainListeners = Math.max(most.drainListeners, socket.listenerCount('drain'));
    ({ frameCount } = meter.frames);
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  return () => {
    clearImmediate(timer);
    return most;
  };
}

/** @param {() => boolean} isSo */
async function until(isSo) {
  while (!isSo()) await new Promise(setImmediate);
}

for (const { example, limitsOf } of SOCKET_PATHS) {
  describe(`the socket at ${example}`, () => {
    const limits = limitsOf(LIMITS);

    for (const kind of FLOOD_KINDS) {
      for (const reads of [true, false]) {
        it(`handles ${kind} of a client that ${reads ? 'reads' : 'does not read'} bit by bit`, async () => {
          sockets.length = 0;
          const bytes = kind === '1 MiB messages' ? 2 * MIB : FLOOD_BYTES;
          const client = await openFlood({ port: server.port, path: example, kind, reads, bytes });
          const [socket] = sockets;
          const stop = watch(socket);
          const { block, frameCount } = floodOf(kind, example);
          const isTooLarge = frameCount === 1 && block.length > limits.messageBytes + MOST_FRAMING_BYTES;
          const codes = isTooLarge ? [1009] : CLOSED_WITH[kind];
          if (codes) {
            await until(() => Boolean(meterOf(socket)?.isClosing));
            if (reads) assert.ok(codes.includes(Number(await client.closed)), String(await client.closed));
          } else {
            await client.sent;
            const meter = meterOf(socket);
            await until(() => Number(meter?.frames.frameCount) > MOST_FRAMES_IN_A_TURN || frameCount === 1);
            assert.ok(!socket.writableEnded && !socket.destroyed);
          }
          const most = stop();
          client.stop();
          assert.ok(most.frames <= MOST_FRAMES_IN_A_TURN, JSON.stringify(most));
          assert.ok(most.heldBytes <= MOST_HELD_BYTES, JSON.stringify(most));
          assert.ok(most.drainListeners <= 2, JSON.stringify(most));
        });
      }
    }

    it('closes with 1009 by the length of a message alone', async () => {
      const client = await openRaw(server.port);
      client.send(upgradeHead(example));
      await client.received(1);
      const head = frame('x'.repeat(limits.messageBytes + 1)).subarray(0, 20);
      client.send(head);
      await client.closed;
      assert.ok(client.text().includes('\x03\xf1') || client.text().includes('c[1009,'));
    });
  });
}

describe('the list of sockets', () => {
  it('is all that can be opened', async () => {
    for (const path of ['/', '/ajaxecho', '/ws/', '/ws/other', '/echo/x/websocket', '/payload/ws/sideways']) {
      const client = await openRaw(server.port);
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
  const messages = { '/ws': echo, '/echo/websocket': echo, '/echo/000/x/websocket': JSON.stringify([echo]) };
  for (const [path, message] of Object.entries(messages)) {
    it(`may send ${COUNT} messages at once on ${path}, as after a stall, and gets every answer`, async () => {
      const { socket, closed, close } = await openWebSocket(`ws://127.0.0.1:${server.port}${path}`);
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

describe('a frame of SockJS’s with more messages than a turn has room for', () => {
  it('is answered in its order, and before what comes after it', async () => {
    const { socket, next, close } = await openWebSocket(`ws://127.0.0.1:${server.port}/echo/000/x/websocket`);
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
    sockets.length = 0;
    const client = await openRaw(server.port);
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
