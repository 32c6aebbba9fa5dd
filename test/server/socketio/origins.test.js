/** Who may use Socket.IO from another site. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openPolling, POLLING, WEBSOCKET } from '../../support/socketio-session.js';
import { withServer } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';

const FRIEND = 'https://friend.example';
const STRANGER = 'https://stranger.example';

describe('the origins of Socket.IO', () => {
  it('are all by default, with CORS where a page on another site asks', () =>
    withServer({}, async ({ origin, port }) => {
      const response = await fetch(origin + POLLING, { headers: { origin: STRANGER } });
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, '*']);
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
      const preflight = await fetch(origin + POLLING, { method: 'OPTIONS', headers: { origin: STRANGER } });
      assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods')], [204, 'GET, POST']);
      (await openWebSocket(`ws://127.0.0.1:${port}${WEBSOCKET}`, { origin: STRANGER })).close();
    }));

  it('are those of a list where there is one, for handshakes, polls, posts and upgrades', () =>
    withServer({ env: { ALLOWED_ORIGINS: FRIEND } }, async (server) => {
      const { sid, url } = await openPolling(server.origin, { headers: { origin: FRIEND } });
      for (const [target, method] of [
        [server.origin + POLLING, 'GET'],
        [url, 'GET'],
        [url, 'POST'],
      ]) {
        const response = await fetch(target, { method, headers: { origin: STRANGER } });
        assert.deepEqual([response.status, (await response.json()).error.code], [403, 'origin-refused'], method);
      }
      for (const path of [WEBSOCKET, `${WEBSOCKET}&sid=${sid}`]) {
        const upgrade = `ws://127.0.0.1:${server.port}${path}`;
        await assert.rejects(openWebSocket(upgrade, { origin: STRANGER }), /status 403/, path);
        (await openWebSocket(upgrade, { origin: FRIEND })).close();
      }
    }));
});
