import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { listSocketPaths } from '../support/socket-paths.js';

/** @import { TestServer } from '../support/server.js' */

/** As curl --http2 sends it. */
const H2C = 'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';

const SOCKET_PATHS = await listSocketPaths();

/** @param {string} answer */
const statusOf = (answer) => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);

describe('an upgrade to a protocol that there is not', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(() => server.close());

  /** @param {string} path */
  const askOnce = (path) => sendRaw(server.port, `GET ${path} HTTP/1.1\r\n${H2C}Connection: close\r\n\r\n`);

  for (const [path, status] of /** @type {const} */ ([
    ['/ajaxecho?count=1', 200],
    ['/xhr?count=1', 200],
    ['/echo/info', 200],
    ['/echo2012/info', 200],
    ['/payload/down?bytes=10', 200],
    ['/', 200],
    ['/api/results', 200],
    ['/nothing', 404],
    ...SOCKET_PATHS.map(({ example }) => /** @type {const} */ ([example, 426])),
  ])) {
    it(`is ${status === 426 ? 'refused' : 'ignored'} at ${path} (${status})`, async () => {
      const answer = await askOnce(path);
      assert.equal(statusOf(answer), status, answer);
      assert.equal(/^upgrade: websocket\r$/im.test(answer), status === 426);
    });
  }

  it('is answered as without it', async () => {
    const [, body] = (await askOnce('/ajaxecho?count=1')).split('\r\n\r\n');
    assert.deepEqual(JSON.parse(body), { count: 2 });
  });

  it('may be asked for again and again on one connection, with a body that comes later, too', async () => {
    const body = '{"count":1}';
    const post = `POST /ajaxecho HTTP/1.1\r\n${H2C}Content-Length: ${body.length}\r\n\r\n`;
    const socket = connect(server.port, '127.0.0.1');
    /** @param {string[]} parts */
    const ask = async (...parts) => {
      for (const part of parts) socket.write(part);
      assert.match(String((await once(socket, 'data'))[0]), /\{"count":2\}$/);
    };
    for (let i = 0; i < 20; i++) {
      socket.write(post);
      // In another packet, or in the same.
      if (i % 2) await setImmediate();
      await ask(body);
      await ask(`GET /ajaxecho?count=1 HTTP/1.1\r\n${H2C}\r\n`);
    }
    await ask('GET /ajaxecho?count=1 HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.destroy();
  });

  it('may be asked for many times without waiting for an answer', async () => {
    const get = `GET /ajaxecho?count=1 HTTP/1.1\r\n`;
    const answers = await sendRaw(
      server.port,
      `${`${get}${H2C}\r\n${get}Host: x\r\n\r\n`.repeat(20)}${get}${H2C}Connection: close\r\n\r\n`,
    );
    assert.equal(answers.split('{"count":2}').length - 1, 41);
  });
});
