import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { CLOSE_GONE, CLOSE_SILENT, toClosed } from '../../../../core/net/channel/channel.js';
import { openSockjs } from '../../../../core/net/channel/sockjs.js';

/**
 * @import { RequestListener } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 */

/** A library that never gets a connection by itself. */
class StuckSockJS extends EventTarget {
  /** @param {number} code @param {string} reason */
  close(code, reason) {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }
}

/** @param {string} url */
const openStuck = (url) => /** @type {any} */ (openSockjs(/** @type {any} */ (StuckSockJS), url));

/** @param {EventTarget} socket @returns {Promise<any>} */
const closeOf = async (socket) => (await once(socket, 'close'))[0];

/** @param {(server: { url: string, asked: string[] }) => Promise<void>} use @param {RequestListener} answer */
async function withServer(answer, use) {
  /** @type {string[]} */
  const asked = [];
  const server = createServer((req, res) => {
    asked.push(String(req.url));
    answer(req, res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  try {
    await use({ url: `http://127.0.0.1:${port}/echo`, asked });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('a SockJS that does not get a connection', () => {
  it('closes where the server is gone', async () => {
    const { code, reason } = await closeOf(openStuck('http://127.0.0.1:1/echo'));
    assert.equal(code, CLOSE_GONE);
    assert.equal(toClosed({ code, reason }).outcome, 'closed');
  });

  it('closes after one limit where the server is silent, and that is a timeout', (t) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    t.mock.method(AbortSignal, 'timeout', (/** @type {number} */ ms) => timeout(ms / 200));
    return withServer(
      () => {},
      async ({ url }) => {
        const { code, reason } = await closeOf(openStuck(url));
        assert.equal(code, CLOSE_SILENT);
        assert.equal(toClosed({ code, reason }).outcome, 'timeout');
      },
    );
  });

  it('may go on as long as the server answers, whatever it answers', () =>
    withServer(
      (_req, res) => res.writeHead(404).end(),
      async ({ url, asked }) => {
        const socket = openStuck(`${url}?direction=up`);
        let isClosed = false;
        socket.addEventListener('close', () => (isClosed = true));
        while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
        assert.equal(isClosed, false);
        assert.deepEqual([...new Set(asked)], ['/echo/info?direction=up']);
        socket.dispatchEvent(new Event('open'));
      },
    ));
});
