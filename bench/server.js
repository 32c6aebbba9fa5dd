/**
 * Runs a server as a process of its own, `node bench/server.js NAME`: ours, or a bare one with the same answers. It
 * reports its port, and its CPU time on request, and exits with its parent.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Server } from 'socket.io';
import sockjs from 'sockjs';
import { WebSocketServer } from 'ws';
import { LIMITS } from '../server/http/limits.js';

/** @import { AddressInfo } from 'node:net' */

async function createOurs() {
  // They are imported here, so that a bare server does not load them.
  const [{ createApp }, { parseConfig }, { openStore }, { createLog }] = await Promise.all([
    import('../server/app.js'),
    import('../server/config.js'),
    import('../server/store/index.js'),
    import('../server/telemetry/log.js'),
  ]);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  // The environment of the shell must not change what is measured.
  const config = parseConfig({ LOG_LEVEL: 'silent' });
  const store = await openStore({ dataDir });
  await store.migrate();
  const { server } = await createApp({ config, log: createLog(config), store });
  return server;
}

/** Creates a server that only sends the same answer as the AJAX echo. */
function createNodeHttp() {
  return createServer({ noDelay: true, keepAliveTimeout: LIMITS.keepAliveMs }, ({ url = '' }, res) => {
    const body = `{"count":${Number(url.slice(url.indexOf('=') + 1)) + 1}}`;
    res.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store, no-transform',
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

function createSocketio() {
  const server = createServer();
  new Server(server).on('connection', (socket) => {
    socket.on('message', (message) => {
      message.count += 1;
      socket.emit('message', message);
    });
  });
  return server;
}

function createWs() {
  const server = createServer();
  new WebSocketServer({ server }).on('connection', (socket) => {
    // A frame that breaks a limit of the library would end the server if nobody listened.
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

const SERVERS = {
  ours: createOurs,
  'node:http': createNodeHttp,
  'sockjs-node': createSockjsNode,
  'Socket.IO': createSocketio,
  ws: createWs,
};

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
