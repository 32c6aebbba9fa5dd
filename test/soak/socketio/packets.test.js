/** The packets of Socket.IO, also as no client sends them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MESSAGES_AT_ONCE } from '../../../server/sockets/limits.js';
import { LIBRARY_BYTES } from '../../../server/sockets/socketio-sessions.js';
import { untilTrue } from '../../support/job-client.js';
import { createLinesLog, withoutRequests } from '../../support/lines-log.js';
import { countErrors, countOpen } from '../../support/metrics.js';
import { frame, openRaw, requestHead, upgradeHead } from '../../support/payload-client.js';
import {
  messageOf,
  openPackets,
  openPolling,
  SEPARATOR,
  SOCKETIO_PATH,
  upgradeSession,
  valueOf,
  WEBSOCKET,
} from '../../support/socketio-session.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

describe('the packets of Socket.IO', () => {
  it('are read in one form, not in that of JSONP, which is read at once', () =>
    withServer({}, async (server) => {
      const session = await openPolling(server.origin, { path: `${SOCKETIO_PATH}&j=0` });
      await session.connect();
      assert.deepEqual(await session.ask({ count: 1 }), { count: 2 });
      await session.post('1');
    }));

  it('more than a client sends in one post close the session, with a line in the log and in the metrics', async () => {
    const { log, lines } = createLinesLog();
    await withServer({ log }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const packets = Array(MESSAGES_AT_ONCE + 1).fill(messageOf({ count: 1 }));
      const { status, text } = await session.post(packets);
      assert.deepEqual([status, JSON.parse(text).error.code], [400, 'too-many']);
      assert.deepEqual(await session.poll(), ['41']);
      assert.deepEqual(await session.poll(), ['400', 'no-session']);
      assert.deepEqual([await countErrors(server, 'too-many'), await countOpen(server, 'socketio')], [1, 0]);
    });
    assert.deepEqual(
      withoutRequests(lines).map(({ msg, code, reason, messageCount }) => [msg, code ?? messageCount, reason]),
      [
        ['session closed', 1008, 'Too many messages at once'],
        ['socketio session', 0, undefined],
      ],
    );
  });

  it('as many as a client may send in one post are all answered, in order', () =>
    withServer({ limits: { unsentBytes: 8 * 1024 * 1024 } }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const counts = Array.from({ length: MESSAGES_AT_ONCE }, (_, count) => count);
      assert.equal((await session.post(counts.map((count) => messageOf({ count })))).status, 200);
      const answers = (await session.poll()).map((packet) => valueOf(packet).count - 1);
      assert.deepEqual(answers, counts);
      await session.post('1');
    }));

  it('several hundred in one post are answered in turns, and others are served in between', () =>
    withServer({ limits: { framesPerTurn: 4, allFramesPerTurn: 4 } }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const other = await openWebSocket(`ws://127.0.0.1:${server.port}/ws`);
      let isPosted = false;
      const posted = session.post(Array(4000).fill(messageOf({ count: 1 }))).then(({ status }) => {
        isPosted = true;
        return status;
      });
      let servedCount = 0;
      while (!isPosted) {
        await other.ask('ping');
        servedCount++;
      }
      assert.equal(await posted, 200);
      assert.ok(servedCount > 20, String(servedCount));
      assert.equal((await session.poll()).length, 4000);
      other.close();
      await session.post('1');
    }));

  it('of a post are nothing more where its client has left, or its session has', () =>
    withServer({}, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const body = Array(10_000)
        .fill(messageOf({ count: 1 }))
        .join(SEPARATOR);
      const client = await openRaw(server.port);
      const path = new URL(session.url);
      client.send(requestHead(path.pathname + path.search, { method: 'POST', length: body.length }) + body);
      client.socket.destroySoon();
      await client.closed;
      const [{ status }] = await Promise.all([session.post(body.split(SEPARATOR)), session.post('1')]);
      assert.ok(status === 200 || status === 400, String(status));
      assert.equal(await countOpen(server, 'socketio'), 0);
    }));

  const nested = '['.repeat(5000) + ']'.repeat(5000);
  for (const [what, packet] of Object.entries({
    'that are nested deeply': `42["message",${nested}]`,
    'with too much structure': messageOf(Array(10_000).fill([])),
    'whose credentials are nested deeply': `40{"a":${nested}}`,
    'that announce binary data': '451-["message",{"_placeholder":true,"num":0}]',
    'that announce as much as there is': '4510-["message"]',
    'with binary data': 'bAAAA',
    'without JSON': '42["message",',
    'of a type that there is not': '49',
    'with a reserved event': '42["disconnect"]',
    'with a number as long as a message': `42${'1'.repeat(900_000)}["message"]`,
    'with spaces instead of one': `42${' '.repeat(900_000)}["message"]`,
    'with a namespace as long as a message': `40/${'x'.repeat(900_000)},`,
  })) {
    it(`${what} close a session that polls with a reason, and the server goes on`, async () => {
      const { log, lines } = createLinesLog();
      await withServer({ log }, async (server) => {
        const session = await (await openPolling(server.origin)).connect();
        await session.post(packet);
        assert.deepEqual(await session.poll().then(([first]) => first), '41');
        assert.deepEqual(await session.poll(), ['400', 'no-session']);
        const next = await (await openPolling(server.origin)).connect();
        assert.deepEqual(await next.ask({ count: 1 }), { count: 2 });
        await next.post('1');
      });
      const [{ msg, code, reason }] = withoutRequests(lines);
      assert.deepEqual([msg, code, Boolean(reason)], ['session closed', 1008, true]);
    });

    it(`${what} close a WebSocket with 1008 and a reason`, () =>
      withServer({}, async (server) => {
        const { socket, next, closed } = await openPackets(server.port);
        // A WebSocket has bytes of its own.
        socket.send(packet.startsWith('b') ? Buffer.from(packet) : packet);
        assert.equal(await next(), '41');
        const { code, reason } = await closed;
        assert.deepEqual([code, Boolean(reason)], [1008, true]);
        assert.equal(await countErrors(server, 'bad-message'), 1);
      }));
  }

  it('that no version of its protocol has close the session, and the server goes on', () =>
    withServer({}, async (server) => {
      for (const packet of ['', '9', '2', '0{}', 'x', '5', '40{"a":1}\u0000', '3probe']) {
        const { socket, closed, ask } = await openPackets(server.port);
        socket.send(packet);
        if (packet === '5' || packet === '3probe' || packet === '0{}') {
          // These mean nothing here.
          assert.equal(await ask(messageOf({ count: 1 })), messageOf({ count: 2 }));
          socket.close();
        }
        await closed;
      }
      await untilTrue(async () => (await countOpen(server, 'socketio')) === 0);
    }));

  it('in frames that break the protocol end the session, in whatever state its WebSocket is', () =>
    withServer({}, async (server) => {
      const opened = {
        alone: () => openPackets(server.port),
        probing: async () => {
          const { sid } = await (await openPolling(server.origin)).connect();
          return openWebSocket(`ws://127.0.0.1:${server.port}${WEBSOCKET}&sid=${sid}`);
        },
        upgraded: async () => upgradeSession(server.port, await (await openPolling(server.origin)).connect()),
      };
      for (const bytes of [
        [0x81, 0x05, 1, 2, 3], // not masked
        [0xf1, 0x80, 0, 0, 0, 0], // reserved bits
        [0x83, 0x80, 0, 0, 0, 0], // unknown opcode
        [0x81, 0x81, 0, 0, 0, 0, 0xff], // text that is not UTF-8
        [0x88, 0x81, 0, 0, 0, 0, 0x03], // half a close code
      ]) {
        for (const open of Object.values(opened)) {
          const { socket, closed } = await open();
          const raw = /** @type {any} */ (socket)._socket;
          raw.write(Buffer.from(bytes));
          raw.end();
          await closed;
        }
      }
      // What was only probed still polls.
      await untilTrue(async () => (await countOpen(server, 'socketio')) === 5);
      const next = await openPackets(server.port);
      assert.equal(await next.ask(messageOf({ count: 1 })), messageOf({ count: 2 }));
      next.close();
    }));

  it('that connect a second time close the session, as the library keeps what each makes', async () => {
    const { log, lines } = createLinesLog();
    await withServer({ log }, async (server) => {
      const session = await openPolling(server.origin);
      await session.post(['40', '40']);
      await untilTrue(async () => (await session.poll())[1] === 'no-session');
      const client = await openRaw(server.port);
      client.send(upgradeHead(WEBSOCKET));
      await client.received(1);
      // Together, so that none of them has been answered.
      client.send(Buffer.concat([frame('40'), frame('40')]));
      await client.closed;
      assert.ok(client.text().endsWith('\x03\xf0Connected more than once'));
      assert.equal(await countOpen(server, 'socketio'), 0);
    });
    const closes = lines.filter(({ msg }) => msg.endsWith(' closed'));
    assert.deepEqual(
      closes.map(({ msg, code, reason }) => [msg, code, reason]),
      [
        ['session closed', 1008, 'Connected more than once'],
        ['socket closed', 1008, 'Connected more than once'],
      ],
    );
  });

  it('that connect again after a disconnect go on', () =>
    withServer({}, async (server) => {
      const { ask, socket } = await openPackets(server.port);
      for (let round = 0; round < 5; round++) {
        assert.equal(await ask(messageOf({ count: 1 })), messageOf({ count: 2 }));
        socket.send('41');
        // Nothing answers a disconnect, but what comes after it.
        assert.match(await ask('40/other,'), /^44/);
        assert.match(await ask('40'), /^40\{/);
      }
      socket.close();
    }));

  it('for a namespace that there is not are refused, and the session goes on', () =>
    withServer({}, async (server) => {
      const { ask, socket } = await openPackets(server.port);
      assert.match(await ask('40/other,'), /^44\/other,\{"message":"Invalid namespace"\}$/);
      assert.equal(await ask(messageOf({ count: 1 })), messageOf({ count: 2 }));
      socket.close();
    }));

  it('larger than the limit are refused with 413 in a post, and close a WebSocket with 1009', () =>
    withServer({ limits: { messageBytes: 1000 } }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const large = messageOf({ count: 1, body: 'x'.repeat(1000) });
      const { status, text } = await session.post(large);
      assert.deepEqual([status, JSON.parse(text).error.code], [413, 'too-large']);
      assert.deepEqual(await session.ask({ count: 1 }), { count: 2 });
      await session.post('1');
      const { socket, closed } = await openPackets(server.port);
      socket.send(large);
      assert.equal((await closed).code, 1009);
    }));

  it('larger than the library takes are refused as those beyond our limit, and counted', async () => {
    const { log, lines } = createLinesLog();
    await withServer({ log }, async (server) => {
      const session = await (await openPolling(server.origin)).connect();
      const framing = messageOf({ count: 1, body: '' }).length;
      const most = messageOf({ count: 1, body: 'x'.repeat(LIBRARY_BYTES - framing) });
      assert.equal((await session.post(`${most}x`)).status, 413);
      assert.equal((await session.post(most)).status, 200);
      assert.equal((await session.poll())[0].length, LIBRARY_BYTES);
      await session.post('1');
      const { socket, ask, closed } = await openPackets(server.port);
      assert.equal((await ask(most)).length, LIBRARY_BYTES);
      socket.send(`${most}x`);
      assert.equal((await closed).code, 1009);
      assert.equal(await countErrors(server, 'too-large'), 2);
    });
    const closes = lines.filter(({ msg }) => msg.endsWith(' closed'));
    assert.deepEqual(
      closes.map(({ msg, code }) => [msg, code]),
      [['socket closed', 1009]],
    );
  });
});
