/**
 * `/sse/<id>`: a GET opens a stream of events under an id that the client chooses, a POST to the same address is echoed on
 * it. The two may come to different workers, so the id has an owner, to which the others hand its requests on.
 */
import { Relay } from '../relay.js';
import { guard } from '../http/boundary.js';
import { CACHE_CONTROL, RefusalError, pathOf, whenOver } from '../http/exchange.js';
import { textOf } from './echo.js';

const PREFIX = '/sse/';
const PATH = /^\/sse\/([\w-]{8,64})$/;
const BEAT = ':\n\n'; // A comment.

/** @import { Endpoint, Gate } from '../http/gate.js' */
/** @import { EndpointsBelow } from './index.js' */
/** @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http' */
/** @import { Logger } from 'pino' */
/** @import { Limits } from '../http/limits.js' */
/** @import { Metrics } from '../telemetry/metrics.js' */
/** @import { RelayMark, VisitorOf, Workers } from '../workers.js' */
/** @import { Echo } from './echo.js' */

/**
 * @param {{ echo: Echo, gate: Gate, limits: Limits, log: Logger, metrics: Metrics, relayMark: RelayMark, visitorOf:
 *   VisitorOf, workers?: Workers }} parts
 */
export function createSse(parts) {
  const { echo, gate, limits, metrics } = parts;
  const relay = new Relay(parts);
  /** @type {Map<string, Response>} those that are held here, by id */
  const streams = new Map();
  /** @type {Set<Response>} these, and those that come through here */
  const open = new Set();

  /** @param {string} id @param {Request} req @param {Response} res */
  const openStream = (id, req, res) => {
    if (streams.has(id)) throw new RefusalError('taken', 'id: expected an unused ID', 409);
    gate.holdPlace(req, res);
    streams.set(id, res);
    openEventStream(req, res, parts, 'sse');
    whenOver(req, res, () => streams.delete(id));
  };

  /** @param {Response | undefined} stream @param {Response} res @param {Buffer} body */
  const echoOn = (stream, res, body) => {
    // The stream may have ended, but its client has not read that far.
    if (!stream || stream.writableEnded)
      throw new RefusalError('no-stream', 'id: expected the ID of an open stream', 404);
    const echoed = echo.fromText(textOf(body));
    metrics.echoAnswered('sse', echoed.code);
    stream.write(`data: ${echoed.body}\n\n`);
    // A client that does not read its events gets no more of them.
    if (stream.writableLength > limits.unsentBytes) stream.destroy();
    res.writeHead(204, { 'Cache-Control': CACHE_CONTROL }).end();
  };

  /** @type {Endpoint} */
  const endpoint = {
    methods: ['GET', 'POST'],
    answer(req, res, body) {
      const [, id] = PATH.exec(pathOf(req)) ?? [];
      if (!id) throw new RefusalError('not-found', 'id: expected 8 to 64 letters, digits, _ or -', 404);
      if (req.method === 'GET') {
        open.add(res);
        whenOver(req, res, () => open.delete(res));
      }
      if (relay.pass(req, res, body, id)) return;
      if (req.method === 'GET') openStream(id, req, res);
      else echoOn(streams.get(id), res, body);
    },
  };

  return {
    /** @type {EndpointsBelow['examples']} */
    examples: [{ pattern: `${PREFIX}:stream` }],

    /** @param {string} path @returns {Endpoint | undefined} absent where the path is not one of a stream */
    endpointAt: (path) => (path.startsWith(PREFIX) ? endpoint : undefined),

    closeAll() {
      for (const res of open) res.end();
    },
  };
}

/**
 * Begins an answer of events, and counts a session, which has its place, until it is over.
 * @param {Request} req @param {Response} res @param {{ gate: Gate, limits: Limits }} parts
 * @param {string} transport as it is counted
 */
export function openEventStream(req, res, { gate, limits }, transport) {
  const closeSession = gate.openSession(transport);
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': CACHE_CONTROL,
    // nginx would hold events back until it has many.
    'X-Accel-Buffering': 'no',
  });
  // This makes every proxy forward the headers.
  res.write(BEAT);
  const beat = guard(res, () => res.writableEnded || res.write(BEAT));
  const heartbeat = setInterval(beat, limits.heartbeatMs).unref();
  whenOver(req, res, () => {
    clearInterval(heartbeat);
    closeSession();
  });
}
