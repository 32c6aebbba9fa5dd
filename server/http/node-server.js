/** Adds what Node's HTTP server cannot do by itself: ignore an upgrade, and close without losing an answer. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { Server } from 'node:net';
import { HeldBody } from './body.js';
import { destroyOnError, guard } from './boundary.js';

/** @import { IncomingMessage as Request, Server as HttpServer, ServerResponse as Response } from 'node:http' */
/** @import { Socket } from 'node:net' */

const SWEEP_MS = 100;
/** The maximum number of bytes after an upgrade request that waits for earlier answers. */
const MAX_EARLY_BYTES = 16 * 1024;

/**
 * Checks whether a request asks for a protocol other than WebSocket, as curl does for h2c. A server may ignore that.
 * @param {Request} req
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.8
 */
export function isUnknownUpgrade({ headers }) {
  return headers.upgrade?.toLowerCase() !== 'websocket';
}

/**
 * Lets the server read a request once more, as if it did not ask for an upgrade, and keep its connection. Node.js stops
 * reading after the headers (what it read there is `head`). Since Node.js 24 there is shouldUpgradeCallback for that.
 * @param {HttpServer} server @param {Request} req @param {Socket} socket on which all before it is answered @param {Buffer} head
 * @see https://nodejs.org/api/http.html#event-connection which says that connections may be given to a server so
 */
export function ignoreUpgrade(server, req, socket, head) {
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(formatHead(req), 'latin1'));
  // Node.js adds its own again, each time.
  socket.removeAllListeners('pause').removeAllListeners('resume');
  server.emit('connection', socket);
}

/**
 * Returns the answer that a connection is for now; the others of its requests wait for it.
 * @param {object & { _httpMessage?: Response | null }} socket `_httpMessage` is Node's own
 */
export const answerUnderWay = ({ _httpMessage: answer }) => answer;

/**
 * Waits for earlier answers on a connection. A client may send an upgrade without waiting for them, but a WebSocket's
 * stream must not begin with them. A server that is given the connection again would queue its answers behind an answer
 * that it does not know. Until then the connection is read here, or nobody would notice that the client has left.
 * @param {Socket} socket
 * @param {Buffer} head what came with the upgrade
 * @param {(head: Buffer) => void} callBack gets that, and what came since; not called where the connection ends
 */
export function whenAnswered(socket, head, callBack) {
  const early = new HeldBody();
  early.append(head);
  const onEnd = guard(socket, () => socket.destroy());
  const onData = guard(socket, (/** @type {Buffer} */ chunk) => {
    // No client of a WebSocket says anything before it is open.
    if (early.length + chunk.length > MAX_EARLY_BYTES) socket.destroy();
    else early.append(chunk);
  });
  const look = guard(socket, () => {
    // It is not writable after an answer with `Connection: close`, nor if it broke, in which case its error follows.
    if (!socket.writable) return;
    const answer = answerUnderWay(socket);
    if (answer) {
      answer.once('close', look);
      return;
    }
    socket.off('data', onData).off('end', onEnd).off('error', destroyOnError);
    // This is its state as Node.js gave it: the next listener begins to read.
    Object.assign(socket, { readableFlowing: null });
    // The answer before has set a timeout for an idle connection.
    socket.setTimeout(0);
    callBack(Buffer.concat(early.takeBlocks()));
  });
  // If answers were waiting, Node.js may have stopped reading. After an upgrade it would not begin again, nor would the
  // WebSocket library.
  socket._read(0);
  // Nothing else listens after the upgrade, and a broken connection would be an uncaught error.
  socket.on('error', destroyOnError);
  if (answerUnderWay(socket)) socket.on('data', onData).on('end', onEnd);
  look();
}

/** @param {Request} req @returns {string} as it came, but for Upgrade */
function formatHead({ method, url, httpVersion, rawHeaders }) {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Takes no further connections, lets answers finish, and ends what is left after the limit. An idle connection gets a
 * moment more: its client may be sending the next request, and would find it reset; the answer says `Connection: close`.
 * @param {HttpServer} server @param {{ drainMs: number, idleGraceMs: number }} limits
 */
export async function closeGently(server, { drainMs, idleGraceMs }) {
  const startedAtMs = performance.now();
  await new Promise((resolve) => {
    // http.Server's own close() ends idle connections first; net.Server's only stops listening.
    Server.prototype.close.call(server, () => {
      clearInterval(sweep);
      resolve(undefined);
    });
    const sweep = setInterval(() => {
      const elapsedMs = performance.now() - startedAtMs;
      if (elapsedMs >= drainMs) server.closeAllConnections();
      else if (elapsedMs >= idleGraceMs) server.closeIdleConnections();
      if (elapsedMs >= drainMs) resolve(undefined);
    }, SWEEP_MS);
  });
}

/**
 * Disconnects from the primary of a cluster (pm2), after all listeners have closed. The primary accepts connections,
 * and may have sent some here that have not arrived; a worker whose listener has closed sends them back, unless its
 * process ends before. Once the primary has acknowledged that this worker leaves, none is on its way. What is logged
 * afterwards, pm2 does not get.
 * @see https://github.com/nodejs/node/blob/v20.20.2/lib/internal/cluster/child.js onconnection() and _disconnect()
 */
export async function leaveCluster() {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}
