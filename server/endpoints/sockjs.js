/**
 * SockJS at `/echo`: the echo of 2012, over whichever of its transports the client got.
 *
 * sockjs-node is given requests one by one instead of the whole server, so that the gate stands before it.
 */
import { Readable } from 'node:stream';
import sockjs from 'sockjs';
import { answerError } from '../answer.js';
import { pathOf } from '../url.js';

const PREFIX = '/echo';
const SESSION_PATH = /^\/echo\/[^/.]+\/([^/.]+)\/([a-z_]+)\/?$/;
const WEBSOCKET_PATH = /^\/echo\/(?:[^/.]+\/[^/.]+\/)?websocket\/?$/;
const IFRAME_PATH = /^\/echo\/iframe[^/]*\.html$/;

/** Requests that open a session where there is none yet. */
const RECEIVERS = new Set(['xhr', 'xhr_streaming', 'eventsource', 'htmlfile', 'jsonp']);
/** Requests whose body SockJS reads. */
const SENDERS = new Set(['xhr_send', 'jsonp_send']);

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {(req: Request, res: object, head?: Buffer) => boolean} Handler answers what is its own, else gives false
 */

/**
 * @param {object} options
 * @param {import('../echo.js').Echo} options.echo
 * @param {import('../gate.js').Gate} options.gate
 * @param {import('../limits.js').Limits} options.limits
 * @param {readonly string[] | undefined} options.allowedOrigins
 * @param {string} options.sockjsUrl of our copy of sockjs-client, for its iframe
 * @param {import('pino').Logger} options.log
 */
export function createSockjs({ echo, gate, limits, allowedOrigins, sockjsUrl, log }) {
  const server = sockjs.createServer({
    prefix: PREFIX,
    sockjs_url: sockjsUrl,
    faye_server_options: { maxLength: limits.messageBytes },
    log: (/** @type {string} */ severity, /** @type {string} */ line) =>
      severity === 'error' ? log.error(line) : log.trace(line),
  });
  /** @type {Handler} */
  const handle = server.listener().getHandler();
  /** @type {Set<import('sockjs').Connection>} */
  const connections = new Set();
  /** Ids of the open sessions that go over several requests. */
  const fallbackIds = new Set();

  server.on('connection', (connection) => {
    const fallbackId = isWebSocket(connection) ? undefined : SESSION_PATH.exec(pathOf(connection))?.[1];
    let unsentBytes = 0;
    gate.sessionOpened();
    connections.add(connection);
    if (fallbackId) fallbackIds.add(fallbackId);

    connection.on('close', () => {
      gate.sessionClosed();
      connections.delete(connection);
      if (fallbackId) fallbackIds.delete(fallbackId);
    });
    connection.on('data', (message) => {
      const { body } = echo.fromText(message);
      connection.write(body);
      unsentBytes = isFlushed(connection) ? 0 : unsentBytes + body.length;
      if (unsentBytes > limits.unsentBytes) connection.close(1008, 'Answers are not fetched');
    });
  });

  /** @param {Request} req @param {Response} res @param {Buffer} body */
  const answer = (req, res, body) => {
    // Pages that are cross-origin isolated may load SockJS's frames and scripts only with these.
    res.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const [, sessionId, action] = SESSION_PATH.exec(pathOf(req)) ?? [];
    const refusal = RECEIVERS.has(action) && !fallbackIds.has(sessionId) ? gate.refuseSession() : undefined;
    if (refusal) {
      answerError(res, refusal.status, refusal.code, refusal.message);
    } else if (isNameOfObject(sessionId) || !handle(SENDERS.has(action) ? withBody(req, body) : req, res)) {
      answerError(res, 404, 'not-found', 'path: expected one of SockJS');
    }
  };

  const endpoint = { answer };
  const iframeEndpoint = {
    anyEmbedder: true,
    /** @type {typeof answer} */
    answer(req, res, body) {
      // A frame's requests have our own origin, so who may frame it is who may measure us.
      if (allowedOrigins) {
        res.setHeader('Content-Security-Policy', `frame-ancestors 'self' ${allowedOrigins.join(' ')}`);
      }
      answer(req, res, body);
    },
  };
  const webSocketEndpoint = {
    answer,
    /** @param {Request} req @param {object} socket @param {Buffer} head */
    upgrade(req, socket, head) {
      handle(req, socket, head);
    },
  };

  return {
    /**
     * @param {string} path
     * @returns {import('../gate.js').Endpoint | undefined} absent where the path is not SockJS's
     */
    endpointAt(path) {
      if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return undefined;
      if (WEBSOCKET_PATH.test(path)) return webSocketEndpoint;
      return IFRAME_PATH.test(path) ? iframeEndpoint : endpoint;
    },

    /** @param {number} code @param {string} reason */
    closeAll(code, reason) {
      for (const connection of connections) {
        // A raw WebSocket has no frame for the code, and its library sends no other than 1000 by itself.
        if (connection.protocol === 'websocket-raw') connection.close();
        else connection.close(code, reason);
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

/**
 * sockjs-node keeps its sessions by id on a plain object.
 *
 * @param {string | undefined} sessionId
 */
function isNameOfObject(sessionId) {
  return sessionId !== undefined && sessionId in Object.prototype;
}

/**
 * A request whose body has been read already, for sockjs-node to read again: by itself it copies all it has for each
 * chunk that comes, without end.
 *
 * @param {Request} req
 * @param {Buffer} body
 * @returns {Request}
 */
function withBody({ method, url, headers, httpVersion, socket }, body) {
  const replay = Readable.from(body.length > 0 ? [body] : []);
  return /** @type {any} */ (Object.assign(replay, { method, url, headers, httpVersion, socket, connection: socket }));
}
