/**
 * A proxy for HTTP/1.1 that passes on every request and answer as it is, and does to WebSockets what it is told.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { createFrameFilter } from './frames.js';

/**
 * @import { IncomingMessage, RequestListener } from 'node:http'
 * @import { AddressInfo, Socket } from 'node:net'
 * @import { IsPassed } from './frames.js'
 *
 * @typedef {(client: Socket, server: Socket) => void} Join connects the two ends of a WebSocket, after the answer 101
 */

const HOST = '127.0.0.1';
const HEAD_END = '\r\n\r\n';

/** @type {Join} nothing is in its way */
export function joinPlainly(client, server) {
  for (const [from, to] of bothWays(client, server)) {
    from.pipe(to);
    from.on('close', () => to.destroySoon());
  }
}

/** @param {number} afterMs @returns {Join} cuts both ends without a word */
export const joinUntilReset = (afterMs) => (client, server) => {
  joinPlainly(client, server);
  setTimeout(() => {
    for (const socket of [client, server]) socket.resetAndDestroy();
  }, afterMs);
};

/**
 * @param {() => IsPassed} createIsPassed for each direction
 * @param {{ passesEnds: boolean }} options whether an end learns that the other has gone
 * @returns {Join}
 */
export const joinFiltered =
  (createIsPassed, { passesEnds }) =>
  (client, server) => {
    for (const [from, to] of bothWays(client, server)) {
      const filter = createFrameFilter(createIsPassed());
      from.on('data', (bytes) => to.write(filter(bytes)));
      if (!passesEnds) continue;
      from.on('end', () => to.end());
      from.on('close', () => to.destroySoon());
    }
  };

/**
 * @param {number} serverPort on this machine
 * @param {Join} join
 * @param {(proxy: { origin: string }) => Promise<unknown>} use
 * @param {{ collectBytes?: number }} [options] so many of an answer pass together, but for its last ones
 */
export async function withHttpProxy(serverPort, join, use, { collectBytes = 0 } = {}) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  // The server behind it ends what takes too long.
  const proxy = createServer({ noDelay: true, keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  proxy.on('connection', (socket) => sockets.add(socket));
  proxy.on('request', createRequestListener(serverPort, collectBytes));
  proxy.on('upgrade', (req, client, head) => {
    const server = connect({ port: serverPort, host: HOST, noDelay: true, allowHalfOpen: true });
    sockets.add(server);
    passUpgrade({ req, client: /** @type {Socket} */ (client), head, server, join });
  });
  proxy.listen(0, HOST);
  await once(proxy, 'listening');
  try {
    await use({ origin: `http://${HOST}:${/** @type {AddressInfo} */ (proxy.address()).port}` });
  } finally {
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await once(proxy, 'close');
  }
}

/** @param {number} port @param {number} collectBytes @returns {RequestListener} */
function createRequestListener(port, collectBytes) {
  return (req, res) => {
    const { method, url: path, rawHeaders: headers } = req;
    // A connection of its own: a kept one may be closed just when the next request is sent.
    const asked = request({ host: HOST, port, method, path, headers, agent: false }, (answer) => {
      res.writeHead(Number(answer.statusCode), answer.statusMessage, answer.rawHeaders);
      res.flushHeaders();
      pipeline(answer, createCollector(collectBytes), res, ignore);
    });
    asked.setNoDelay(true);
    asked.on('error', () => res.destroy());
    res.on('close', () => asked.destroy());
    req.pipe(asked);
  };
}

/** @param {number} least of the bytes that pass together, but for the last ones @returns {Transform} */
function createCollector(least) {
  /** @type {Buffer[]} */
  const kept = [];
  const take = () => Buffer.concat(kept.splice(0));
  return new Transform({
    transform(chunk, _, done) {
      kept.push(chunk);
      const size = kept.reduce((sum, { length }) => sum + length, 0);
      done(null, size < least ? undefined : take());
    },
    flush: (done) => done(null, take()),
  });
}

/** @param {{ req: IncomingMessage, client: Socket, head: Buffer, server: Socket, join: Join }} options */
function passUpgrade({ req, client, head, server, join }) {
  for (const socket of [client, server]) socket.on('error', ignore);
  server.write(formatHead(req));
  client.unshift(head);
  let answer = Buffer.alloc(0);
  server.on('data', function look(bytes) {
    answer = Buffer.concat([answer, bytes]);
    const end = answer.indexOf(HEAD_END) + HEAD_END.length;
    if (end < HEAD_END.length) return;
    server.off('data', look).pause();
    client.write(answer.subarray(0, end));
    server.unshift(answer.subarray(end));
    const isOpen = answer.toString('latin1').startsWith('HTTP/1.1 101 ');
    (isOpen ? join : joinPlainly)(client, server);
    server.resume();
  });
}

/** @param {IncomingMessage} req */
function formatHead({ method, url, rawHeaders }) {
  const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? `${name}: ${rawHeaders[i + 1]}` : []));
  return [`${method} ${url} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END;
}

/** @param {Socket} client @param {Socket} server @returns {[from: Socket, to: Socket][]} */
const bothWays = (client, server) => [
  [client, server],
  [server, client],
];

/** Whatever breaks on one side is closed on the other. */
const ignore = () => {};
