/**
 * What the log has of a connection that is closed for what it sends.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { meterOf } from '../../../server/sockets/socket-meter.js';
import { openWatchedServer, until } from '../../support/flood-checks.js';
import { createLinesLog } from '../../support/lines-log.js';
import { frame, openRaw, upgradeHead } from '../../support/payload-client.js';
import { listSocketPaths } from '../../support/socket-paths.js';
import { openWebSocket } from '../../support/web-socket.js';

/** @import { WatchedServer } from '../../support/flood-checks.js' */

/** Each is too much again. */
const FURTHER = 20;

/** Low, so that all that is too much comes at once, however slow the machine is. */
const LOW_LIMITS = {
  controlFramesPerSecond: 10,
  partCount: 10,
  payloadPartCount: 10,
  payloadBytesInFlight: 400_000,
};

const { log, lines } = createLinesLog();
/** @type {WatchedServer} */
let watched;
before(async () => {
  watched = await openWatchedServer({ log, limits: LOW_LIMITS });
});
after(() => watched.server.close());

for (const { example, limits } of await listSocketPaths(LOW_LIMITS)) {
  const { messageBytes, partCount, controlFramesPerSecond } = limits;
  const [path] = example.split('?');
  const part = frame('', { opcode: 0, fin: false });
  for (const [name, code, flood] of /** @type {const} */ ([
    ['pings', 1008, Buffer.concat(Array(controlFramesPerSecond + 1).fill(frame('', { opcode: 9 })))],
    ['parts', 1008, Buffer.concat([frame('', { fin: false }), ...Array(partCount).fill(part)])],
    // Its head alone, which says its length.
    ['a message', 1009, frame('x'.repeat(messageBytes + 1)).subarray(0, 20)],
  ])) {
    describe(`a connection to ${example} that is closed for too much of ${name}`, () => {
      it('has one line in the log, whatever else it sends', async () => {
        lines.length = 0;
        watched.sockets.length = 0;
        const client = await openRaw(watched.server.port);
        client.send(upgradeHead(example));
        await client.received(1);
        const [socket] = watched.sockets;
        client.send(flood);
        await until(() => Boolean(meterOf(socket)?.isClosing));
        const before = socket.bytesRead;
        for (let i = 0; i < FURTHER; i++) client.send(flood);
        await until(() => socket.bytesRead >= before + flood.length || socket.destroyed);
        client.socket.destroy();
        await until(() => socket.destroyed);
        assert.ok(socket.bytesRead > before, 'nothing came after the close');
        // What a library's session logs at its end is no complaint.
        const closes = lines.filter(({ msg }) => !msg.endsWith(' session'));
        assert.deepEqual(
          closes.map((line) => [line.msg, line.level, line.code, line.path, Boolean(line.reason)]),
          [['socket closed', 40, code, path, true]],
        );
      });
    });
  }
}

describe('a session that is closed for what it sends, or does not read,', () => {
  const many = JSON.stringify(Array(20_000).fill(''));
  const large = JSON.stringify(['x'.repeat(2000)]);
  const echo = JSON.stringify([JSON.stringify({ count: 1, body: 'x'.repeat(700_000) })]);

  for (const [path, code, message] of /** @type {const} */ ([
    ['/payload/ws/down', 1009, 'x'.repeat(2000)],
    ['/payload/ws/echo', 1013, 'x'.repeat(500_000)],
    ['/payload/sockjs/000/x/websocket?direction=down', 1009, large],
    ['/payload/sockjs/000/x/websocket?direction=echo', 1008, many],
    ['/echo/000/x/websocket', 1008, many],
    ['/echo2012/000/x/websocket', 1008, many],
    ['/jobs/000/x/websocket', 1009, large],
  ])) {
    it(`has one line in the log: ${code} at ${path}`, async () => {
      lines.length = 0;
      const { socket, closed } = await openWebSocket(`ws://127.0.0.1:${watched.server.port}${path}`);
      socket.send(message);
      socket.send(message);
      await closed;
      await until(() => lines.length > 0);
      assertOneClose('socket closed', path.split('?')[0], code);
    });
  }

  for (const [prefix, code, message] of /** @type {const} */ ([
    ['/echo', 1008, many],
    ['/echo', 1008, echo],
    ['/echo2012', 1008, echo],
    ['/jobs', 1009, large],
    ['/payload/sockjs', 1008, many],
  ])) {
    it(`has one line in the log: ${code} by a fallback at ${prefix}, for ${message.slice(0, 12)}`, async () => {
      lines.length = 0;
      const session = `/000/${Math.random().toString(36).slice(2)}`;
      const post = (/** @type {string} */ action, body = '') =>
        fetch(`${watched.server.origin}${prefix}${session}/${action}?direction=echo`, { method: 'POST', body });
      await post('xhr');
      for (let i = 0; i < 3; i++) await post('xhr_send', message);
      await until(() => lines.length > 0);
      assertOneClose('session closed', `${prefix}${session}/xhr`, code);
      let received = '';
      // What was said before comes first.
      while (!received.startsWith('c')) received = await (await post('xhr')).text();
      assert.ok(received.startsWith(`c[${code},`), received);
    });
  }

  /** @param {string} what @param {string} path @param {number} code */
  function assertOneClose(what, path, code) {
    const closes = lines.filter(({ msg }) => msg !== 'sockjs session');
    assert.deepEqual(
      closes.map((line) => [line.msg, line.level, line.path, line.code, Boolean(line.reason)]),
      [[what, 40, path, code, true]],
    );
  }
});
