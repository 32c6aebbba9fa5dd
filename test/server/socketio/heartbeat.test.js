/** The heartbeat of Socket.IO. */
import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { countOpen } from '../../support/metrics.js';
import { openServer } from '../../support/server.js';
import { openPolling, WEBSOCKET } from '../../support/socketio-session.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

describe('the heartbeat of Socket.IO', () => {
  it('keeps a session whose client answers it', () =>
    withServer({ limits: { heartbeatMs: 20 } }, async (server) => {
      const { opened, poll, post } = await openPolling(server.origin);
      assert.equal(opened.pingInterval, 20);
      for (let beats = 0; beats < 3; beats++) {
        assert.deepEqual(await poll(), ['2']);
        await post('3');
      }
      // Not connected, as the first beat may come before the answer to that.
      const { next, socket } = await openWebSocket(`ws://127.0.0.1:${server.port}${WEBSOCKET}`);
      assert.match(await next(), /^0\{/);
      for (let beats = 0; beats < 3; beats++) {
        assert.equal(await next(), '2');
        socket.send('3');
      }
      socket.close();
      await post('1');
    }));

  it('ends a session whose client has vanished, and gives its place back', async (t) => {
    t.after(() => mock.timers.reset());
    const server = await openServer({ limits: { sessionCount: 1, heartbeatMs: 1000 } });
    // The library's timers are these; those of the connections are not.
    mock.timers.enable({ apis: ['setTimeout'] });
    const session = await openPolling(server.origin);
    await session.post('40');
    mock.timers.tick(1000);
    mock.timers.tick(19_000);
    assert.equal(await countOpen(server, 'socketio'), 1);
    mock.timers.tick(1001);
    assert.equal(await countOpen(server, 'socketio'), 0);
    assert.ok(await openPolling(server.origin));
    mock.timers.reset();
    await server.close();
  });
});
