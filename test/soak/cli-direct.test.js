/** Requests and WebSockets of the command line take the same path, whatever proxy its environment names. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, it } from 'node:test';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/** @import { AddressInfo } from 'node:net' */
/** @import { TestServer } from '../support/server.js' */

/** @type {string[]} the targets that it was asked for */
const asked = [];
const proxy = createServer((req, res) => {
  asked.push(String(req.url));
  res.writeHead(502).end();
}).on('connect', (req, socket) => {
  asked.push(String(req.url));
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});
/** @type {TestServer} */
let server;
/** @type {string} */
let proxyUrl;
before(async () => {
  server = await openServer();
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  proxyUrl = `http://127.0.0.1:${/** @type {AddressInfo} */ (proxy.address()).port}`;
});
after(async () => {
  proxy.close();
  await server.close();
});

// fetch, the requests of two libraries, and WebSockets of two.
const TRANSPORTS = 'fetch,ws,sockjs,sockjs-xhr-polling,socketio';

for (const [command, ...args] of [
  ['run', 'shootout', '--transports', TRANSPORTS, '--blocks', '6', '--iterations', '5'],
  ['load', '--requests', '20'],
]) {
  it(`${command} asks no proxy`, async () => {
    const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl };
    const { code, err } = await runProgram('cli/sockshootout.js', [command, ...args, '--url', server.origin], { env });
    assert.deepEqual([code, asked], [0, []], err);
  });
}
