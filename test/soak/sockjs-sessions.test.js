/** What clients of SockJS sessions send that sockjs-client never does: it ends their session at most. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openRaw, upgradeHead } from '../support/payload-client.js';
import { sendRaw } from '../support/raw-http.js';
import { withServer } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';

/** @import { TestServer } from '../support/server.js' */

const NESTED = `${'['.repeat(5000)}${']'.repeat(5000)}`;

/** @param {TestServer} server */
async function assertAnswers({ origin }) {
  assert.deepEqual(await (await fetch(`${origin}/ajaxecho?count=1`)).json(), { count: 2 });
}

/** @param {string} answer */
const statusesOf = (answer) => [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

describe('a frame of nested brackets', () => {
  for (const path of ['/echo', '/echo2012', '/jobs', '/payload/sockjs']) {
    it(`closes the session at ${path} with 1008`, () =>
      withServer({}, async (server) => {
        const url = `ws://127.0.0.1:${server.port}${path}/000/x/websocket?direction=echo`;
        const { socket, closed, next } = await openWebSocket(url);
        assert.equal(await next(), 'o');
        socket.send(NESTED);
        assert.match(await next(), /^c\[1008,/);
        await closed;
        await assertAnswers(server);
      }));

    it(`closes a fallback’s session at ${path} with 1008`, () =>
      withServer({}, async (server) => {
        const post = async (/** @type {string} */ action, body = '') => {
          const url = `${server.origin}${path}/000/nested/${action}?direction=echo`;
          const response = await fetch(url, { method: 'POST', body });
          return [response.status, await response.text()];
        };
        assert.deepEqual(await post('xhr'), [200, 'o\n']);
        assert.deepEqual(await post('xhr_send', NESTED), [204, '']);
        assert.match(String((await post('xhr'))[1]), /^c\[1008,/);
        await assertAnswers(server);
      }));
  }
});

describe('a path that a URL parser would change', () => {
  for (const target of [
    'POST /echo/a/b/xhr#x',
    'POST /echo/a\\b\\xhr',
    'POST /jobs/a/__proto__\\xhr',
    'POST /echo/chunking_test',
    'GET /echo/unknown',
  ]) {
    it(`opens no SockJS session: ${target}`, () =>
      withServer({}, async ({ origin, port }) => {
        const answer = await sendRaw(
          port,
          `${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        );
        assert.deepEqual(statusesOf(answer), [404]);
        assert.doesNotMatch(await (await fetch(`${origin}/metrics`)).text(), /^sockshootout_sessions_total\{/m);
      }));
  }

  it('opens no WebSocket', () =>
    withServer({}, async ({ port }) => {
      const answer = await sendRaw(port, upgradeHead('/echo/a\\b/c/websocket'));
      assert.deepEqual(statusesOf(answer), [404]);
    }));
});

describe('a request for a download over a fallback', () => {
  it('is bounded before it is parsed', () =>
    withServer({}, async ({ origin }) => {
      const post = async (/** @type {string} */ action, body = '') => {
        const url = `${origin}/payload/sockjs/000/nested/${action}?direction=down`;
        return (await fetch(url, { method: 'POST', body })).text();
      };
      await post('xhr');
      await post('xhr_send', JSON.stringify(['['.repeat(1_000_000)]));
      assert.match(await post('xhr'), /too-large/);
    }));
});

describe('a SockJS session', () => {
  it('belongs to its endpoint', () =>
    withServer({}, async ({ origin }) => {
      const post = async (/** @type {string} */ path, body = '') => {
        const response = await fetch(`${origin}${path}`, { method: 'POST', body });
        return [response.status, await response.text()];
      };
      assert.deepEqual(await post('/echo/000/shared/xhr'), [200, 'o\n']);
      assert.equal((await post('/echo2012/000/shared/xhr_send', '["{\\"count\\":1}"]'))[0], 404);
      assert.deepEqual(await post('/jobs/000/shared/xhr'), [200, 'o\n']);
      assert.equal((await post('/echo/000/shared/xhr_send', '["{\\"count\\":1}"]'))[0], 204);
      assert.deepEqual(await post('/echo/000/shared/xhr'), [200, 'a["{\\"count\\":2}"]\n']);
    }));
});

describe('a fallback’s client that fetches its answers', () => {
  it('may get more of them in the end than may wait at a time', () =>
    withServer({ limits: { unsentBytes: 10_000 } }, async ({ origin }) => {
      const post = (/** @type {string} */ action, body = '') =>
        fetch(`${origin}/echo/000/fetching/${action}`, { method: 'POST', body });
      await (await post('xhr')).text();
      const text = JSON.stringify({ count: 1, body: 'x'.repeat(1000) });
      for (let i = 0; i < 10; i++) {
        await post('xhr_send', JSON.stringify(Array(5).fill(text)));
        const frame = await (await post('xhr')).text();
        assert.equal(JSON.parse(frame.slice(1)).length, 5, frame.slice(0, 100));
      }
      await post('xhr_send', JSON.stringify(Array(10).fill(text)));
      // What waited comes first.
      await (await post('xhr')).text();
      const last = await (await post('xhr')).text();
      assert.ok(last.startsWith('c[1008,'), last.slice(0, 100));
    }));
});

describe('a fallback’s post of many messages', () => {
  it('is answered when all have been handed on, in order', () =>
    withServer({ limits: { unsentBytes: 8 * 1024 * 1024 } }, async ({ origin }) => {
      const post = (/** @type {string} */ action, body = '') =>
        fetch(`${origin}/echo/000/many/${action}`, { method: 'POST', body });
      await (await post('xhr')).text();
      const counts = Array.from({ length: 16_384 }, (_, count) => count);
      const sent = await post('xhr_send', JSON.stringify(counts.map((count) => `{"count":${count}}`)));
      assert.equal(sent.status, 204);
      const received = JSON.parse((await (await post('xhr')).text()).slice(1));
      assert.deepEqual(
        received.map((/** @type {string} */ text) => JSON.parse(text).count - 1),
        counts,
      );
    }));

  it('is nothing more where its session has gone, or its client', () =>
    withServer({}, async (server) => {
      const body = JSON.stringify(Array(16_000).fill('{"count":1}'));
      const head = (/** @type {string} */ id) =>
        `POST /echo/000/${id}/xhr_send HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
      await (await fetch(`${server.origin}/echo/000/left/xhr`, { method: 'POST' })).text();
      const client = await openRaw(server.port);
      client.send(head('left') + body);
      client.socket.destroySoon();
      await client.closed;
      const other = await openRaw(server.port);
      other.send(head('nobody') + body);
      await other.received(1);
      assert.deepEqual(statusesOf(other.text()), [404]);
      other.socket.destroy();
      await assertAnswers(server);
    }));
});
