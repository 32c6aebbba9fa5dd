/**
 * The sessions that sockjs-node holds here, and the echo that each gets.
 */
import sockjs from 'sockjs';
import { pathOf } from './url.js';

const FALLBACK_PATH = /\/([^/.]+)\/[a-z_]+\/?$/;

/**
 * @typedef {(req: import('node:http').IncomingMessage, res: object, head?: Buffer) => boolean} Handler answers what is its
 *   own, else gives false
 *
 * @typedef {object} Sessions
 * @property {Handler} handle
 * @property {(id: string) => boolean} isOpen for a session that goes over several requests
 * @property {(id: string, code: number, reason: string) => void} close the same
 * @property {(code: number, reason: string) => void} closeAll
 */

/**
 * @param {object} options
 * @param {string} options.prefix of their paths
 * @param {import('./echo.js').Echo} options.echo
 * @param {import('./gate.js').Gate} options.gate
 * @param {import('./limits.js').Limits} options.limits
 * @param {string} options.sockjsUrl of our copy of sockjs-client, for its iframe
 * @param {import('./metrics.js').Metrics} options.metrics
 * @param {import('pino').Logger} options.log
 * @param {import('./app.js').PutOff} [options.putOff]
 * @returns {Sessions}
 */
export function createSessions({ prefix, echo, gate, limits, sockjsUrl, metrics, log, putOff }) {
  const server = sockjs.createServer({
    prefix,
    sockjs_url: sockjsUrl,
    faye_server_options: { maxLength: limits.messageBytes },
    log: (/** @type {string} */ severity, /** @type {string} */ line) =>
      severity === 'error' ? log.error(line) : log.trace(line),
  });
  /** @type {Map<import('sockjs').Connection, () => void>} every open one, and what notes its end */
  const connections = new Map();
  /** @type {Map<string, import('sockjs').Connection>} */
  const fallbacks = new Map();

  server.on('connection', (connection) => {
    const { protocol } = connection;
    const transport = `sockjs ${protocol}`;
    const fallbackId = isWebSocket(connection) ? undefined : FALLBACK_PATH.exec(pathOf(connection))?.[1];
    const openedAtMs = Date.now();
    let messageCount = 0;
    let unsentBytes = 0;
    gate.sessionOpened(transport);
    const noteEnd = () => {
      if (!connections.delete(connection)) return;
      gate.sessionClosed(transport);
      log.info({ transport: protocol, durationMs: Date.now() - openedAtMs, messageCount }, 'sockjs session');
    };
    connections.set(connection, noteEnd);
    if (fallbackId) fallbacks.set(fallbackId, connection);

    /** @param {string} message */
    const onMessage = (message) => {
      messageCount++;
      const { body, code } = echo.fromText(message);
      metrics.echoAnswered(transport, code);
      connection.write(body);
      unsentBytes = isFlushed(connection) ? 0 : unsentBytes + body.length;
      if (unsentBytes > limits.unsentBytes) connection.close(1008, 'Answers are not fetched');
    };
    connection.on('close', () => {
      if (fallbackId) fallbacks.delete(fallbackId);
      noteEnd();
    });
    connection.on('data', putOff ? (message) => putOff(() => onMessage(message)) : onMessage);
  });

  return {
    handle: server.listener().getHandler(),
    isOpen: (id) => fallbacks.has(id),
    close: (id, code, reason) => fallbacks.get(id)?.close(code, reason),
    closeAll(code, reason) {
      for (const [connection, noteEnd] of connections) {
        // A raw WebSocket has no frame for the code, and its library sends no other than 1000 by itself.
        if (connection.protocol === 'websocket-raw') connection.close();
        else connection.close(code, reason);
        // sockjs-node itself says so only seconds later, when this process may have ended: until then it tells a
        // fallback that was between two polls, at its next.
        noteEnd();
      }
    },
  };
}

/** @param {import('sockjs').Connection} connection */
function isWebSocket({ protocol }) {
  return protocol === 'websocket' || protocol === 'websocket-raw';
}

/**
 * sockjs-node keeps what a fallback has not fetched yet in a list that it does not bound. It has no public way to ask.
 *
 * @param {import('sockjs').Connection} connection
 */
function isFlushed(connection) {
  const { send_buffer: unsent } = /** @type {any} */ (connection)._session;
  return !unsent?.length;
}
