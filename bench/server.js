/**
 * A server as a process of its own, `node bench/server.js NAME`: ours, or a bare one that answers the same. It tells its port,
 * and its CPU time whenever it is asked, and ends with its parent.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import sockjs from 'sockjs';
import { WebSocketServer } from 'ws';
import { LIMITS } from '../server/http/limits.js';

/** @import { AddressInfo } from 'node:net' */

async function createOurs() {
  // Loaded here, as a bare server is to have nothing of it.
  const [{ createApp }, { parseConfig }, { openStore }, { createLog }] = await Promise.all([
    import('../server/app.js'),
    import('../server/config.js'),
    import('../server/store/index.js'),
    import('../server/telemetry/log.js'),
  ]);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  // Its own environment: what the shell has set must not change what is measured.
  const config = parseConfig({ LOG_LEVEL: 'silent' });
  const store = await openStore({ dataDir });
  await store.migrate();
  const { server } = await createApp({ config, log: createLog(config), store });
  return server;
}

/** The AJAX echo: the same answer, and nothing but that. */
function createNodeHttp() {
  return createServer({ noDelay: true, keepAliveTimeout: LIMITS.keepAliveMs }, ({ url = '' }, res) => {
    const body = `{"count":${Number(url.slice(url.indexOf('=') + 1)) + 1}}`;
    res.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    });
    res.end(body);
  });
}

function createSockjsNode() {
  const echo = sockjs.createServer({ log: () => {} });
  echo.on('connection', (connection) => connection.on('data', (text) => connection.write(countUp(text))));
  const server = createServer();
  echo.installHandlers(server, { prefix: '/echo' });
  return server;
}

/** A message is a frame, with none of SockJS's framing. */
function createWs() {
  const server = createServer();
  new WebSocketServer({ server }).on('connection', (socket) => {
    // Without a listener a frame that breaks a limit of the library's would end the server.
    socket.on('error', () => {});
    socket.on('message', (text) => socket.send(countUp(String(text))));
  });
  return server;
}

/** @param {string} text */
function countUp(text) {
  const message = JSON.parse(text);
  message.count += 1;
  return JSON.stringify(message);
}

const SERVERS = { ours: createOurs, 'node-http': createNodeHttp, 'sockjs-node': createSockjsNode, ws: createWs };

const server = await SERVERS[/** @type {keyof typeof SERVERS} */ (process.argv[2])]();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {AddressInfo} */ (server.address());
  process.send?.({ port });
});
