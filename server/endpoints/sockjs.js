/**
 * SockJS below one path, for the echo of 2012, for jobs or for payload, over whichever of its transports the client got.
 *
 * sockjs-node is given requests one by one instead of the whole server, so that the gate stands before it, and so that a
 * request for another worker's session can be handed on.
 */
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import { parseJson } from '../../core/base/foreign-text.js';
import { RefusalError, pathOf, show } from '../http/exchange.js';
import { NO_BODY } from '../http/body.js';
import { createRelay, GOING_AWAY, isFromWorker } from '../workers.js';
import { createSessions } from '../sockets/sockjs-sessions.js';

/**
 * @import { EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { SessionOptions } from '../sockets/sockjs-sessions.js'
 */

/** Requests that open a session where there is none yet. */
const RECEIVERS = new Set(['xhr', 'xhr_streaming', 'eventsource', 'htmlfile', 'jsonp']);
/** Requests that bring messages, with the content types whose body is the JSON of their list, as sockjs-node has them. */
const SENDERS = new Map([
  ['xhr_send', ['text/plain', 'application/json', 'application/xml', 'text/xml', 'T', '']],
  ['jsonp_send', ['text/plain', '']],
]);
/** That of `jsonp_send`, whose field `d` is that JSON. */
const FORM = 'application/x-www-form-urlencoded';
/** Ours: one worker asks another to close a session whose answer it has been handing on. */
const CLOSE = 'close';

/**
 * @param {SessionOptions & EndpointParts & { look?(req: Request, requestBytes: number, res?: Response): void }} options `prefix`:
 *   a slash and letters; `look` sees each request before sockjs-node does; `res`: absent for an upgrade
 */
export function createSockjs(options) {
  const { allowedOrigins, gate, prefix, sendsValues, sessions: kind, workers, look } = options;
  const sessions = createSessions(options);
  const relay = createRelay(options);
  const sessionPath = new RegExp(`^${prefix}/[^/.]+/([^/.]+)/([a-z_]+)/?$`);
  const webSocketPath = new RegExp(`^${prefix}/(?:[^/.]+/[^/.]+/)?websocket/?$`);
  const iframePath = new RegExp(`^${prefix}/iframe[^/]*\\.html$`);
  const prefixAndSlash = `${prefix}/`;

  /** @type {Endpoint['answer']} */
  const answer = (req, res, body, requestBytes) => {
    look?.(req, requestBytes, res);
    const [, sessionId = '', action = ''] = sessionPath.exec(pathOf(req)) ?? [];
    // SockJS's own answer is 500, which its protocol demands, but clients of 2012 do not.
    if (sendsValues && req.method === 'POST' && SENDERS.has(action)) requireMessages(req, body, action);
    // CLOSE would reach the owner as if this worker asked for it.
    if (sessionId && action !== CLOSE && relay.pass(req, res, body, sessionId)) return;
    if (action === CLOSE && req.method === 'POST' && workers && isFromWorker(req, workers)) {
      sessions.close(sessionId, GOING_AWAY.code, GOING_AWAY.reason);
      res.writeHead(204).end();
      return;
    }
    // Pages that are cross-origin isolated may load SockJS's frames and scripts only with these.
    res.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (RECEIVERS.has(action) && !sessions.isOpen(sessionId)) gate.requireRoom(kind);
    // sockjs-node keeps its sessions by id on a plain object.
    const isSessionId = !(sessionId in Object.prototype);
    if (isSessionId && sessions.handle(SENDERS.has(action) ? withBody(req, body) : req, res)) return;
    throw new RefusalError('not-found', 'path: expected a SockJS path', 404);
  };

  /** @type {Endpoint} */
  const endpoint = { answer };
  // A frame's requests have our own origin, so who may frame it is who may measure us.
  const embedders = allowedOrigins && `frame-ancestors 'self' ${allowedOrigins.join(' ')}`;
  /** @type {Endpoint} */
  const iframeEndpoint = {
    anyEmbedder: true,
    answer(req, res, ...rest) {
      if (embedders) res.setHeader('Content-Security-Policy', embedders);
      answer(req, res, ...rest);
    },
  };
  /** @type {Endpoint} */
  const webSocketEndpoint = {
    sessions: kind,
    answer,
    upgrade(req, socket, requestBytes) {
      look?.(req, requestBytes);
      sessions.handle(req, socket, NO_BODY);
    },
  };

  return {
    /** @param {string} path @returns {Endpoint | undefined} absent where the path is not SockJS's */
    endpointAt(path) {
      if (path !== prefix && !path.startsWith(prefixAndSlash)) return undefined;
      if (webSocketPath.test(path)) return webSocketEndpoint;
      return iframePath.test(path) ? iframeEndpoint : endpoint;
    },

    /** Tells every session that is held here, or whose answer comes through here, that this worker goes away. */
    closeAll() {
      sessions.closeAll(GOING_AWAY.code, GOING_AWAY.reason);
      relay.closeAll((url) => pathOf({ url }).replace(/[a-z_]+\/?$/, CLOSE));
    },
  };
}

/** @param {Request} req @param {Buffer} body @param {string} action @throws {RefusalError} where it is no such array */
function requireMessages({ headers }, body, action) {
  const [type] = (headers['content-type'] ?? '').split(';');
  const isForm = action === 'jsonp_send' && type === FORM;
  const types = SENDERS.get(action) ?? [];
  if (!isForm && !types.includes(type)) {
    throw new RefusalError('bad-json', `Content-Type: expected ${types[0]}, got ${show(type)}`);
  }
  const given = isForm ? parse(body.toString()).d : body.toString();
  // A field that is given several times is a list already.
  const messages = typeof given === 'string' ? parseJson(given) : given;
  if (Array.isArray(messages)) return;
  throw new RefusalError('bad-json', `message: expected a JSON array of strings, got ${show(given)}`);
}

/**
 * A request whose body has been read already, for sockjs-node to read again: by itself it copies all it has for each chunk
 * that comes, without end.
 * @param {Request} req @param {Buffer} body @returns {Request}
 */
function withBody({ method, url, headers, httpVersion, socket }, body) {
  const replay = Readable.from(body.length > 0 ? [body] : []);
  return /** @type {any} */ (Object.assign(replay, { method, url, headers, httpVersion, socket, connection: socket }));
}
