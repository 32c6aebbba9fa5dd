/**
 * Every path of the list that the server itself uses under a short flood. How a server and its memory fare under long ones
 * is for test/soak and bench/floods.js.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FLOOD_KINDS } from '../../../bench/flood.js';
import { LIMITS } from '../../../server/http/limits.js';
import { SOCKET_PATHS } from '../../../server/sockets/list.js';
import { meterOf } from '../../../server/sockets/socket-meter.js';
import { checkFlood, openWatchedServer, until, watch } from '../../support/flood-checks.js';
import { openWebSocket } from '../../support/web-socket.js';
import { frame, openRaw, upgradeHead } from '../../support/payload-client.js';

/** @import { WatchedServer } from '../../support/flood-checks.js' */

const MIB = 1024 * 1024;

/** @type {WatchedServer} */
let watched;
before(async () => {
  watched = await openWatchedServer();
});
after(() => watched.server.close());

for (const [index, path] of SOCKET_PATHS.entries()) {
  const { example, limitsOf } = path;
  describe(`the socket at ${example}`, () => {
    const limits = limitsOf(LIMITS);

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

describe('the list of sockets', () => {
  it('is all that can be opened', async () => {
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
