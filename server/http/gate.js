/**
 * The gate before every echo endpoint: who may ask, how, how much at once. One for all transports, so that none pays for
 * more than another; SockJS and the WebSocket library see only what it let through.
 */
import { ServerResponse } from 'node:http';
import { answerError, RefusalError } from './answer.js';
import { createBodyReader, NO_BODY } from './body.js';
import { isUnknownUpgrade } from './node-server.js';
import { bytesReadSince, pathOf } from './request.js';
import { SOCKET_PATHS } from '../sockets/list.js';
import { SocketMeter } from '../sockets/socket-meter.js';
import { createTurnQueue, FRAME_WORK } from '../sockets/turn.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Duplex } from 'node:stream'
 * @import { Parts } from '../parts.js'
 */

const WEBSOCKET_KEY = /^[+/0-9A-Za-z]{22}==$/;
const PREFLIGHT_SECONDS = 600;

/**
 * @typedef {IncomingMessage} Request
 * @typedef {ServerResponse} Response
 * @typedef {Duplex} Socket
 *
 * @typedef {object} Endpoint what sits behind the gate
 * @property {readonly string[]} [methods] absent: the endpoint answers OPTIONS, wrong methods and CORS itself
 * @property {SessionKind} [sessions] among which the sockets count that it opens; absent: the echoes'
 * @property {boolean} [readsBody] reads the body of a POST itself; the gate gives it none
 * @property {boolean} [anyEmbedder] may be loaded by a page that sends no Origin
 * @property {(req: Request, res: Response, body: Buffer, requestBytes: number) => void} answer `body` is empty but for
 *   POST; `requestBytes` came over the connection, head included. A RefusalError is answered
 * @property {(req: Request, socket: Socket, requestBytes: number) => void} [upgrade] the path must be in sockets/list.js
 *
 * @typedef {'echo' | 'jobs' | 'payload'} SessionKind each has a cap of its own
 *
 * @typedef {{ status: number, code: string, message: string, headers?: Record<string, string> }} Refusal
 */

export class Gate {
  #allowedOrigins;
  #socketLimits;
  #metrics;
  #log;
  #readBody;
  #queue;
  /** @type {Record<SessionKind, { count: number, limit: number }>} */
  #sessions;
  #isDraining = false;

  /** @param {Pick<Parts, 'allowedOrigins' | 'limits' | 'log' | 'metrics'>} parts */
  constructor({ allowedOrigins, limits, metrics, log }) {
    this.#allowedOrigins = allowedOrigins;
    this.#socketLimits = SOCKET_PATHS.map(({ path, limitsOf }) => ({ path, limits: limitsOf(limits) }));
    this.#metrics = metrics;
    this.#log = log;
    this.#readBody = createBodyReader(limits, metrics);
    this.#queue = createTurnQueue(limits.allFramesPerTurn * FRAME_WORK);
    this.#sessions = {
      echo: { count: 0, limit: limits.sessionCount },
      jobs: { count: 0, limit: limits.jobSessionCount },
      payload: { count: 0, limit: limits.payloadSocketCount },
    };
  }

  /** @param {Response} res @param {Refusal} refusal */
  refuse(res, { status, code, message, headers }) {
    this.#metrics.refused(code);
    for (const [name, text] of Object.entries(headers ?? {})) res.setHeader(name, text);
    answerError(res, status, code, message);
  }

  /** @param {Request} req @param {Socket} socket @param {Refusal} refusal */
  refuseUpgrade(req, socket, refusal) {
    this.refuse(openResponse(req, socket), refusal);
  }

  /** @param {SessionKind} [kind] @returns {Refusal | undefined} why no further session may be opened now */
  refuseSession(kind = 'echo') {
    const { count, limit } = this.#sessions[kind];
    if (this.#isDraining) {
      return { status: 503, code: 'draining', message: 'The server is shutting down. Try again in a minute' };
    }
    if (count < limit) return undefined;
    return {
      status: 503,
      code: 'busy',
      message: `The server has ${count} open sessions, its maximum. Try again later`,
    };
  }

  /** @param {string} transport @param {SessionKind} [kind] */
  sessionOpened(transport, kind = 'echo') {
    this.#sessions[kind].count++;
    this.#metrics.sessionOpened(transport);
  }

  /** @param {string} transport @param {SessionKind} [kind] */
  sessionClosed(transport, kind = 'echo') {
    this.#sessions[kind].count--;
    this.#metrics.sessionClosed(transport);
  }

  drain() {
    this.#isDraining = true;
  }

  /** Lets a request through, or answers it with the reason why not. @type {(req: Request, res: Response, endpoint: Endpoint) => void} */
  admit(req, res, endpoint) {
    // On every request, as the connection may be kept for those of others.
    const requestBytes = bytesReadSince(req.socket);
    const { methods } = endpoint;
    if (methods) this.#setCorsHeaders(req, res);
    const refusal = this.#refuseOrigin(req, endpoint) ?? refuseMethod(req, methods);
    if (refusal) this.refuse(res, refusal);
    else if (methods && req.method === 'OPTIONS') answerPreflight(res, methods);
    else if (req.method === 'POST' && !endpoint.readsBody) {
      this.#readBody(req, res, (body) =>
        this.#pass(endpoint, req, res, body, requestBytes + bytesReadSince(req.socket)),
      );
    } else {
      if (req.method === 'POST') req.once('end', () => bytesReadSince(req.socket));
      this.#pass(endpoint, req, res, NO_BODY, requestBytes);
    }
  }

  /**
   * Lets a WebSocket handshake through, or answers it with the reason why not.
   *
   * @param {Request} req @param {Socket} socket @param {Buffer} head @param {Endpoint} [endpoint] absent where the path has none
   */
  admitUpgrade(req, socket, head, endpoint) {
    // Until the WebSocket library listens, a connection that breaks would be an uncaught error.
    socket.on('error', () => socket.destroy());
    const requestBytes = bytesReadSince(socket);
    const path = pathOf(req);
    const limits = this.#socketLimits.find((one) => one.path.test(path))?.limits;
    const refusal =
      this.#refuseOrigin(req) ?? refuseHandshake(req, limits && endpoint) ?? this.refuseSession(endpoint?.sessions);
    if (refusal || !limits) {
      this.refuseUpgrade(req, socket, /** @type {Refusal} */ (refusal));
      return;
    }
    new SocketMeter({
      socket: /** @type {import('node:net').Socket} */ (socket),
      head,
      limits,
      queue: this.#queue,
      report: ({ code, reason, name }) => {
        this.#metrics.refused(name);
        this.#log.warn({ path, code, reason }, 'socket closed');
      },
    });
    try {
      endpoint?.upgrade?.(req, socket, requestBytes);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      this.refuseUpgrade(req, socket, error);
    }
  }

  /** @type {(endpoint: Endpoint, ...args: Parameters<Endpoint['answer']>) => void} */
  #pass(endpoint, req, res, body, requestBytes) {
    try {
      endpoint.answer(req, res, body, requestBytes);
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      this.refuse(res, error);
    }
  }

  /** @param {Request} req @param {Endpoint} [endpoint] @returns {Refusal | undefined} */
  #refuseOrigin({ headers }, endpoint) {
    if (!this.#allowedOrigins) return undefined;
    const { origin, host } = headers;
    const isAllowed =
      origin === undefined
        ? // A script or an image on another site sends no Origin, but does say that it is on another site.
          endpoint?.anyEmbedder || !/^(cross|same)-site$/.test(String(headers['sec-fetch-site']))
        : isOwnOrigin(origin, host) || this.#allowedOrigins.includes(origin);
    if (isAllowed) return undefined;
    const message = `Origin: expected this site, got ${origin ?? 'another site'}`;
    return { status: 403, code: 'origin-refused', message };
  }

  /** @param {Request} req @param {Response} res */
  #setCorsHeaders({ headers: { origin } }, res) {
    if (origin === undefined) return;
    const allowed = this.#allowedOrigins ? origin : '*';
    res.setHeader('Access-Control-Allow-Origin', allowed);
    // Else protocol and connections would be blank there.
    res.setHeader('Timing-Allow-Origin', allowed);
    if (this.#allowedOrigins) res.setHeader('Vary', 'Origin');
  }
}

/** @param {string} origin @param {string | undefined} host that was asked @returns {boolean} whether it is this site's own */
export function isOwnOrigin(origin, host) {
  return origin === `https://${host}` || origin === `http://${host}`;
}

/** @param {Request} req @param {readonly string[] | undefined} methods @returns {Refusal | undefined} */
function refuseMethod({ method }, methods) {
  if (!methods || method === 'OPTIONS' || methods.includes(String(method))) return undefined;
  const message = `method: expected ${methods.join(' or ')}, got ${method}`;
  return { status: 405, code: 'wrong-method', message, headers: { Allow: methods.join(', ') } };
}

/** @param {Request} req @param {Endpoint | undefined} endpoint @returns {Refusal | undefined} */
function refuseHandshake(req, endpoint) {
  const { method, headers } = req;
  if (!endpoint?.upgrade) return { status: 404, code: 'not-found', message: 'path: expected a WebSocket endpoint' };
  if (isUnknownUpgrade(req)) {
    const message = `Upgrade: expected websocket, got ${headers.upgrade}`;
    return { status: 426, code: 'upgrade-required', message, headers: { Upgrade: 'websocket' } };
  }
  if (method !== 'GET') return { status: 400, code: 'bad-upgrade', message: 'method: expected GET for a WebSocket' };
  // SockJS's library would also take the drafts before RFC 6455, which know no limit of size.
  if (headers['sec-websocket-version'] !== '13') {
    const message = 'Sec-WebSocket-Version: expected 13';
    return { status: 426, code: 'bad-version', message, headers: { 'Sec-WebSocket-Version': '13' } };
  }
  if (WEBSOCKET_KEY.test(String(headers['sec-websocket-key']))) return undefined;
  return { status: 400, code: 'bad-key', message: 'Sec-WebSocket-Key: expected 16 bytes in base64' };
}

/** @param {Response} res @param {readonly string[]} methods */
function answerPreflight(res, methods) {
  res.writeHead(204, {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  res.end();
}

/** After an upgrade Node gives the bare socket; a ServerResponse writes onto it. @param {Request} req @param {Socket} socket */
function openResponse(req, socket) {
  const res = new ServerResponse(req);
  res.assignSocket(/** @type {import('node:net').Socket} */ (socket));
  res.setHeader('Connection', 'close');
  res.on('finish', () => socket.end());
  return res;
}
