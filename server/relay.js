/** Relays the requests of a session to the worker that owns it, and the answers back as they arrive. */
import { destroyOnError, guard } from './http/boundary.js';
import { answerError, whenOver } from './http/exchange.js';
import { request } from './http/node-http.js';
import { openResponse } from './sockets/upgrade-gate.js';
import { meterOf } from './sockets/socket-meter.js';
import { isAtOwnPort, ownerOf, ownPortOf, VISITOR_HEADER } from './workers.js';

/**
 * @import { Duplex } from 'node:stream'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Logger } from 'pino'
 * @import { RelayMark, VisitorOf, Workers } from './workers.js'
 * @typedef {{ url: string, owner: number }} Relayed
 */

/** These are about one connection, not about the request. (RFC 9110, section 7.6.1) */
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade', 'te', 'expect'];
const OWNER_LOST = 'The worker that holds this session does not answer';

/** Relays requests and upgrades, and remembers those that it is relaying. */
export class Relay {
  #options;
  /** @type {Set<Relayed>} */
  #relayed = new Set();

  /**
   * @param {{ log: Logger, relayMark: RelayMark, visitorOf: VisitorOf, workers?: Workers, idsNameOwner?: boolean }} options
   *   `idsNameOwner`:
   *   the owner made the ID, so that it names the owner also where a proxy chose the worker; else the proxy keeps a
   *   session with one worker by itself
   */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Relays a request to its owner; false if this worker is the owner.
   * @param {Request} req @param {Response} res @param {Buffer} body @param {string} sessionId
   */
  pass(req, res, body, sessionId) {
    const owner = this.#otherOwnerOf(req, sessionId);
    if (owner === undefined) return false;
    const { method = 'GET', url = '/' } = req;
    const asked = this.#ask(owner, method, url, { ...this.#headersOf(req), 'content-length': String(body.length) });
    const forget = this.#remember({ url, owner });
    const onError = (/** @type {Error} */ error) => {
      if (res.closed) return; // The visitor left, see below.
      this.#options.log.warn({ err: error, owner }, 'relay failed');
      if (res.headersSent) res.destroy();
      else answerError(res, 502, 'owner-lost', OWNER_LOST);
    };
    const onResponse = (/** @type {Request} */ answer) => passAnswer(answer, res);
    asked.on('response', guard(res, onResponse));
    asked.on('error', guard(res, onError));
    whenOver(req, res, () => {
      forget();
      // The owner must notice that its visitor has left.
      asked.destroy();
    });
    asked.end(body);
    return true;
  }

  /**
   * Relays an upgrade to its owner, and then the bytes of both directions; false if this worker is the owner.
   * @param {Request} req @param {Duplex} socket @param {string} sessionId
   */
  passUpgrade(req, socket, sessionId) {
    const owner = this.#otherOwnerOf(req, sessionId);
    if (owner === undefined) return false;
    const { url = '/' } = req;
    const asked = this.#ask(owner, 'GET', url, {
      ...this.#headersOf(req),
      connection: 'Upgrade',
      upgrade: 'websocket',
    });
    const forget = this.#remember({ url, owner });
    const onUpgrade = (/** @type {Request} */ answer, /** @type {Duplex} */ ownerSocket, /** @type {Buffer} */ head) =>
      joinSockets(socket, ownerSocket, { answer, head });
    const onResponse = (/** @type {Request} */ answer) => passAnswer(answer, openResponse(req, socket));
    const onError = (/** @type {Error} */ error) => {
      if (socket.destroyed) return;
      this.#options.log.warn({ err: error, owner }, 'relay failed');
      answerError(openResponse(req, socket), 502, 'owner-lost', OWNER_LOST);
    };
    const onClose = () => {
      forget();
      asked.destroy();
    };
    asked.on('upgrade', guard(socket, onUpgrade));
    asked.on('response', guard(socket, onResponse));
    asked.on('error', guard(socket, onError));
    socket.once('close', guard(socket, onClose));
    asked.end();
    return true;
  }

  /** Asks the owners to close the sessions whose requests are being relayed. @param {(url: string) => string} closePath */
  closeAll(closePath) {
    for (const { url, owner } of this.#relayed) {
      const asked = this.#ask(owner, 'POST', closePath(url), { 'content-length': '0' });
      const onError = (/** @type {Error} */ error) =>
        this.#options.log.warn({ err: error, owner }, 'session not closed');
      asked.on('error', guard(asked, onError));
      const onResponse = (/** @type {Request} */ answer) => answer.resume();
      asked.on('response', guard(asked, onResponse));
      asked.end();
    }
  }

  /** @param {Request} req @param {string} sessionId @returns {number | undefined} absent if this worker answers */
  #otherOwnerOf(req, sessionId) {
    const { idsNameOwner, relayMark, workers } = this.#options;
    if (!workers || (idsNameOwner ? relayMark.isOn(req) : isAtOwnPort(req, workers))) return undefined;
    const owner = ownerOf(sessionId, workers.count);
    return owner === workers.index ? undefined : owner;
  }

  /** @param {number} owner @param {string} method @param {string} path @param {Record<string, any>} headers */
  #ask(owner, method, path, headers) {
    const { relayMark, workers } = this.#options;
    const asked = request({
      host: '127.0.0.1',
      port: ownPortOf(/** @type {Workers} */ (workers), owner),
      method,
      path,
      headers: { ...headers, ...relayMark.headers },
      // The owner might close a pooled connection at this very moment.
      agent: false,
    });
    asked.setNoDelay(true);
    return asked;
  }

  /** @param {Request} req */
  #headersOf = (req) => ({ ...passedOn(req.headers), [VISITOR_HEADER]: this.#options.visitorOf(req) });

  /** @param {Relayed} entry @returns {() => void} forgets it */
  #remember(entry) {
    this.#relayed.add(entry);
    return () => void this.#relayed.delete(entry);
  }
}

/** @param {Request} answer of the owner @param {Response} res */
function passAnswer(answer, res) {
  res.writeHead(Number(answer.statusCode), passedOn(answer.headers));
  answer.pipe(res);
  answer.on(
    'error',
    guard(res, () => res.destroy()),
  );
}

/**
 * Passes on the bytes of both directions; where one ends, so does the other.
 * @param {Duplex} socket the visitor's @param {Duplex} ownerSocket @param {{ answer: Request, head: Buffer }} upgraded `head`:
 *   what came after the owner's answer
 */
function joinSockets(socket, ownerSocket, { answer, head }) {
  const lines = ['HTTP/1.1 101 Switching Protocols', ...linesOf(answer.rawHeaders)];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  if (head.length > 0) socket.write(head);
  // The visitor gets the time to read what came last, which says why the owner closed the session.
  const onClose = () => meterOf(socket)?.discard();
  ownerSocket.on('close', guard(socket, onClose));
  ownerSocket.on('error', destroyOnError);
  socket.on(
    'close',
    guard(socket, () => ownerSocket.destroy()),
  );
  ownerSocket.pipe(socket);
  socket.pipe(ownerSocket);
}

/** @param {readonly string[]} rawHeaders names and values in turn @returns {string[]} */
const linesOf = (rawHeaders) =>
  rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));

/** @param {Request['headers']} headers */
function passedOn(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)));
}
