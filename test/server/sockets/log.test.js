/**
 * What the log has of a connection that is closed for what it sends.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '../../../server/http/limits.js';
import { SOCKET_PATHS } from '../../../server/sockets/list.js';
import { meterOf } from '../../../server/sockets/socket-meter.js';
import { openWatchedServer, until } from '../../support/flood-checks.js';
import { createLinesLog } from '../../support/lines-log.js';
import { frame, openRaw, upgradeHead } from '../../support/payload-client.js';

/** @import { WatchedServer } from '../../support/flood-checks.js' */

/** Each is too much again. */
const FURTHER = 20;

/** Low, so that all that is too much comes at once, however slow the machine is. */
const LOW_LIMITS = { controlFramesPerSecond: 10, partCount: 10, payloadPartCount: 10 };

const { log, lines } = createLinesLog();
/** @type {WatchedServer} */
let watched;
before(async () => {
  watched = await openWatchedServer({ log, limits: LOW_LIMITS });
});
after(() => watched.server.close());

for (const { example, path, limitsOf } of SOCKET_PATHS) {
  const { messageBytes, partCount, controlFramesPerSecond } = limitsOf({ ...LIMITS, ...LOW_LIMITS });
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
        // What a session of SockJS's logs at its end is no complaint.
        const closes = lines.filter(({ msg }) => msg !== 'sockjs session');
        assert.deepEqual(
          closes.map((line) => [line.msg, line.level, line.code, path.test(line.path), Boolean(line.reason)]),
          [['socket closed', 40, code, true, true]],
        );
      });
    });
  }
}
