/**
 * The gate before every echo endpoint: it checks the origin, the method, the headers and the limits. All transports
 * share it, so that none has more overhead than another; SockJS sees only what it let through. An upgrade passes
 * server/sockets/upgrade-gate.js.
 */
import { endFailed, endOnError, guard, reportFailure } from './boundary.js';
import { answerError, RefusalError, bytesReadSince, hasBody, whenOver } from './exchange.js';
import { readOrigin } from './identity.js';
import { createBodyReader, NO_BODY } from './body.js';
import { Pool } from './pool.js';
import { FRAME_WORK } from './turns.js';

/**
 * @import { Duplex } from 'node:stream'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { SocketLimits } from '../sockets/socket-meter.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { VisitorOf } from '../workers.js'
 * @import { Identity } from './identity.js'
 * @import { Limits } from './limits.js'
 * @import { TurnQueue } from './turns.js'
 *
 * @typedef {object} Endpoint what sits behind the gate; whatever RefusalError it throws is answered
 * @property {readonly string[]} [methods] absent: the endpoint answers OPTIONS, wrong methods and CORS itself
 * @property {string} [query] of a valid request, for the list of paths
 * @property {SessionKind} [sessions] among which the sockets count that it opens; absent: the echoes'
 * @property {boolean} [readsBody] reads the body of a POST itself; the gate gives it none
 * @property {boolean} [anyEmbedder] may be loaded by a page that sends no Origin
 * @property {(req: Request, res: Response, goOn: () => void) => boolean} [keepBack] keeps a request back until it calls `goOn`;
 *   false: it is answered at once
 * @property {(req: Request, res: Response, body: Buffer, requestBytes: number) => void} answer `body` is empty but for
 *   POST; `requestBytes` came over the connection, including the headers
 * @property {Upgrade} [upgrade] absent: no WebSocket can be opened
 * @property {() => void} [closeAll] tells all its sockets that this worker goes away
 * @property {(req: Request, code: string) => void} [refused] gets each upgrade that is refused, with its error's code
 * @typedef {{ limits: SocketLimits, open(req: Request, socket: Duplex, requestBytes: number): void }} Upgrade `limits` of what a
 *   client may send; `open` is called when a meter holds the socket to them
 * @typedef {'echo' | 'jobs' | 'payload' | 'reach' | 'feeds' | 'streams'} SessionKind each has a cap of its own
 */

const PREFLIGHT_SECONDS = 600;

export class Gate {
  #allowedOrigins;
  #identity;
  #isReady;
  #metrics;
  #readBody;
  #turns;
  #workAtOnce;
  #visitorOf;
  #headerCount;
  /** @type {Record<SessionKind, Pool>} */
  #places;

  /**
   * @param {{ allowedOrigins?: readonly string[], identity: Identity, isReady: () => boolean, limits: Limits, metrics:
   *   Metrics, turns: TurnQueue, visitorOf: VisitorOf }} parts
   */
  constructor({ allowedOrigins, identity, isReady, limits, metrics, turns, visitorOf }) {
    this.#allowedOrigins = allowedOrigins;
    this.#identity = identity;
    this.#isReady = isReady;
    this.#metrics = metrics;
    this.#readBody = createBodyReader(limits, metrics);
    this.#turns = turns;
    this.#workAtOnce = limits.framesPerTurn * FRAME_WORK;
    this.#visitorOf = visitorOf;
    this.#headerCount = limits.headerCount;
    const placesFor = (/** @type {number} */ limit) => new Pool({ limit, noun: 'open sessions' });
    this.#places = {
      echo: placesFor(limits.sessionCount),
      jobs: placesFor(limits.jobSessionCount),
      payload: placesFor(limits.payloadSocketCount),
      reach: placesFor(limits.reachSessionCount),
      feeds: placesFor(limits.feedSessionCount),
      streams: placesFor(limits.streamSessionCount),
    };
  }

  /**
   * Takes a place for a session. For a WebSocket the gate does so itself, until its connection is closed.
   * @param {Request} req @param {SessionKind} [kind] @returns {() => void} leaves it @throws {RefusalError}
   */
  takePlace(req, kind = 'echo') {
    if (!this.#isReady()) throw new RefusalError('draining', 'The server is shutting down. Try again in a minute', 503);
    return this.#places[kind].take(this.#visitorOf(req));
  }

  /** Takes a place until the answer is over. @param {Request} req @param {Response} res @param {SessionKind} [kind] @throws {RefusalError} */
  holdPlace(req, res, kind) {
    whenOver(req, res, this.takePlace(req, kind));
  }

  /** Counts a session that has its place. @param {string} transport @returns {() => void} ends it */
  openSession(transport) {
    this.#metrics.sessionOpened(transport);
    return () => this.#metrics.sessionClosed(transport);
  }

  /** @param {Request} req @param {Response} res @param {Endpoint} endpoint */
  admit(req, res, endpoint) {
    const requestBytes = bytesReadSince(req.socket);
    const { methods } = endpoint;
    if (methods) this.#setCorsHeaders(req, res);
    try {
      this.check(req, endpoint);
      checkMethod(req, methods);
    } catch (error) {
      this.refuse(res, error);
      return;
    }
    if (methods && req.method === 'OPTIONS') answerPreflight(res, methods);
    else if (req.method === 'POST' && !endpoint.readsBody) {
      this.#readBody(req, res, (body) => {
        const bytes = requestBytes + bytesReadSince(req.socket);
        this.#inTurn(req, res, body, () => this.#pass(endpoint, req, res, body, bytes));
      });
    } else {
      if (req.method === 'POST') forgetBytesAtEnd(req);
      this.#pass(endpoint, req, res, NO_BODY, requestBytes);
    }
  }

  /**
   * Large bodies wait for turns, as large messages over sockets do, so that others are served in between.
   * @param {Request} req @param {Response} res @param {Buffer} body @param {() => void} act
   */
  #inTurn({ socket }, res, { length: work }, act) {
    if (work <= this.#workAtOnce) return act();
    const takeTurn = () => {
      // A queued answer gets no event when its connection closes.
      if (res.closed || socket.destroyed) return 0;
      act();
      return work;
    };
    this.#turns.add({ connection: socket, takeTurn });
  }

  /** @type {(endpoint: Endpoint, ...args: Parameters<Endpoint['answer']>) => void} */
  #pass(endpoint, req, res, body, requestBytes) {
    try {
      if (endpoint.keepBack?.(req, res, () => this.#answer(endpoint, req, res, body, requestBytes))) return;
    } catch (error) {
      this.refuse(res, error);
      return;
    }
    this.#answer(endpoint, req, res, body, requestBytes);
  }

  /** @type {(endpoint: Endpoint, ...args: Parameters<Endpoint['answer']>) => void} */
  #answer(endpoint, req, res, body, requestBytes) {
    try {
      endpoint.answer(req, res, body, requestBytes);
      if (!res.writableEnded) watchOpen(req, res);
    } catch (error) {
      this.refuse(res, error);
    }
  }

  /** @param {Response} res @param {unknown} error a fault of this server's ends no more than the exchange */
  refuse(res, error) {
    if (!(error instanceof RefusalError)) return answerFault(res, error);
    const { code, headers, message, status } = error;
    this.#metrics.refused(code);
    for (const [name, text] of Object.entries(headers)) res.setHeader(name, text);
    answerError(res, status, code, message);
  }

  /** Checks what requests and upgrades have in common. @param {Request} req @param {Endpoint} [endpoint] @throws {RefusalError} */
  check(req, endpoint) {
    this.#checkHeaders(req);
    this.#checkOrigin(req, endpoint);
  }

  /**
   * Refuses too many headers: Node.js drops those beyond its maximum, which may identify the visitor.
   * @param {Request} req @throws {RefusalError}
   */
  #checkHeaders({ rawHeaders }) {
    if (rawHeaders.length > 2 * this.#headerCount) throw tooManyHeaders(this.#headerCount);
  }

  /** @param {Request} req @param {Endpoint} [endpoint] @throws {RefusalError} */
  #checkOrigin(req, endpoint) {
    if (!this.#allowedOrigins) return;
    const { origin } = req.headers;
    const isAllowed =
      this.#identity.isOwn(req) ||
      (origin === undefined ? endpoint?.anyEmbedder : this.#allowedOrigins.includes(readOrigin(origin) ?? ''));
    if (isAllowed) return;
    throw new RefusalError(
      'origin-refused',
      `Origin: expected this site or an origin in ALLOWED_ORIGINS, got ${origin ?? 'another site'}`,
      403,
    );
  }

  /** @param {Request} req @param {Response} res */
  #setCorsHeaders({ headers: { origin } }, res) {
    if (origin === undefined) return;
    const allowed = this.#allowedOrigins ? origin : '*';
    res.setHeader('Access-Control-Allow-Origin', allowed);
    // Without it, a page there could not read the protocol and the connection's times.
    res.setHeader('Timing-Allow-Origin', allowed);
    if (this.#allowedOrigins) res.setHeader('Vary', 'Origin');
  }
}

/** Creates the error of a request with more headers than the limit. @param {number} max */
export const tooManyHeaders = (max) =>
  new RefusalError('too-large', `headers: expected at most ${max}, got more`, 431, { Connection: 'close' });

/** Watches an answer that is not over yet. @param {Request} req @param {Response} res */
function watchOpen(req, res) {
  res.on('error', endOnError);
  // If nobody reads a body, the connection is not read either, and nobody notices that its client has left.
  if (req.method !== 'POST' && hasBody(req)) req.resume();
}

/** Keeps the bytes of a body from being counted for the next request. @param {Request} req */
export function forgetBytesAtEnd(req) {
  const { socket } = req;
  const forget = guard(socket, () => bytesReadSince(socket));
  req.once('end', forget);
}

/** @param {Response} res @param {unknown} error */
function answerFault(res, error) {
  if (res.headersSent) return endFailed(res, error);
  reportFailure(error);
  answerError(res, 500, 'internal', 'Internal server error; it is logged');
}

/** @param {Request} req @param {readonly string[] | undefined} methods @throws {RefusalError} */
function checkMethod({ method }, methods) {
  if (!methods || method === 'OPTIONS' || methods.includes(String(method))) return;
  const message = `method: expected ${methods.join(' or ')}, got ${method}`;
  throw new RefusalError('wrong-method', message, 405, { Allow: methods.join(', ') });
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
