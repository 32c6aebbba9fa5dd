/**
 * `/pieces`: streams over HTTP. A GET is answered piece by piece: lines of JSON, or events; a poll gets the pieces so far. A cut
 * resets the connection of the request that began the stream.
 */
import { LINES_TYPE } from '../../core/net/stream/stream.js';
import { formatEvent, openEventStream } from '../channel/event-stream.js';
import { answer, CACHE_CONTROL, keepEnd, queryOf, RefusalError, show, whenOver } from '../http/exchange.js';
import { sendPieces } from './stream-sender.js';
import { paceOf, pieceOf } from './streams.js';

/**
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { EndpointParts } from '../parts.js'
 * @import { Endpoint } from '../http/gate.js'
 * @import { EndpointsBelow } from './index.js'
 * @import { Subscription } from './streams.js'
 * @typedef {{ name: string, begin: (req: Request, res: Response) => void, format: (piece: object, id: string) => string }} Form of the answer
 */

const PATH = '/pieces';
const EXAMPLE = 'pieces=2&bytes=12&rate=0&spread=0&seed=1';

/** @param {EndpointParts} parts */
export function createStream(parts) {
  /** Ends each answer that is under way. @type {Set<() => void>} */
  const ends = new Set();
  /** @type {Readonly<Record<string, Endpoint>>} */
  const endpoints = {
    [PATH]: createEndpoint(parts, ends, LINES),
    [`${PATH}/events`]: createEndpoint(parts, ends, eventsFor(parts)),
    [`${PATH}/poll`]: createPoll(parts),
  };
  return {
    /** @type {EndpointsBelow['examples']} */
    examples: [
      { pattern: `${PATH}?${EXAMPLE}` },
      { pattern: `${PATH}/events?${EXAMPLE}` },
      { pattern: `${PATH}/poll?${EXAMPLE}` },
      { pattern: `${PATH}/poll?id=:pieces&since=1` },
    ],

    /** @param {string} path @returns {Endpoint | undefined} absent where the path is not one of a stream */
    endpointAt: (path) => (Object.hasOwn(endpoints, path) ? endpoints[path] : undefined),

    /** Ends what is under way: who wants the rest can ask for it. */
    closeAll() {
      for (const end of [...ends]) end();
    },
  };
}

/** @type {Form} */
const LINES = {
  name: 'stream http',
  begin: (_, res) =>
    void res.writeHead(200, {
      'Content-Type': LINES_TYPE,
      'Cache-Control': CACHE_CONTROL,
      // nginx would hold pieces back until it has many.
      'X-Accel-Buffering': 'no',
    }),
  format: (piece) => `${JSON.stringify(piece)}\n`,
};

const EVENTS = 'stream sse';

/** @param {EndpointParts} parts @returns {Form} */
const eventsFor = ({ gate, limits }) => ({
  name: EVENTS,
  begin: (req, res) => openEventStream(req, res, { gate, limits }, EVENTS),
  format: (piece, id) => `id: ${id}\n${formatEvent(JSON.stringify(piece))}`,
});

/** @param {EndpointParts} parts @param {Set<() => void>} ends @param {Form} form @returns {Endpoint} */
function createEndpoint(parts, ends, { name, begin, format }) {
  const { gate, limits, metrics, streamPace, streams, traffic, visitorOf } = parts;
  return {
    methods: ['GET'],
    answer(req, res, _body, requestBytes) {
      const meter = traffic.meter(req, requestBytes);
      const subscription = resumedBy(req, streams.parseQuery(queryOf(req)), parts);
      const { stream, trialId } = subscription;
      // This ends what asks again after the last piece: https://html.spec.whatwg.org/multipage/server-sent-events.html#processing-model
      if (subscription.since >= stream.pieces) {
        res.writeHead(204, { 'Cache-Control': CACHE_CONTROL }).end();
        return;
      }
      gate.holdPlace(req, res, 'streams');
      whenOver(req, res, streamPace.take(visitorOf(req), paceOf(stream)));
      meter.recordWhenOver(trialId, res);
      metrics.streamMade(name);
      begin(req, res);
      const stop = sendPieces(parts, subscription, {
        say: (piece) => res.write(format(piece, `${stream.id}.${piece.n}`)),
        finish: () => void res.end(),
        reset: () => void req.socket.resetAndDestroy(),
        isBehind: () => res.writableLength > limits.unsentBytes,
        owned: res,
      });
      keepEnd(req, res, { ends, stop });
    },
  };
}

/**
 * An EventSource that connects again repeats its URL, and adds the ID of its last event.
 * @param {Request} req @param {Subscription} asked by its URL @param {EndpointParts} parts @returns {Subscription}
 * @throws {RefusalError}
 */
function resumedBy({ headers }, asked, { streams }) {
  const last = headers['last-event-id'];
  if (last === undefined) return asked;
  const [, id, n] = /^([\w-]{1,64})\.(\d{1,4})$/.exec(String(last)) ?? [];
  if (id === undefined)
    throw new RefusalError('bad-field', `Last-Event-ID: expected that of an event from this server, got ${show(last)}`);
  return { ...asked, ...streams.parseQuery(`id=${id}&since=${Number(n) + 1}`), trialId: asked.trialId };
}

/** @param {EndpointParts} parts @returns {Endpoint} of which each answer has the pieces that are due */
function createPoll({ metrics, streams, traffic }) {
  return {
    methods: ['GET'],
    answer(req, res, _body, requestBytes) {
      const meter = traffic.meter(req, requestBytes);
      const subscription = streams.parseQuery(queryOf(req));
      const { stream, since, isResumed, trialId } = subscription;
      if (!isResumed) metrics.streamMade('stream poll');
      const sinceStartMs = isResumed ? streams.now() - stream.startMs : 0;
      const next = stream.dueMs.findIndex((dueMs, n) => n >= since && dueMs > sinceStartMs);
      const end = next < 0 ? stream.pieces : next;
      const pieces = Array.from({ length: Math.max(0, end - since) }, (_, i) =>
        pieceOf(subscription, since + i, sinceStartMs),
      );
      answer(res, 200, JSON.stringify({ id: stream.id, pieces }));
      meter.recordNow(trialId);
    },
  };
}
