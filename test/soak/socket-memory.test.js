import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { messageOf, openPackets } from '../support/socketio-session.js';
import { withServer } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';

describe('memory', () => {
  it('of sockets that are written to and never read stays small', () =>
    withServer({}, async ({ port }) => {
      setFlagsFromString('--expose-gc');
      const gc = runInNewContext('gc');
      const payload = JSON.stringify({ count: 1, body: 'x'.repeat(500_000) });
      /** @type {Awaited<ReturnType<typeof openWebSocket>>[]} */
      const sockets = [];
      gc();
      const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
      for (const [path, message] of [
        ['/ws', payload],
        ['/echo/websocket', payload],
        ['/echo/000/abc/websocket', JSON.stringify([payload])],
        ['/socket.io/?EIO=4&transport=websocket', messageOf(JSON.parse(payload))],
      ]) {
        const client = path.includes('socket.io')
          ? await openPackets(port)
          : await openWebSocket(`ws://127.0.0.1:${port}${path}`);
        client.socket.pause();
        // 100 MB each: the client's own kernel buffers and the server's are far smaller, so most of it must wait here.
        for (let sent = 0; sent < 200; sent++) client.socket.send(message);
        sockets.push(client);
      }
      const unsent = () => sockets.map(({ socket }) => socket.bufferedAmount);
      let last = unsent();
      // Waits until nothing moves any more: both sides stand still.
      for (let still = 0; still < 5;) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const now = unsent();
        still = now.every((bytes, i) => bytes === last[i]) ? still + 1 : 0;
        last = now;
      }
      const clientBytes = last.reduce((sum, bytes) => sum + bytes, 0);
      assert.ok(
        last.every((bytes) => bytes > 50e6),
        `the server reads no further, got ${last} bytes left`,
      );
      gc();
      const after = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
      assert.ok(
        after - before - clientBytes < 60e6,
        `expected little more than the client holds, got ${after - before - clientBytes}`,
      );
      for (const socket of sockets) socket.close();
    }));
});
