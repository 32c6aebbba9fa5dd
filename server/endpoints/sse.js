/**
 * `/sse/<id>`: a GET opens a stream of events under an id that the client chooses, a POST to the same address is echoed
 * on it.
 *
 * The two may come to different workers, so the id has an owner, to which the others hand its requests on.
 */
import { isUtf8 } from 'node:buffer';
import { createRelay } from '../cluster/relay.js';
import { pathOf } from '../http/url.js';
import { whenOver } from '../http/when-over.js';
import { isAtOwnPort, ownerOf } from '../cluster/workers.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Logger } from 'pino'
 * @import { RelayMark } from '../cluster/relay-mark.js'
 * @import { Workers } from '../cluster/workers.js'
 * @import { Echo } from '../echo/echo.js'
 * @import { Endpoint, Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 */

const BEAT = ':\n\n';
const PREFIX = '/sse/';
const PATH = /^\/sse\/([\w-]{8,64})$/;

/**
 * @typedef {IncomingMessage} Request
 * @typedef {ServerResponse} Response
 */

/**
 * @param {object} options
 * @param {Echo} options.echo
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @param {Workers} [options.workers] absent where there is but one
 * @param {RelayMark} options.relayMark
 * @param {Logger} options.log
 */
export function createSse({ echo, gate, limits, metrics, workers, relayMark, log }) {
  const relay = workers && createRelay({ workers, relayMark, log });
  /** @type {Map<string, Response>} the streams that are held here */
  const streams = new Map();
  /** @type {Set<Response>} these, and those whose answer comes through here */
  const open = new Set();

  /** @param {Request} req @param {Response} res @param {Buffer} body */
  const answer = (req, res, body) => {
    const [, id = ''] = PATH.exec(pathOf(req)) ?? [];
    if (id === '') {
      const message = 'id: expected 8 to 64 letters, digits, _ or -';
      gate.refuse(res, { status: 404, code: 'not-found', message });
      return;
    }
    if (req.method === 'GET') keepTrack(req, res);
    const owner = workers && !isAtOwnPort(req, workers) ? ownerOf(id, workers.count) : undefined;
    if (relay && owner !== undefined && owner !== workers?.index) relay.pass(req, res, body, owner);
    else if (req.method === 'GET') openStream(id, req, res);
    else echoOn(streams.get(id), res, body);
  };

  /** @param {Request} req @param {Response} res */
  const keepTrack = (req, res) => {
    open.add(res);
    whenOver(req, res, () => open.delete(res));
  };

  /** @param {string} id @param {Request} req @param {Response} res */
  const openStream = (id, req, res) => {
    const refusal = streams.has(id)
      ? { status: 409, code: 'taken', message: 'id: expected one that is not in use' }
      : gate.refuseSession();
    if (refusal) {
      gate.refuse(res, refusal);
      return;
    }
    streams.set(id, res);
    gate.sessionOpened('sse');
    const heartbeat = setInterval(() => res.write(BEAT), limits.heartbeatMs).unref();
    whenOver(req, res, () => {
      clearInterval(heartbeat);
      streams.delete(id);
      gate.sessionClosed('sse');
    });
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // nginx would hold events back until it has many.
      'X-Accel-Buffering': 'no',
    });
    // A comment, which takes the headers along, through every proxy.
    res.write(BEAT);
  };

  /** @param {Response | undefined} stream @param {Response} res @param {Buffer} body */
  const echoOn = (stream, res, body) => {
    if (!stream) {
      gate.refuse(res, { status: 404, code: 'no-stream', message: 'id: expected one with an open stream' });
      return;
    }
    const echoed = echo.fromText(isUtf8(body) ? body.toString() : body);
    metrics.echoAnswered('sse', echoed.code);
    stream.write(`data: ${echoed.body}\n\n`);
    // Whoever does not read its events gets no more of them.
    if (stream.writableLength > limits.unsentBytes) stream.destroy();
    res.writeHead(204, { 'Cache-Control': 'no-store' }).end();
  };

  const endpoint = { methods: ['GET', 'POST'], answer };
  return {
    /**
     * @param {string} path
     * @returns {Endpoint | undefined} absent where the path is not one of a stream
     */
    endpointAt: (path) => (path.startsWith(PREFIX) ? endpoint : undefined),

    /** Ends every stream that is held here, or comes through here. */
    closeAll() {
      for (const res of open) res.end();
    },
  };
}
