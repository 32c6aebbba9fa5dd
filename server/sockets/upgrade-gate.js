/**
 * The gate before every WebSocket: it checks the handshake besides what the gate of requests does, and holds the socket to
 * its endpoint's limits. The libraries see only what it let through.
 */
import { LINGER_MS } from '../http/body.js';
import { destroyOnError, guard } from '../http/boundary.js';
import { bytesReadSince, pathOf, RefusalError } from '../http/exchange.js';
import { ServerResponse } from '../http/node-http.js';
import { isUnknownUpgrade } from '../http/node-server.js';
import { SocketMeter } from './socket-meter.js';

/**
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Duplex } from 'node:stream'
 * @import { Logger } from 'pino'
 * @import { Endpoint, Gate, Upgrade } from '../http/gate.js'
 * @import { TurnQueue } from '../http/turns.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 */

const WEBSOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;

/** @param {{ gate: Gate, log: Logger, metrics: Metrics, turns: TurnQueue }} parts */
export const createUpgradeGate =
  ({ gate, log, metrics, turns }) =>
  /** @param {Request} req @param {Duplex} socket @param {Buffer} head @param {Endpoint} [endpoint] of the path */
  (req, socket, head, endpoint) => {
    // Until the WebSocket library listens, a connection that breaks would be an uncaught error.
    socket.on('error', destroyOnError);
    const requestBytes = bytesReadSince(socket);
    const path = pathOf(req);
    let leave = () => {};
    try {
      gate.check(req);
      const { limits, open } = checkHandshake(req, endpoint?.upgrade);
      leave = gate.takePlace(req, endpoint?.sessions);
      socket.once('close', guard(socket, leave));
      new SocketMeter({
        socket: /** @type {Socket} */ (socket),
        head,
        limits,
        queue: turns,
        report({ code, reason, name }) {
          metrics.refused(name);
          log.warn({ path, code, reason }, 'socket closed');
        },
      });
      open(req, socket, requestBytes);
    } catch (error) {
      leave();
      // The WebSocket library may have answered.
      if (!(error instanceof RefusalError)) throw error;
      endpoint?.refused?.(req, error.code);
      gate.refuse(openResponse(req, socket), error);
    }
  };

/** @param {Request} req @param {Upgrade | undefined} upgrade of the endpoint @returns {Upgrade} @throws {RefusalError} */
function checkHandshake(req, upgrade) {
  const { method, headers } = req;
  if (!upgrade) throw new RefusalError('not-found', 'path: expected a WebSocket endpoint', 404);
  if (isUnknownUpgrade(req)) {
    const message = `Upgrade: expected websocket, got ${headers.upgrade}`;
    throw new RefusalError('upgrade-required', message, 426, { Upgrade: 'websocket' });
  }
  if (method !== 'GET') throw new RefusalError('bad-upgrade', `method: expected GET for a WebSocket, got ${method}`);
  // SockJS's library would also take the drafts before RFC 6455, which know no limit of size.
  if (headers['sec-websocket-version'] !== '13') {
    const message = `Sec-WebSocket-Version: expected 13, got ${headers['sec-websocket-version'] ?? 'none'}`;
    throw new RefusalError('bad-version', message, 426, { 'Sec-WebSocket-Version': '13' });
  }
  if (WEBSOCKET_KEY.test(String(headers['sec-websocket-key']))) return upgrade;
  throw new RefusalError('bad-key', 'Sec-WebSocket-Key: expected 16 bytes in base64');
}

/**
 * Opens a response on the socket, which is all that Node.js provides for an upgrade.
 * @param {Request} req @param {Duplex} socket
 */
export function openResponse(req, socket) {
  const res = new ServerResponse(req);
  res.assignSocket(/** @type {Socket} */ (socket));
  res.setHeader('Connection', 'close');
  const onFinish = guard(socket, () => socket.end());
  res.on('finish', onFinish);
  // Otherwise a connection that sent more than the headers would stay open forever, as nobody would notice its end.
  socket.resume();
  const destroy = guard(socket, () => socket.destroy());
  const timer = setTimeout(destroy, LINGER_MS);
  const onClose = guard(socket, () => clearTimeout(timer));
  socket.once('close', onClose);
  return res;
}
