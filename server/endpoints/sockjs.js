/**
 * SockJS below one path, for the echo of 2012 or for jobs, over whichever of its transports the client got.
 *
 * sockjs-node is given requests one by one instead of the whole server, so that the gate stands before it, and so that a
 * request for another worker's session can be handed on.
 */
import { Readable } from 'node:stream';
import { NO_BODY } from '../http/body.js';
import { createRelay } from '../cluster/relay.js';
import { createSessions } from '../sockets/sockjs-sessions.js';
import { pathOf } from '../http/url.js';
import { GOING_AWAY, isAtOwnPort, isFromWorker, ownerOf } from '../cluster/workers.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Logger } from 'pino'
 * @import { PutOff } from '../app.js'
 * @import { RelayMark } from '../cluster/relay-mark.js'
 * @import { Workers } from '../cluster/workers.js'
 * @import { Endpoint, Gate, SessionKind } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Converse } from '../sockets/sockjs-sessions.js'
 */

/** Requests that open a session where there is none yet. */
const RECEIVERS = new Set(['xhr', 'xhr_streaming', 'eventsource', 'htmlfile', 'jsonp']);
/** Requests whose body SockJS reads. */
const SENDERS = new Set(['xhr_send', 'jsonp_send']);
/** Ours: one worker asks another to close a session whose answer it has been handing on. */
const CLOSE = 'close';

/**
 * @typedef {IncomingMessage} Request
 * @typedef {ServerResponse} Response
 */

/**
 * @param {object} options
 * @param {string} options.prefix of its paths: a slash and letters
 * @param {Converse} options.converse
 * @param {(protocol: string) => string} options.nameOf what a session over a protocol of SockJS's is called where sessions
 *   are counted
 * @param {SessionKind} [options.sessions] among which they count
 * @param {number} [options.heartbeatMs] how often a session is asked whether it is still there; absent: every 25 s
 * @param {(endpoint: Endpoint) => Endpoint} [options.wrap] for who wants to see each request
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {readonly string[] | undefined} options.allowedOrigins
 * @param {string} options.sockjsUrl of our copy of sockjs-client, for its iframe
 * @param {Workers} [options.workers] absent where there is but one
 * @param {RelayMark} options.relayMark
 * @param {Logger} options.log
 * @param {PutOff} [options.putOff]
 */
export function createSockjs({ allowedOrigins, workers, wrap = (endpoint) => endpoint, ...options }) {
  const { gate, log, prefix, relayMark, sessions: sessionKind } = options;
  const sessionPath = new RegExp(`^${prefix}/[^/.]+/([^/.]+)/([a-z_]+)/?$`);
  const webSocketPath = new RegExp(`^${prefix}/(?:[^/.]+/[^/.]+/)?websocket/?$`);
  const iframePath = new RegExp(`^${prefix}/iframe[^/]*\\.html$`);
  const prefixAndSlash = `${prefix}/`;
  const sessions = createSessions(options);
  const relay = workers && createRelay({ workers, relayMark, log });

  /** @param {Request} req @param {Response} res @param {Buffer} body */
  const answer = (req, res, body) => {
    const [, sessionId = '', action = ''] = sessionPath.exec(pathOf(req)) ?? [];
    const owner = ownerFor(req, sessionId, action);
    if (relay && owner !== undefined && owner !== workers.index) relay.pass(req, res, body, owner);
    else if (isClose(req, action)) answerClose(res, sessionId);
    else answerHere(req, res, body, sessionId, action);
  };

  /** @type {(req: Request, sessionId: string, action: string) => number | undefined} absent where it is to stay here */
  const ownerFor = (req, sessionId, action) => {
    // CLOSE would reach the owner as if this worker asked for it.
    const mayBePassed = sessionId && action !== CLOSE && workers && !isAtOwnPort(req, workers);
    return mayBePassed ? ownerOf(sessionId, workers.count) : undefined;
  };

  /** @param {Request} req @param {string} action */
  const isClose = (req, action) =>
    action === CLOSE && req.method === 'POST' && workers !== undefined && isFromWorker(req, workers);

  /** @type {(req: Request, res: Response, body: Buffer, sessionId: string, action: string) => void} */
  const answerHere = (req, res, body, sessionId, action) => {
    // Pages that are cross-origin isolated may load SockJS's frames and scripts only with these.
    res.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const refusal = RECEIVERS.has(action) && !sessions.isOpen(sessionId) ? gate.refuseSession(sessionKind) : undefined;
    if (refusal) {
      gate.refuse(res, refusal);
    } else if (isNameOfObject(sessionId) || !sessions.handle(SENDERS.has(action) ? withBody(req, body) : req, res)) {
      gate.refuse(res, { status: 404, code: 'not-found', message: 'path: expected one of SockJS' });
    }
  };

  /** @param {Response} res @param {string} sessionId */
  const answerClose = (res, sessionId) => {
    sessions.close(sessionId, GOING_AWAY.code, GOING_AWAY.reason);
    res.writeHead(204).end();
  };

  const endpoint = wrap({ answer });
  const iframeEndpoint = wrap({
    anyEmbedder: true,
    /** @type {typeof answer} */
    answer(req, res, body) {
      // A frame's requests have our own origin, so who may frame it is who may measure us.
      if (allowedOrigins) {
        res.setHeader('Content-Security-Policy', `frame-ancestors 'self' ${allowedOrigins.join(' ')}`);
      }
      answer(req, res, body);
    },
  });
  const webSocketEndpoint = wrap({
    sessions: sessionKind,
    answer,
    /** @param {Request} req @param {object} socket */
    upgrade(req, socket) {
      sessions.handle(req, socket, NO_BODY);
    },
  });

  return {
    /**
     * @param {string} path
     * @returns {Endpoint | undefined} absent where the path is not SockJS's
     */
    endpointAt(path) {
      if (path !== prefix && !path.startsWith(prefixAndSlash)) return undefined;
      if (webSocketPath.test(path)) return webSocketEndpoint;
      return iframePath.test(path) ? iframeEndpoint : endpoint;
    },

    /** Tells every session that is held here, or whose answer comes through here, that this worker goes away. */
    closeAll() {
      sessions.closeAll(GOING_AWAY.code, GOING_AWAY.reason);
      relay?.closeAll((url) => pathOf({ url }).replace(/[a-z_]+\/?$/, CLOSE));
    },
  };
}

/**
 * sockjs-node keeps its sessions by id on a plain object.
 *
 * @param {string} sessionId
 */
function isNameOfObject(sessionId) {
  return sessionId in Object.prototype;
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
