/**
 * What is silent on purpose lives behind the generated nginx; its times are divided, so that this takes a second.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { get } from 'node:https';
import { before, describe, it } from 'node:test';
import { WebSocketServer } from 'ws';
import { openServer } from '../../test/support/server.js';
import { openWebSocket } from '../../test/support/web-socket.js';
import { parseOptions } from '../nginx/options.js';
import { renderSite } from '../nginx/site.js';
import { ask, askHttp2 } from './support/https-client.js';
import { requireNginx, withNginx } from './support/nginx.js';

/** @import { AddressInfo } from 'node:net' */

const DIVISOR = 100;
/** The longest silence that a visitor may ask for. */
const LONGEST_SECONDS = 600;
const TIMEOUT = /(proxy_(?:read|send)_timeout) (\d+)s;/g;

/** @param {string} site */
const divideTimeouts = (site) =>
  site.replace(TIMEOUT, (_all, name, seconds) => `${name} ${(seconds * 1000) / DIVISOR}ms;`);

before(requireNginx);

/**
 * A server that opens every WebSocket, begins every answer, and then says nothing more of its own accord.
 *
 * @param {(port: number) => Promise<unknown>} use
 */
async function withSilentServer(use) {
  const webSockets = new WebSocketServer({ noServer: true });
  const server = createServer((_req, res) => res.writeHead(200).write('begun'));
  server.on('upgrade', (req, socket, head) =>
    webSockets.handleUpgrade(req, socket, head, (client) => {
      client.on('message', (message) => client.send(message, { binary: false }));
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(/** @type {AddressInfo} */ (server.address()).port);
  } finally {
    server.close().closeAllConnections();
    for (const client of webSockets.clients) client.terminate();
  }
}

describe('silence through nginx', () => {
  it('may last longer below /reach/ than a visitor may ask for', () => {
    const site = renderSite(parseOptions(['--domain', 'a.b']));
    const [, location] = /location ~ \^\/reach\/ \{([^]+?)\n {4}\}/.exec(site) ?? [];
    assert.deepEqual(
      [...location.matchAll(TIMEOUT)].map(([, name, seconds]) => [name, Number(seconds) > LONGEST_SECONDS]),
      [
        ['proxy_read_timeout', true],
        ['proxy_send_timeout', true],
      ],
    );
  });

  it('ends neither a WebSocket nor a stream below /reach/ when it has ended others', () =>
    withSilentServer((port) =>
      withNginx(
        ['--upstream', `127.0.0.1:${port}`],
        async (nginx) => {
          const host = `127.0.0.1:${nginx.port}`;
          const options = { ca: nginx.certificate };
          /** @type {string[]} */
          const ended = [];
          const openStream = async (/** @type {string} */ path) => {
            const [stream] = await once(get(`https://${host}${path}`, { ...options, agent: false }), 'response');
            // It does not wait for more.
            await once(stream, 'data');
            return stream.on('error', () => {}).on('close', () => ended.push(path));
          };
          const [reach, other] = await Promise.all(
            ['/reach/ws', '/ws'].map((path) => openWebSocket(`wss://${host}${path}`, options)),
          );
          const [reachStream, otherStream] = await Promise.all(['/reach/events', '/sse/abcdefgh'].map(openStream));

          assert.equal((await other.closed).code, 1006);
          if (!otherStream.closed) await new Promise((resolve) => otherStream.once('close', resolve));
          assert.deepEqual(ended, ['/sse/abcdefgh']);
          assert.equal(await reach.ask('still there'), 'still there');
          reach.close();
          reachStream.destroy();
        },
        divideTimeouts,
      ),
    ));
});

describe('/reach/ through nginx', () => {
  it('has its messages echoed, and what the server saw of them', async () => {
    const server = await openServer({ env: { TRUST_PROXY: '1' } });
    try {
      await withNginx(['--upstream', `127.0.0.1:${server.port}`], async (nginx) => {
        const host = `127.0.0.1:${nginx.port}`;
        const options = { ca: nginx.certificate };
        const seenOf = async (/** @type {string} */ probe) =>
          JSON.parse((await ask(`https://${host}/reach/seen?probe=${probe}`, options)).text);

        const socket = await openWebSocket(`wss://${host}/reach/ws?probe=by-nginx`, options);
        const large = 'x'.repeat(1024 * 1024);
        assert.ok((await socket.ask(large)) === large);
        assert.equal(await socket.ask(Buffer.from('bytes')), 'bytes');
        socket.socket.close(1000);
        await socket.closed;
        const { openMs, ...seen } = await seenOf('by-nginx');
        const counts = { plainCount: 0, upgradeCount: 1, openCount: 1, textCount: 1, binaryCount: 1 };
        assert.deepEqual(seen, { ...counts, httpVersion: '1.1', closeCode: 1000 });
        assert.ok(openMs >= 0);

        assert.equal((await askHttp2(`https://${host}/reach/ws?probe=by-http2`, options)).status, 426);
        assert.equal((await ask(`https://${host}/reach/poll?ms=20`, options)).status, 200);
        const stream = await ask(`https://${host}/reach/events?count=3&interval=10`, options);
        assert.equal(stream.text.match(/^data: /gm)?.length, 3);
      });
    } finally {
      await server.close();
    }
  });
});
