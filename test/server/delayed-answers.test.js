import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { openSocketioSession } from '../support/socketio-session.js';
import { openSession } from '../support/sockjs-session.js';
import { openWebSocket } from '../support/web-socket.js';

/** @import { TestServer } from '../support/server.js' */

const DELAY_MS = 20;

/**
 * The ways to an echo.
 *
 * @type {Record<string, (server: TestServer) => Promise<{ ask(): Promise<any>, close?(): void }>>}
 */
const ECHOES = {
  'GET /ajaxecho': async ({ origin }) => ({
    ask: async () => (await fetch(`${origin}/ajaxecho?count=1`)).json(),
  }),
  'POST /ajaxecho': async ({ origin }) => ({
    ask: async () => (await fetch(`${origin}/ajaxecho`, { method: 'POST', body: '{"count":1}' })).json(),
  }),
  'SockJS by websocket': ({ origin }) => openSockjs(origin, 'websocket'),
  'SockJS by xhr-streaming': ({ origin }) => openSockjs(origin, 'xhr-streaming'),
  'SockJS by xhr-polling': ({ origin }) => openSockjs(origin, 'xhr-polling'),
  WebSocket: (server) => openRaw(server, '/ws/echo'),
  'SockJS’s raw WebSocket': (server) => openRaw(server, '/echo/websocket'),
  'Socket.IO by polling': ({ origin }) => openSocketio(origin, 'polling'),
  'Socket.IO by websocket': ({ origin }) => openSocketio(origin, 'websocket'),
  'SockJS at /echo2012': async ({ port }) => {
    const { next, ask, close } = await openWebSocket(`ws://127.0.0.1:${port}/echo2012/000/x/websocket`);
    assert.equal(await next(), 'o');
    return { ask: async () => JSON.parse((await ask('["{\\"count\\":1}"]')).slice(1))[0], close };
  },
};

/** @param {TestServer} server @param {string} path */
async function openRaw({ port }, path) {
  const { ask, close } = await openWebSocket(`ws://127.0.0.1:${port}${path}`);
  return { ask: async () => JSON.parse(await ask('{"count":1}')), close };
}

/** @param {string} origin @param {string} transport */
async function openSockjs(origin, transport) {
  const { ask, close } = await openSession(`${origin}/echo`, transport);
  return { ask: () => ask({ count: 1 }), close };
}

/** @param {string} origin @param {string} transport */
async function openSocketio(origin, transport) {
  const { ask, close } = await openSocketioSession(`${origin}/socket.io`, { transports: [transport] });
  return { ask: () => ask({ count: 1 }), close };
}

/**
 * Never earlier, by the clock that the tests read; a timer alone may be a millisecond early.
 *
 * @param {() => void} answer
 */
function delayAnswer(answer) {
  const dueMs = performance.now() + DELAY_MS;
  const look = () => {
    if (performance.now() >= dueMs) answer();
    else setTimeout(look, 1);
  };
  setTimeout(look, DELAY_MS);
}

describe('delayed answers', { concurrency: true }, () => {
  for (const [name, open] of Object.entries(ECHOES)) {
    it(`delays each answer of ${name}`, async () => {
      const server = await openServer({ delayAnswer });
      try {
        const echo = await open(server);
        for (let i = 0; i < 3; i++) {
          const sentAtMs = performance.now();
          assert.deepEqual(await echo.ask(), { count: 2 });
          const roundTripMs = performance.now() - sentAtMs;
          assert.ok(roundTripMs >= DELAY_MS, `answered after ${roundTripMs} ms`);
        }
        echo.close?.();
      } finally {
        await server.close();
      }
    });
  }

  it('is asked for the echoes of 2012 alone', async () => {
    let count = 0;
    const server = await openServer({
      delayAnswer(answer) {
        count++;
        answer();
      },
    });
    try {
      for (const target of ['/xhr?count=1', '/status', '/healthz', '/echo/info']) {
        await (await fetch(server.origin + target)).text();
      }
      const socket = await openWebSocket(`ws://127.0.0.1:${server.port}/ws`);
      await socket.ask('{"count":1}');
      socket.close();
      assert.equal(count, 0);
      await (await fetch(`${server.origin}/ajaxecho?count=1`)).text();
      assert.equal(count, 1);
    } finally {
      await server.close();
    }
  });
});
