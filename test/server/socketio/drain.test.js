/** Sessions over Socket.IO of a worker that drains. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLinesLog } from '../../support/lines-log.js';
import { countOpen } from '../../support/metrics.js';
import { openRaw, requestHead } from '../../support/payload-client.js';
import { openServer } from '../../support/server.js';
import { messageOf, openPackets, openPolling, POLLING, upgradeSession } from '../../support/socketio-session.js';

describe('sessions over Socket.IO of a worker that drains', () => {
  it('are told by a disconnect, then by 1001, or by the poll that waits, and each has its line in the log', async () => {
    const { log, lines } = createLinesLog();
    const server = await openServer({ log, limits: { idleGraceMs: 0, drainMs: 600_000 } });
    const alone = await openPackets(server.port);
    const upgraded = await upgradeSession(server.port, await (await openPolling(server.origin)).connect());
    assert.equal(await upgraded.ask(messageOf({ count: 1 })), messageOf({ count: 2 }));
    const polling = await (await openPolling(server.origin)).connect();
    const poll = polling.poll();
    // A message that comes after it has been handled when that has.
    while ((await countOpen(server, 'socketio')) < 3);
    const probe = await (await openPolling(server.origin)).connect();
    assert.deepEqual(await probe.ask({ count: 1 }), { count: 2 });
    await probe.post('1');

    const drained = server.close();
    for (const { next, closed } of [alone, upgraded]) {
      assert.equal(await next(), '41');
      assert.deepEqual(await closed, { code: 1001, reason: 'Server is going away' });
    }
    assert.deepEqual(await poll, ['41']);
    await drained;
    const ended = lines.filter(({ msg }) => msg === 'socketio session');
    assert.deepEqual(
      ended.map(({ transport, messageCount }) => `${transport} ${messageCount}`).sort(),
      ['socketio polling 0', 'socketio polling 1', 'socketio websocket 0', 'socketio websocket 1'].sort(),
    );
    assert.deepEqual(
      lines.filter(({ level }) => level > 30),
      [],
    );
  });

  it('are told though their answers are still on their way', async () => {
    const server = await openServer({ limits: { drainMs: 600_000 } });
    const { socket, next, closed } = await openPackets(server.port);
    for (let count = 0; count < 100; count++) socket.send(messageOf({ count, body: 'x'.repeat(10_000) }));
    await next();
    const drained = server.close();
    let last = '';
    for (let packet = await next(); packet; packet = await next().catch(() => '')) last = packet;
    assert.equal(last, '41');
    assert.equal((await closed).code, 1001);
    await drained;
  });

  it('are told by the next poll where none waits', async () => {
    const server = await openServer({ limits: { idleGraceMs: 600_000, drainMs: 600_000 } });
    const { sid } = await (await openPolling(server.origin)).connect();
    const client = await openRaw(server.port);
    client.send(requestHead('/healthz'));
    await client.received(1);
    const closed = server.close();
    client.send(requestHead(`${POLLING}&sid=${sid}`));
    await client.closed;
    assert.match(client.text(), /\r\n\r\n41$/);
    // Those of the test's own requests; one may be in use a moment longer.
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    for (; !isClosed; await new Promise(setImmediate)) server.server.closeIdleConnections();
  });

  it('do not keep it from its end, though some do not read and others do not poll', async () => {
    const server = await openServer({ limits: { unsentBytes: 100_000, drainMs: 100 } });
    const { socket } = await openPackets(server.port);
    socket.pause();
    for (let i = 0; i < 300; i++) socket.send(messageOf({ count: 1, body: 'x'.repeat(50_000) }));
    const session = await (await openPolling(server.origin)).connect();
    await session.post(messageOf({ count: 1 }));
    await server.close();
    socket.terminate();
  });
});
