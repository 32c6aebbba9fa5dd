/** Answers over Socket.IO that its client leaves. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MESSAGES_AT_ONCE } from '../../../server/sockets/limits.js';
import { openWatchedServer, until } from '../../support/flood-checks.js';
import { untilTrue } from '../../support/job-client.js';
import { createLinesLog, withoutRequests } from '../../support/lines-log.js';
import { countOpen } from '../../support/metrics.js';
import { messageOf, openPackets, openPolling, openSocketioSession, SEPARATOR } from '../../support/socketio-session.js';
import { withServer } from '../../support/two-workers.js';

describe('answers over Socket.IO that are not fetched', () => {
  /** @type {[what: string, packet: string][]} */
  const FLOODS = [
    ['of echoes', messageOf({ count: 1, body: 'x'.repeat(6000) })],
    [
      'of refusals of a namespace',
      Array(200)
        .fill(`40/${'x'.repeat(50)},`)
        .join(SEPARATOR),
    ],
  ];
  for (const [what, packet] of FLOODS) {
    it(`${what} close the session that polls, and what there is is still fetched`, async () => {
      const { log, lines } = createLinesLog();
      await withServer({ limits: { unsentBytes: 10_000 }, log }, async (server) => {
        const session = await (await openPolling(server.origin)).connect();
        for (let sent = 0; sent < 2; sent++) await session.post(packet);
        const fetched = await session.poll();
        assert.ok(fetched.length >= 3);
        assert.ok(fetched.includes('41'));
        assert.deepEqual(await session.poll(), ['400', 'no-session']);
        await untilTrue(async () => (await countOpen(server, 'socketio')) === 0);
      });
      const [{ msg, code, reason }] = withoutRequests(lines);
      assert.deepEqual([msg, code, reason], ['session closed', 1008, 'Answers are not fetched']);
    });
  }

  it('end the session where they are small, but very many', () =>
    withServer({}, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const post = Array(MESSAGES_AT_ONCE - 1).fill(messageOf({ count: 1 }));
      await session.post(post);
      assert.equal(await countOpen(server, 'socketio'), 1);
      await session.post(post);
      await untilTrue(async () => (await countOpen(server, 'socketio')) === 0);
    }));

  it('end the session, though nobody ever polls', () =>
    withServer({ limits: { unsentBytes: 10_000 } }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      for (let sent = 0; sent < 3; sent++) await session.post(FLOODS[0][1]);
      await untilTrue(async () => (await countOpen(server, 'socketio')) === 0);
    }));

  it('may be larger than the limit where each is fetched, or where it is alone', () =>
    withServer({ limits: { unsentBytes: 1000 } }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const body = 'x'.repeat(5000);
      for (let count = 0; count < 5; count++) {
        assert.deepEqual(await session.ask({ count, body }), { count: count + 1, body });
      }
      const client = await openSocketioSession(`${server.origin}/socket.io`, { transports: ['polling'] });
      for (let count = 0; count < 5; count++) assert.equal((await client.ask({ count, body })).count, count + 1);
      client.close();
      await session.post('1');
    }));

  it('by a WebSocket that does not read keep the server from reading, and all come in the end', async () => {
    const watched = await openWatchedServer({ limits: { unsentBytes: 100_000 } });
    const { server, sockets } = watched;
    try {
      const client = await openPackets(server.port);
      const [socket] = sockets;
      client.socket.pause();
      const message = messageOf({ count: 1, body: 'x'.repeat(50_000) });
      const COUNT = 400;
      for (let i = 0; i < COUNT; i++) client.socket.send(message);
      let last = -1;
      for (let still = 0; still < 200; still = socket.bytesRead === last ? still + 1 : 0) {
        last = socket.bytesRead;
        await new Promise(setImmediate);
        const heldBytes = socket.bytesRead - (socket.bytesWritten - socket.writableLength);
        assert.ok(heldBytes < 1_000_000, String(heldBytes));
      }
      assert.ok(client.socket.bufferedAmount > 0, 'the server reads no further');
      client.socket.resume();
      for (let i = 0; i < COUNT; i++) assert.equal((await client.next()).length, message.length);
      client.socket.close();
      await client.closed;
      await until(() => socket.destroyed);
    } finally {
      await server.close();
    }
  });
});
