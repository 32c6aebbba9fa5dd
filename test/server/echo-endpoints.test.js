import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openServer } from '../support/server.js';
import { sendRaw } from '../support/raw-http.js';

/** @import { TestServer } from '../support/server.js' */

const MIB = 1024 * 1024;
const MAX = Number.MAX_SAFE_INTEGER;

/** @param {string} code */
const error = (code) => ({ code });

/** @param {object | string} value */
const post = (value) => ({ method: 'POST', body: typeof value === 'string' ? value : JSON.stringify(value) });

const FORM = 'application/x-www-form-urlencoded';

/** @param {string} body @param {string} type */
const typed = (body, type) => ({ method: 'POST', body, headers: { 'Content-Type': type } });

/** @type {[string, RequestInit, number, unknown][]} target, request, status, body (or its error code) */
const TABLE = [
  ['/ajaxecho?count=0', {}, 200, { count: 1 }],
  ['/ajaxecho?count=41', {}, 200, { count: 42 }],
  ['/ajaxecho?count=007', {}, 200, { count: 8 }],
  [`/ajaxecho?count=${MAX}`, {}, 200, { count: MAX + 1 }],
  ['/ajaxecho?count=1&name=S%C3%B6ckchen&x=', {}, 200, { count: 2, name: 'Söckchen', x: '' }],
  ['/ajaxecho?x=1&x=2&count=1', {}, 200, { x: ['1', '2'], count: 2 }],
  ['/ajaxecho?count=1&__proto__=a&constructor=b', {}, 200, JSON.parse('{"count":2,"__proto__":"a","constructor":"b"}')],
  ['/ajaxecho?count=1&bad=%E0%A4', {}, 200, { count: 2, bad: '\ufffd' }],
  ['/ajaxecho', {}, 400, error('bad-count')],
  ['/ajaxecho?count=', {}, 400, error('bad-count')],
  ['/ajaxecho?count=-1', {}, 400, error('bad-count')],
  ['/ajaxecho?count=1.5', {}, 400, error('bad-count')],
  ['/ajaxecho?count=1e3', {}, 400, error('bad-count')],
  ['/ajaxecho?count=0x10', {}, 400, error('bad-count')],
  ['/ajaxecho?count=%201', {}, 400, error('bad-count')],
  ['/ajaxecho?count=1&count=2', {}, 400, error('bad-count')],
  [`/ajaxecho?count=${MAX + 1}`, {}, 400, error('bad-count')],
  ['/ajaxecho?count=99999999999999999999', {}, 400, error('bad-count')],
  ['/ajaxecho?COUNT=1', {}, 400, error('bad-count')],
  ['/ajaxecho', post({ count: 1 }), 200, { count: 2 }],
  ['/ajaxecho', post({ count: 1, body: 'abc', deep: { a: [1] } }), 200, { count: 2, body: 'abc', deep: { a: [1] } }],
  ['/ajaxecho', post('{"__proto__":{"a":1},"count":1}'), 200, JSON.parse('{"__proto__":{"a":1},"count":2}')],
  ['/ajaxecho', post({ count: 1, body: 'x'.repeat(MIB - 30) }), 200, { count: 2, body: 'x'.repeat(MIB - 30) }],
  ['/ajaxecho', post(''), 400, error('bad-json')],
  ['/ajaxecho', post('{"count":'), 400, error('bad-json')],
  ['/ajaxecho', post('[1]'), 400, error('bad-json')],
  ['/ajaxecho', post('null'), 400, error('bad-json')],
  ['/ajaxecho', post('7'), 400, error('bad-json')],
  ['/ajaxecho', post({}), 400, error('bad-count')],
  ['/ajaxecho', post({ count: '1' }), 400, error('bad-count')],
  ['/ajaxecho', post({ count: -1 }), 400, error('bad-count')],
  ['/ajaxecho', post({ count: 0.5 }), 400, error('bad-count')],
  ['/ajaxecho', post({ count: null }), 400, error('bad-count')],
  ['/ajaxecho', post({ count: [1] }), 400, error('bad-count')],
  ['/ajaxecho', post('{"count":1e999}'), 400, error('bad-count')],
  ['/ajaxecho', post(`{"count":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), 400, error('too-deep')],
  ['/ajaxecho', { method: 'POST', body: Buffer.from([0x7b, 0xff, 0x7d]) }, 400, error('bad-message')],
  ['/ajaxecho', post('x'.repeat(MIB + 1)), 413, error('too-large')],
  ['/ajaxecho', { method: 'PUT', body: '{}' }, 405, error('wrong-method')],
  ['/ajaxecho', { method: 'DELETE' }, 405, error('wrong-method')],
  ['/xhr?count=10', {}, 200, { count: 9 }],
  ['/xhr?count=1', {}, 200, { count: 0 }],
  ['/xhr?count=0', {}, 200, { count: -1 }],
  ['/xhr?count=x', {}, 400, error('bad-count')],
  ['/xhr?ping=2', {}, 400, error('bad-count')],
  ['/xhr?count=1', post({ count: 1 }), 405, error('wrong-method')],
  ['/ws', {}, 426, error('upgrade-required')],
  ['/ws', post({}), 405, error('wrong-method')],
  ['/ws/echo', {}, 426, error('upgrade-required')],
  ['/ws/echo', post({}), 405, error('wrong-method')],
  ['/echo/info', { method: 'PUT' }, 405, undefined],
  ['/echo/nothing', {}, 404, undefined],
  ['/echo?x=1', {}, 404, error('not-found')],
  ['/echo/websocket', {}, 400, undefined],
  ['/echo/000/session/websocket', {}, 400, undefined],
  ['/echo/000/__proto__/xhr', post(''), 200, undefined],
  ['/echo/000/constructor/xhr_send', post('["x"]'), 404, undefined],
  ['/echo/000/nobody/xhr_send', post('["x"]'), 404, undefined],
  ['/echo/000/nobody/xhr_send', post(''), 500, undefined],
  ['/echo/000/nobody/xhr_send', post('{"__proto__":null}'), 500, undefined],
  ['/echo/000/nobody/xhr_send', post('x'.repeat(MIB + 1)), 413, error('too-large')],
  ['/echo/000/nobody/jsonp_send', post('x'.repeat(MIB + 1)), 413, error('too-large')],
  ['/echo/000/nobody/jsonp', {}, 500, undefined],
  ['/echo/000/nobody/jsonp?c=a&c=b', {}, 500, undefined],
  ['/socket.io/', {}, 400, error('bad-field')],
  ['/socket.io', {}, 400, error('bad-field')],
  ['/socket.io/?EIO=4&transport=polling', { method: 'PUT' }, 405, error('wrong-method')],
  ['/socket.io/?EIO=4&transport=polling', post('40'), 400, error('bad-field')],
  ['/socket.io/?EIO=4&transport=websocket', {}, 426, error('upgrade-required')],
  ['/socket.io/?EIO=4&transport=polling&sid=nobody', post('x'.repeat(MIB + 1)), 413, error('too-large')],
  ['/socket.io/socket.io.js', {}, 404, undefined],
  ['/socket.io/close', post(''), 404, error('not-found')],
  ['/echo2012?x=1', {}, 404, error('not-found')],
  ['/echo2012x/info', {}, 404, undefined],
  ['/echo2012/000/constructor/xhr', post(''), 200, undefined],
  ['/echo2012/000/nobody/xhr_send', post('["x"]'), 404, undefined],
  ['/echo2012/000/nobody/xhr_send', post('{"__proto__":null}'), 400, error('bad-json')],
  ['/echo2012/000/nobody/xhr_send', post(''), 400, error('bad-json')],
  ['/echo2012/000/nobody/xhr_send', post('["x'), 400, error('bad-json')],
  ['/echo2012/000/nobody/xhr_send', typed('["x"]', 'image/png'), 400, error('bad-json')],
  ['/echo2012/000/nobody/xhr_send', typed('["x"]', 'application/xml;charset=UTF-8'), 404, undefined],
  ['/echo2012/000/nobody/xhr_send', { method: 'OPTIONS' }, 204, undefined],
  ['/echo2012/000/nobody/jsonp_send', typed('d=[', FORM), 400, error('bad-json')],
  ['/echo2012/000/nobody/jsonp_send', typed('x=1', FORM), 400, error('bad-json')],
  ['/echo2012/000/nobody/jsonp_send', typed('d={}', FORM), 400, error('bad-json')],
  ['/echo2012/000/nobody/jsonp_send', typed('["x"]', 'application/json'), 400, error('bad-json')],
  ['/echo2012/000/nobody/jsonp_send', typed('d=["x"]', FORM), 404, undefined],
  ['/echo2012/000/nobody/xhr_send', post('x'.repeat(MIB + 1)), 413, error('too-large')],
];

describe('the HTTP echoes', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const [target, request, status, expected] of TABLE) {
    const sent = String(request.body ?? '').slice(0, 50);
    it(`${request.method ?? 'GET'} ${target} ${sent} → ${status}`, async () => {
      const response = await fetch(server.origin + target, request);
      const text = await response.text();
      assert.equal(response.status, status);
      if (expected === undefined) return;
      const body = JSON.parse(text);
      if (status === 200) {
        assert.deepEqual(body, expected);
      } else {
        assert.equal(body.error.code, /** @type {any} */ (expected).code);
        assert.match(body.error.message, /\w+: expected .+/);
      }
    });
  }

  it('GET /xhr?ping=1 → pong', async () => {
    const response = await fetch(`${server.origin}/xhr?ping=1`);
    assert.equal(await response.text(), 'pong');
    assert.equal(response.headers.get('content-type'), 'text/plain');
  });

  for (const path of ['/ajaxecho', '/xhr']) {
    it(`${path}?whoami=1 says who answers`, async () => {
      const body = await (await fetch(`${server.origin}${path}?whoami=1`)).json();
      assert.deepEqual(Object.keys(body), ['server', 'location', 'version', 'worker', 'startedAt']);
      assert.equal(body.server, 'test');
    });

    it(`${path} is never cached, compressed, or answered with a cookie`, async () => {
      const { headers } = await fetch(`${server.origin}${path}?count=1&x=${'y'.repeat(5000)}`, {
        headers: { 'accept-encoding': 'gzip, br', 'if-none-match': '*' },
      });
      assert.equal(headers.get('cache-control'), 'no-store, no-transform');
      for (const name of ['etag', 'content-encoding', 'set-cookie', 'last-modified']) {
        assert.equal(headers.get(name), null, name);
      }
    });

    it(`${path} closes the connection where it is asked to, and only there`, async () => {
      for (const [query, connection] of [
        ['count=1&close=1', 'close'],
        ['count=1', 'keep-alive'],
        ['count=1&xclose=1', 'keep-alive'],
        ['count=1&close=10', 'keep-alive'],
      ]) {
        const answer = await sendRaw(
          server.port,
          `GET ${path}?${query} HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        );
        assert.match(answer, new RegExp(`^HTTP/1.1 200 OK[^]*?\r\nConnection: ${connection}\r\n`), query);
        assert.equal(answer.includes('"status":"ok"'), connection === 'keep-alive', query);
      }
    });
  }

  it('says which methods it takes', async () => {
    const response = await fetch(`${server.origin}/ajaxecho`, { method: 'DELETE' });
    assert.equal(response.headers.get('allow'), 'GET, POST');
  });

  it('refuses a body that grows beyond the limit without having said so', async () => {
    const chunk = 'x'.repeat(64 * 1024);
    const chunks = `10000\r\n${chunk}\r\n`.repeat(17);
    for (const path of ['/ajaxecho', '/echo/000/nobody/xhr_send']) {
      const answer = await sendRaw(
        server.port,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1.1 413 /, path);
      assert.match(answer, /too-large/, path);
    }
  });

  it('takes a body that comes in a hundred thousand pieces, in time that grows with its size', async () => {
    const pieces = Array.from('{"count":1,"x":"' + 'y'.repeat(100_000) + '"}', (letter) => `1\r\n${letter}\r\n`).join(
      '',
    );
    const answer = await sendRaw(
      server.port,
      `POST /ajaxecho HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`,
    );
    assert.match(answer, /\r\n\r\n\{"count":2,"x":"y+"\}$/);
  });

  for (const [what, bytes] of Object.entries({
    'no HTTP at all': '\x16\x03\x01\x00\xa5 hello\r\n\r\n',
    'a header that is too long': `GET /ajaxecho?count=1 HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    'a target that is too long': `GET /ajaxecho?count=${'1'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'two lengths': 'POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'a wrong length': 'POST /ajaxecho HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'a tunnel': 'CONNECT /echo HTTP/1.1\r\nHost: x\r\n\r\n',
    'an upgrade to another protocol':
      'GET /ajaxecho?count=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
    'a bare newline in a target': 'GET /ajaxecho?count=1\nx HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  })) {
    it(`survives ${what}`, async () => {
      await sendRaw(server.port, bytes);
      assert.equal((await fetch(`${server.origin}/ajaxecho?count=1`)).status, 200);
    });
  }
});
