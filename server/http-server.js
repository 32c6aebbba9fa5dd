/** The server on node:http: every request and every upgrade comes in here, and goes to its endpoint or to the site. */
import { belowBasePath } from './base-path.js';
import { endOnError, guard, guardRequest } from './http/boundary.js';
import { answerError, bytesReadSince, hasBody, inOriginForm, pathOf } from './http/exchange.js';
import { forgetBytesAtEnd, tooManyHeaders } from './http/gate.js';
import { createServer } from './http/node-http.js';
import { answerUnderWay, ignoreUpgrade, isUnknownUpgrade, whenAnswered } from './http/node-server.js';
import { isOfTraffic } from './routes/status.js';
import { createUpgradeGate } from './sockets/upgrade-gate.js';

/**
 * @import { CommonParts } from './parts.js'
 * @import { Endpoint } from './http/gate.js'
 * @import { IncomingMessage as Request, RequestListener, Server, ServerResponse as Response } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Logger } from 'pino'
 * @import { Limits } from './http/limits.js'
 * @import { Metrics } from './telemetry/metrics.js'
 * @typedef {CommonParts & { basePath: string, endpointAt(path: string): Endpoint | undefined, site: RequestListener }} Listener the
 *   site answers all that is at no endpoint
 */

/** @param {Listener} parts */
export function openHttpServer(parts) {
  const { basePath, limits } = parts;
  const server = createServer({
    noDelay: true,
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.timeoutLookMs,
  });
  server.maxConnections = limits.connectionCount;
  // Node.js keeps one more, which shows that there are too many.
  server.maxHeadersCount = limits.headerCount + 1;
  const listen = createRequestListener(parts);
  const listenToContinue = (/** @type {Request} */ req, /** @type {Response & { req: Request }} */ res) => {
    // If other answers come first, Node.js would put it between the headers and the body of this one, so it is left
    // out.
    if (res.socket) res.writeContinue();
    listen(req, res);
  };
  server.on('request', guardRequest(inOriginForm(belowBasePath(basePath, listen))));
  server.on('checkContinue', guardRequest(inOriginForm(belowBasePath(basePath, listenToContinue))));
  server.on('upgrade', guardRequest(inOriginForm(belowBasePath(basePath, createUpgradeListener(server, parts)))));
  return server;
}

/** @param {Server} server @param {Listener} parts */
function createUpgradeListener(server, parts) {
  const { at, endpointAt, relayMark, traffic } = parts;
  const admitUpgrade = createUpgradeGate(parts);
  /** @param {Request} req @param {Socket} socket @param {Buffer} head */
  return (req, socket, head) => {
    const endpoint = endpointAt(pathOf(req));
    whenAnswered(socket, head, (allHead) => {
      if (isUnknownUpgrade(req) && !endpoint?.upgrade) {
        // It comes in once more, where the site's path is taken off: once, also where a client repeated it.
        if (req.url?.startsWith('/')) req.url = at(req.url);
        ignoreUpgrade(server, req, socket, allHead);
      } else {
        // The worker that relays an upgrade has counted it, as it has a request.
        if (!relayMark.isOn(req)) traffic.requestServed();
        admitUpgrade(req, socket, allHead, endpoint);
      }
    });
  };
}

/** @param {Listener} parts @returns {RequestListener} */
function createRequestListener(parts) {
  const { endpointAt, gate, isReady, limits, relayMark, site, traffic } = parts;
  const wait = createAnswerQueue(parts);
  /** @type {RequestListener} */
  const serve = (req, res) => {
    if (!isReady()) res.setHeader('Connection', 'close');
    const endpoint = endpointAt(pathOf(req));
    if (!endpoint) {
      res.on('error', endOnError);
      leaveOutBytes(req);
      if (req.rawHeaders.length > 2 * limits.headerCount) {
        const { status, code, message, headers } = tooManyHeaders(limits.headerCount);
        res.setHeaders(new Map(Object.entries(headers)));
        answerError(res, status, code, message);
        return;
      }
      if (!isOfTraffic(req)) traffic.requestServed();
      site(req, res);
      return;
    }
    // The worker that relays a request has counted it.
    if (!relayMark.isOn(req)) traffic.requestServed();
    gate.admit(req, res, endpoint);
  };
  return (req, res) => {
    // Node.js also reads requests after an answer that ended the connection; answering them would fail.
    if (!req.socket.writable) return;
    // It has no socket only while other answers on its connection come first.
    if (res.socket === null) wait(req, res, () => serve(req, res));
    else serve(req, res);
  };
}

/**
 * Handles pipelined requests one after the other: an answer takes memory until it is sent, so none is made before the
 * last one has left. Beyond the limit, the connection ends.
 * @param {{ limits: Limits, log: Logger, metrics: Metrics }} parts
 * @returns {(req: Request, res: Response, serve: () => void) => void}
 */
function createAnswerQueue({ limits, log, metrics }) {
  /** @type {WeakMap<Socket, { count: number, last?: Response | null }>} the requests that wait, by connection */
  const lines = new WeakMap();
  return (req, res, serve) => {
    const { socket } = req;
    const line = lines.get(socket) ?? { count: 0, last: answerUnderWay(socket) };
    if (line.count + 1 < limits.connectionRequestCount) {
      const begin = guard(socket, () => {
        // The connection may have ended with the answer before.
        if (res.socket === null) return;
        line.count--;
        if (line.count === 0) lines.delete(socket);
        serve();
      });
      line.last?.once('close', begin);
      line.count++;
      line.last = res;
      lines.set(socket, line);
      return;
    }
    // Other requests of the same packet still follow.
    if (socket.destroyed) return;
    metrics.refused('too-many');
    log.warn({ path: pathOf(req), reason: 'Too many requests without an answer' }, 'connection closed');
    socket.destroy();
  };
}

/** Keeps a page, or a saved run, out of what is recorded for the connection's next request. @param {Request} req */
function leaveOutBytes(req) {
  bytesReadSince(req.socket);
  if (hasBody(req)) forgetBytesAtEnd(req);
}
