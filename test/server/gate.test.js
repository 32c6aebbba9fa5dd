import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '../../server/http/limits.js';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { withServer } from '../support/two-workers.js';
import { messageOf } from '../support/socketio-session.js';
import { openWebSocket } from '../support/web-socket.js';

/**
 * @import { Socket } from 'node:net'
 * @import { TestServer } from '../support/server.js'
 */

const FRIEND = 'https://friend.example';
const STRANGER = 'https://stranger.example';

describe('origins', () => {
  const TARGETS = [
    '/ajaxecho?count=1',
    '/xhr?count=1',
    '/echo/info',
    '/echo2012/info',
    ...['', '/events', '/poll'].map((path) => `/pieces${path}?pieces=2&bytes=1&rate=0&spread=0&seed=1`),
    ...['/socket.io/', '/socket.io/jobs/', '/pieces/socket.io/'].map((path) => `${path}?EIO=4&transport=polling`),
  ];
  const SOCKETS = [
    '/ws',
    '/ws/pieces',
    '/echo/websocket',
    '/echo/000/abc/websocket',
    '/echo2012/000/abc/websocket',
    '/pieces/sockjs/000/abc/websocket',
    ...['/socket.io/', '/socket.io/jobs/', '/pieces/socket.io/'].map((path) => `${path}?EIO=4&transport=websocket`),
  ];

  it('by default everyone may measure, with CORS where a page on another site asks', () =>
    withServer({}, async ({ origin, port }) => {
      for (const target of TARGETS) {
        const response = await fetch(origin + target, { headers: { origin: STRANGER } });
        assert.equal(response.status, 200, target);
        assert.match(String(response.headers.get('access-control-allow-origin')), /^(\*|https:.*)$/, target);
      }
      for (const path of SOCKETS) {
        (await openWebSocket(`ws://127.0.0.1:${port}${path}`, { origin: STRANGER })).close();
      }
    }));

  it('answers a preflight on every echo', () =>
    withServer({}, async ({ origin }) => {
      for (const path of ['/ajaxecho', '/xhr', '/echo/000/abc/xhr_send', '/echo2012/000/abc/xhr_send', '/socket.io/']) {
        const response = await fetch(origin + path, { method: 'OPTIONS', headers: { origin: STRANGER } });
        assert.equal(response.status, 204, path);
        assert.ok(response.headers.get('access-control-allow-methods'), path);
      }
    }));

  it('with a list only those on it, on every echo alike', () =>
    withServer({ env: { ALLOWED_ORIGINS: `${FRIEND}, https://other.example` } }, async ({ origin, port }) => {
      for (const target of TARGETS) {
        const statuses = [];
        for (const from of [FRIEND, origin, STRANGER, 'null']) {
          statuses.push((await fetch(origin + target, { headers: { origin: from } })).status);
        }
        assert.deepEqual(statuses, [200, 200, 403, 403], target);
        assert.equal((await fetch(origin + target)).status, 200, `${target} from no page`);
      }
      for (const path of SOCKETS) {
        (await openWebSocket(`ws://127.0.0.1:${port}${path}`, { origin: FRIEND })).close();
        await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}${path}`, { origin: STRANGER }), /status 403/, path);
      }
    }));

  it('with a list a script on another site is refused, too, which sends no origin', () =>
    withServer({ env: { ALLOWED_ORIGINS: FRIEND } }, async ({ origin }) => {
      for (const target of [...TARGETS, '/echo/000/abc/jsonp?c=x']) {
        const response = await fetch(origin + target, { headers: { 'sec-fetch-site': 'cross-site' } });
        assert.equal(response.status, 403, target);
      }
    }));

  it('with a list only those on it may frame the page that SockJS’s iframes load', () =>
    withServer({ env: { ALLOWED_ORIGINS: FRIEND } }, async ({ origin }) => {
      const response = await fetch(`${origin}/echo/iframe.html`, { headers: { 'sec-fetch-site': 'cross-site' } });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-security-policy'), `frame-ancestors 'self' ${FRIEND}`);
    }));
});

describe('SockJS’s answers', () => {
  it('may be used by a page that is cross-origin isolated', () =>
    withServer({}, async ({ origin }) => {
      for (const path of ['/echo/info', '/echo/iframe.html', '/echo2012/iframe.html']) {
        const { headers } = await fetch(origin + path);
        assert.equal(headers.get('cross-origin-embedder-policy'), 'require-corp', path);
        assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin', path);
      }
    }));

  it('name our own copy of the client, not one elsewhere', () =>
    withServer({}, async ({ origin }) => {
      const page = await (await fetch(`${origin}/echo/iframe.html`)).text();
      const [, source] = String(page).match(/<script src="([^"]*)"/) ?? [];
      assert.match(source, /^\/assets\/\w+\/vendor\/sockjs\.js$/);
      assert.equal((await fetch(origin + source)).status, 200);
    }));
});

describe('handshakes', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  const HEADERS = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  for (const [what, path, headers, status] of /** @type {const} */ ([
    ['at a path without one', '/', {}, 404],
    ['at an HTTP echo', '/ajaxecho', {}, 404],
    ['at another path of SockJS', '/echo/info', {}, 404],
    ['of another version of Socket.IO’s protocol', '/socket.io/?EIO=3&transport=websocket', {}, 400],
    ['of a draft', '/echo/websocket', { 'sec-websocket-version': '8' }, 426],
    ['of a version that is none', '/ws', { 'sec-websocket-version': 'x' }, 426],
    ['without a key', '/ws', { 'sec-websocket-key': '' }, 400],
    ['for another protocol', '/ws', { upgrade: 'h2c' }, 426],
    ['with a key that is too short', '/echo/000/abc/websocket', { 'sec-websocket-key': 'abc' }, 400],
  ])) {
    it(`${what} → ${status}, in words`, async () => {
      const lines = Object.entries({ host: 'x', ...HEADERS, ...headers }).map(([name, text]) => `${name}: ${text}\r\n`);
      const answer = await sendRaw(server.port, `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(answer, /\{"error":\{"code":"[a-z-]+","message":"\w[^"]+"\}\}$/);
    });
  }
});

describe('the limit of sessions', () => {
  it('holds for all sockets and fallbacks together; those that are open go on', () =>
    withServer({ env: { TRUST_PROXY: '1' }, limits: { sessionCount: 3 } }, async ({ origin, port }) => {
      let lastVisitor = 0;
      /** Each from an address of its own. */
      const asOther = () => ({ headers: { 'X-Forwarded-For': `192.0.2.${++lastVisitor}` } });
      const sockets = [];
      for (const path of ['/ws', '/echo/000/a/websocket']) {
        sockets.push(await openWebSocket(`ws://127.0.0.1:${port}${path}`, asOther()));
      }
      /** @param {string} id */
      const poll = (id) => fetch(`${origin}/echo/000/${id}/xhr`, { method: 'POST', ...asOther() });
      assert.equal(await (await poll('b')).text(), 'o\n');

      assert.equal((await poll('c')).status, 503);
      await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}/ws`), /status 503/);
      for (const path of ['/echo/websocket', '/echo2012/websocket']) {
        await assert.rejects(openWebSocket(`ws://127.0.0.1:${port}${path}`), /status 503/, path);
      }

      await fetch(`${origin}/echo/000/b/xhr_send`, { method: 'POST', body: '["{\\"count\\":1}"]' });
      assert.equal(await (await poll('b')).text(), 'a["{\\"count\\":2}"]\n');
      assert.equal(await sockets[0].ask('ping'), 'pong');

      sockets[0].socket.close();
      await sockets[0].closed;
      const next = await openWebSocket(`ws://127.0.0.1:${port}/ws`);
      for (const socket of [...sockets, next]) socket.close();
    }));
});

describe('memory', () => {
  it('of all bodies that are coming in is bounded together', () =>
    withServer({ limits: { bodyBytesInFlight: 100_000 } }, async ({ origin, port }) => {
      const slow = connect(port, '127.0.0.1');
      slow.on('error', () => {});
      slow.write(`POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n${'x'.repeat(60_000)}`);
      const ask = () =>
        fetch(`${origin}/ajaxecho`, { method: 'POST', body: JSON.stringify({ count: 1, x: 'y'.repeat(60_000) }) });
      // The slow body is on its way as soon as another of that size is refused.
      let response = await ask();
      while (response.status === 200) response = await ask();
      assert.equal(response.status, 503);
      assert.equal((await response.json()).error.code, 'busy');

      slow.destroy();
      while (response.status === 503) response = await ask();
      assert.equal(response.status, 200, 'its room is free again once it is gone');
    }));

  it('of a fallback session that fetches no answers is bounded: it is closed', () =>
    withServer({ limits: { unsentBytes: 10_000 } }, async ({ origin }) => {
      const body = JSON.stringify([JSON.stringify({ count: 1, body: 'x'.repeat(6000) })]);
      for (const prefix of ['/echo', '/echo2012']) {
        const url = `${origin}${prefix}/000/silent${prefix.slice(1)}`;
        await (await fetch(`${url}/xhr`, { method: 'POST' })).text();
        for (let sent = 0; sent < 2; sent++) await fetch(`${url}/xhr_send`, { method: 'POST', body });
        const polled = [];
        for (let polls = 0; polls < 2; polls++) {
          polled.push(await (await fetch(`${url}/xhr`, { method: 'POST' })).text());
        }
        assert.match(polled[0], /^a\["?\{/, 'what there was is still fetched');
        assert.match(polled[1], /^c\[1008,/);
      }
    }));

  // All memory of a server that much is sent to: test/soak/socket-memory.test.js.
  it('of sockets that are written to and never read stays small', () =>
    withServer({}, async ({ port, server }) => {
      const message = JSON.stringify({ count: 1, body: 'x'.repeat(500_000) });
      const mostBytes = LIMITS.unsentBytes + 3 * message.length;
      /** @type {Socket[]} */
      const accepted = [];
      server.on('connection', (socket) => accepted.push(socket));
      /** @type {(() => void)[]} */
      const fillers = [];
      for (const [path, text] of [
        ['/ws', message],
        ['/echo/websocket', message],
        ['/echo/000/abc/websocket', JSON.stringify([message])],
        ['/echo2012/000/abc/websocket', JSON.stringify([message])],
        ['/socket.io/?EIO=4&transport=websocket', messageOf(JSON.parse(message))],
      ]) {
        const { socket, next } = await openWebSocket(`ws://127.0.0.1:${port}${path}`);
        if (path.includes('socket.io')) {
          socket.send('40');
          while (!(await next()).startsWith('40'));
        }
        socket.pause();
        fillers.push(() => {
          while (socket.bufferedAmount === 0) socket.send(text);
        });
      }
      const readBytes = () => accepted.map((socket) => socket.bytesRead).join();
      // Until the server reads no further from any: on a busy machine it may seem so too soon, which does no harm.
      for (let still = 0, last = ''; still < 5;) {
        for (const fill of fillers) fill();
        await new Promise((resolve) => setTimeout(resolve, 20));
        for (const { bytesRead, bytesWritten, writableLength } of accepted) {
          // What it has got, and has neither answered nor got rid of.
          const heldBytes = bytesRead - (bytesWritten - writableLength);
          assert.ok(heldBytes <= mostBytes, `holds ${heldBytes} bytes`);
        }
        still = readBytes() === last ? still + 1 : 0;
        last = readBytes();
      }
      for (const socket of accepted) socket.destroy();
    }));
});
