/** The lines of nginx on the pages about moving, as they stand there, before the example of a server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { withNginx } from './support/nginx.js';

/** @import { AddressInfo } from 'node:net' */

const EXAMPLES = new URL('../../examples/', import.meta.url);

describe('the example of an nginx', () => {
  it('forwards WebSockets, with the host that the server compares with their origin, and other requests', async () => {
    const { serveMessages } = await import(new URL('ws/request-server.js', EXAMPLES).href);
    const server = createServer((_, res) => res.end('a page'));
    serveMessages({ server, answer: (/** @type {{ n: number }} */ { n }) => n + 1 });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port: serverPort } = /** @type {AddressInfo} */ (server.address());
    const example = await readFile(new URL('nginx.conf', EXAMPLES), 'utf8');
    const location = example.replace('localhost:8000', `127.0.0.1:${serverPort}`);
    assert.notEqual(location, example);
    try {
      await withNginx(
        [],
        async ({ port }) => {
          const host = `127.0.0.1:${port}`;
          const socket = new WebSocket(`ws://${host}/messages`, { origin: `http://${host}` });
          await once(socket, 'open');
          socket.send(JSON.stringify({ id: 7, message: { n: 1 } }));
          assert.deepEqual(JSON.parse(String((await once(socket, 'message'))[0])), { id: 7, answer: 2 });
          socket.terminate();
          assert.equal(await (await fetch(`http://${host}/`)).text(), 'a page');
        },
        (_, port) => `server {\n  listen 127.0.0.1:${port};\n${location}}\n`,
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
