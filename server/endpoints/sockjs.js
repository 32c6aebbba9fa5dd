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
 * @import { Endpoint } from '../http/gate.js'
 * @import { SessionOptions } from '../sockets/sockjs-sessions.js'
 * @import { Parts } from '../parts.js'
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
 *
 * @typedef {Pick<Parts, 'allowedOrigins' | 'relayMark' | 'workers'>} OwnParts
 * @typedef {Pick<SessionOptions, 'gate' | 'limits' | 'sockjsUrl' | 'log'> & OwnParts} SockjsParts what is the same for all
 */

/**
 * @param {SessionOptions & OwnParts & { wrap?: (endpoint: Endpoint) => Endpoint }} options `prefix`: a slash and letters;
 *   `wrap`: for who wants to see each request
 */
export function createSockjs({ wrap = (endpoint) => endpoint, ...options }) {
  const { allowedOrigins, prefix } = options;
  const server = new SockjsServer(options);
  const webSocketPath = new RegExp(`^${prefix}/(?:[^/.]+/[^/.]+/)?websocket/?$`);
  const iframePath = new RegExp(`^${prefix}/iframe[^/]*\\.html$`);
  const prefixAndSlash = `${prefix}/`;

  /** @type {Endpoint['answer']} */
  const answer = (req, res, body) => server.answer(req, res, body);
  const endpoint = wrap({ answer });
  const iframeEndpoint = wrap({
    anyEmbedder: true,
    answer(req, res, body) {
      // A frame's requests have our own origin, so who may frame it is who may measure us.
      if (allowedOrigins) {
        res.setHeader('Content-Security-Policy', `frame-ancestors 'self' ${allowedOrigins.join(' ')}`);
      }
      server.answer(req, res, body);
    },
  });
  const webSocketEndpoint = wrap({
    sessions: options.sessions,
    answer,
    upgrade: (req, socket) => server.upgrade(req, socket),
  });

  return {
    /** @param {string} path @returns {Endpoint | undefined} absent where the path is not SockJS's */
    endpointAt(path) {
      if (path !== prefix && !path.startsWith(prefixAndSlash)) return undefined;
      if (webSocketPath.test(path)) return webSocketEndpoint;
      return iframePath.test(path) ? iframeEndpoint : endpoint;
    },

    /** Tells every session that is held here, or whose answer comes through here, that this worker goes away. */
    closeAll: () => server.closeAll(),
  };
}

/** sockjs-node below one path, with the sessions of other workers. */
class SockjsServer {
  #gate;
  #kind;
  #workers;
  #relay;
  #sessions;
  #sessionPath;

  /** @param {SessionOptions & OwnParts} options */
  constructor(options) {
    const { gate, log, prefix, relayMark, sessions, workers } = options;
    this.#gate = gate;
    this.#kind = sessions;
    this.#workers = workers;
    this.#relay = workers && createRelay({ workers, relayMark, log });
    this.#sessions = createSessions(options);
    this.#sessionPath = new RegExp(`^${prefix}/[^/.]+/([^/.]+)/([a-z_]+)/?$`);
  }

  /** @param {Request} req @param {Response} res @param {Buffer} body */
  answer(req, res, body) {
    const [, sessionId = '', action = ''] = this.#sessionPath.exec(pathOf(req)) ?? [];
    const owner = this.#ownerFor(req, sessionId, action);
    if (this.#relay && owner !== undefined && owner !== this.#workers?.index) this.#relay.pass(req, res, body, owner);
    else if (this.#isClose(req, action)) {
      this.#sessions.close(sessionId, GOING_AWAY.code, GOING_AWAY.reason);
      res.writeHead(204).end();
    } else this.#answerHere(req, res, body, sessionId, action);
  }

  /** @param {Request} req @param {object} socket */
  upgrade(req, socket) {
    this.#sessions.handle(req, socket, NO_BODY);
  }

  closeAll() {
    this.#sessions.closeAll(GOING_AWAY.code, GOING_AWAY.reason);
    this.#relay?.closeAll((url) => pathOf({ url }).replace(/[a-z_]+\/?$/, CLOSE));
  }

  /** @type {(req: Request, sessionId: string, action: string) => number | undefined} absent where it is to stay here */
  #ownerFor(req, sessionId, action) {
    const workers = this.#workers;
    // CLOSE would reach the owner as if this worker asked for it.
    const mayBePassed = sessionId && action !== CLOSE && workers && !isAtOwnPort(req, workers);
    return mayBePassed ? ownerOf(sessionId, workers.count) : undefined;
  }

  /** @param {Request} req @param {string} action */
  #isClose(req, action) {
    const workers = this.#workers;
    return action === CLOSE && req.method === 'POST' && workers !== undefined && isFromWorker(req, workers);
  }

  /** @type {(req: Request, res: Response, body: Buffer, sessionId: string, action: string) => void} */
  #answerHere(req, res, body, sessionId, action) {
    // Pages that are cross-origin isolated may load SockJS's frames and scripts only with these.
    res.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const isNew = RECEIVERS.has(action) && !this.#sessions.isOpen(sessionId);
    const refusal = isNew ? this.#gate.refuseSession(this.#kind) : undefined;
    if (refusal) {
      this.#gate.refuse(res, refusal);
      return;
    }
    // sockjs-node keeps its sessions by id on a plain object.
    const isSessionId = !(sessionId in Object.prototype);
    const isAnswered = isSessionId && this.#sessions.handle(SENDERS.has(action) ? withBody(req, body) : req, res);
    if (!isAnswered)
      this.#gate.refuse(res, { status: 404, code: 'not-found', message: 'path: expected one of SockJS' });
  }
}

/**
 * A request whose body has been read already, for sockjs-node to read again: by itself it copies all it has for each
 * chunk that comes, without end.
 *
 * @param {Request} req @param {Buffer} body @returns {Request}
 */
function withBody({ method, url, headers, httpVersion, socket }, body) {
  const replay = Readable.from(body.length > 0 ? [body] : []);
  return /** @type {any} */ (Object.assign(replay, { method, url, headers, httpVersion, socket, connection: socket }));
}
