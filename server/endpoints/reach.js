/**
 * `/reach/...`: endpoints that test the network path to this server. Nothing is sent to keep their connections open, so
 * that these live as long as the path lets them.
 */
import { guard } from '../http/boundary.js';
import { answer, checkNumber, parseFields, queryOf, RefusalError, show, toNumber, whenOver } from '../http/exchange.js';
import { TimeBudget } from '../http/limit-requests.js';
import { Pool } from '../http/pool.js';
import { createGather, isFromWorker } from '../workers.js';
import { createProbes, joinSeen } from './reach-probes.js';
import { answerUpgradeRequired, createWebSockets, IGNORE } from '../channel/web-socket.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Logger } from 'pino'
 * @import { WebSocket } from 'ws'
 * @import { Endpoint, Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 * @import { VisitorOf, Workers } from '../workers.js'
 * @import { Probes, Seen } from './reach-probes.js'
 * @import { WebSockets } from '../channel/web-socket.js'
 *
 * @typedef {{ gate: Gate, limits: Limits, log: Logger, metrics: Metrics, traffic: Traffic, visitorOf: VisitorOf, workers?:
 *   Workers }} ReachParts
 * @typedef {{ contentType: string, prelude: string, format: (json: string) => string }} StreamForm
 * @typedef {(req: IncomingMessage, res: ServerResponse, transport: string, end: () => void) => void} Hold counts an answer until it
 *   is over; `end` ends it before its time
 */

const PROBE = /^[\w-]{8,32}$/;
/** The minimum and maximum of a stream's events, of the time between two, and of a long poll's time. */
const RANGES = Object.freeze({ count: [1, 100], interval: [10, 1000], ms: [1, 60_000] });

// Neither asks a proxy not to buffer, as the visitor's own application may not.
/** @type {StreamForm} */
const EVENT_STREAM = {
  contentType: 'text/event-stream',
  prelude: ':\n\n',
  format: (json) => `data: ${json}\n\n`,
};
/** @type {StreamForm} begins as SockJS's own does, which fills up what browsers keep back */
const XHR_STREAM = {
  contentType: 'application/javascript; charset=UTF-8',
  prelude: `${'h'.repeat(2048)}\n`,
  format: (json) => `${json}\n`,
};

/** @param {ReachParts} parts */
export function createReach(parts) {
  const { gate, limits } = parts;
  const probes = createProbes(parts);
  const sockets = createWebSockets(limits);
  /** @type {Set<() => void>} ends each answer in progress */
  const ends = new Set();
  /** @type {Hold} */
  const hold = (req, res, transport, end) => {
    gate.holdPlace(req, res, 'reach');
    const close = gate.openSession(transport);
    ends.add(end);
    whenOver(req, res, () => {
      ends.delete(end);
      close();
    });
  };

  return {
    /** @type {[path: string, endpoint: Endpoint][]} */
    endpoints: [
      ['/reach/ws', createProbeSocket(parts, { probes, sockets })],
      ['/reach/poll', createPollEndpoint(hold)],
      ['/reach/seen', createSeenEndpoint(parts, probes)],
      ['/reach/events', createStreamEndpoint(hold, 'reach events', EVENT_STREAM)],
      ['/reach/stream', createStreamEndpoint(hold, 'reach stream', XHR_STREAM)],
    ],

    /** Ends all: a long poll is answered at once, a stream loses its rest. */
    closeAll() {
      sockets.closeAll();
      for (const end of [...ends]) end();
    },
  };
}

/**
 * @param {ReachParts} parts @param {{ probes: Probes, sockets: WebSockets }} own
 * @returns {Endpoint}
 */
function createProbeSocket(parts, { probes, sockets }) {
  /** @param {IncomingMessage} req @param {string} name of the probe */
  const record = (req, name) =>
    Object.assign(
      probes.open(name, () => parts.visitorOf(req)),
      { httpVersion: req.httpVersion },
    );
  return {
    methods: ['GET'],
    query: 'probe=example-1',
    sessions: 'reach',
    answer(req, res, ...rest) {
      record(req, nameOf(req)).plainCount++;
      answerUpgradeRequired(req, res, ...rest);
    },
    upgrade: {
      limits: parts.limits,
      open(req, socket) {
        const seen = record(req, nameOf(req));
        socket.once('close', guard(socket, parts.gate.openSession('reach ws')));
        seen.upgradeCount++;
        sockets.open(req, socket, (client) => converse(client, seen, parts));
      },
    },
    refused(req, code) {
      const name = findName(req);
      if (name === undefined) return;
      const seen = record(req, name);
      seen.upgradeCount++;
      seen.refusal = code;
    },
  };
}

/** @param {Hold} hold @param {string} transport as it is counted @param {StreamForm} form @returns {Endpoint} */
function createStreamEndpoint(hold, transport, { contentType, prelude, format }) {
  return {
    methods: ['GET'],
    query: 'count=3&interval=10',
    answer(req, res) {
      const [eventCount, intervalMs] = numbersOf(req, ['count', 'interval']);
      hold(req, res, transport, () => res.end());
      res.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
      res.write(prelude);
      const startedAtMs = performance.now();
      let event = 0;
      const send = guard(res, () => {
        if (res.writableEnded) return;
        res.write(format(`{"event":${event++},"sentMs":${(performance.now() - startedAtMs).toFixed(3)}}`));
        if (event === eventCount) res.end();
      });
      const timer = setInterval(send, intervalMs);
      whenOver(req, res, () => clearInterval(timer));
      send();
    },
  };
}

/** @param {Hold} hold @returns {Endpoint} */
function createPollEndpoint(hold) {
  return {
    methods: ['GET'],
    query: 'ms=10',
    answer(req, res) {
      const [waitMs] = numbersOf(req, ['ms']);
      const startedAtMs = performance.now();
      const end = guard(res, () => {
        clearTimeout(timer);
        if (!res.writableEnded) answer(res, 200, `{"waitedMs":${Math.round(performance.now() - startedAtMs)}}`);
      });
      hold(req, res, 'reach poll', end);
      const timer = setTimeout(end, waitMs);
      whenOver(req, res, () => clearTimeout(timer));
    },
  };
}

/**
 * Creates an endpoint that answers for all workers.
 * @param {ReachParts} parts @param {Probes} probes @returns {Endpoint}
 */
function createSeenEndpoint(parts, probes) {
  const { limits, visitorOf, workers } = parts;
  const gather = createGather(parts);
  const reads = new Pool({ limit: limits.trafficReadCount, noun: 'concurrent reads of this kind' });
  const budget = new TimeBudget(limits.trafficMsPerMinute);
  return {
    methods: ['GET'],
    query: 'probe=example-1',
    answer(req, res) {
      const name = nameOf(req);
      const own = probes.read(name);
      if (workers && isFromWorker(req, workers)) return answer(res, 200, JSON.stringify(own));
      const end = budget.begin(visitorOf(req));
      const leave = reads.take(visitorOf(req));
      const respond = (/** @type {(Seen | undefined)[]} */ others) => {
        leave();
        end();
        answer(res, 200, JSON.stringify(joinSeen([own, ...others.filter((one) => one !== undefined)])));
      };
      gather(`/reach/seen?probe=${name}`).then(guard(res, respond));
    },
  };
}

/** @param {IncomingMessage} req @param {readonly (keyof typeof RANGES)[]} names of all its options @throws {RefusalError} */
function numbersOf(req, names) {
  const given = parseFields('option', queryOf(req), names);
  return names.map((name) => checkNumber('option', name, toNumber(given[name]), RANGES[name][0], RANGES[name][1]));
}

/** @param {IncomingMessage} req @returns {string | undefined} absent where the request names no probe, or several */
function findName(req) {
  const [name, ...others] = new URLSearchParams(queryOf(req)).getAll('probe');
  return others.length === 0 && name !== undefined && PROBE.test(name) ? name : undefined;
}

/** @param {IncomingMessage} req @returns {string} @throws {RefusalError} */
function nameOf(req) {
  const { probe = '' } = parseFields('option', queryOf(req), ['probe']);
  if (PROBE.test(probe)) return probe;
  throw new RefusalError('bad-option', `probe: expected 8 to 32 letters, digits, _ or -, got ${show(probe)}`);
}

/**
 * Sends each message back as it came.
 *
 * @param {WebSocket} client @param {Seen} seen @param {{ limits: Limits, traffic: Traffic }} parts
 */
function converse(client, seen, { limits, traffic }) {
  const openedAtMs = performance.now();
  seen.openCount++;
  // The connection of a peer that vanished without a close must not stay open forever.
  const lifetime = setTimeout(
    guard(client, () => client.terminate()),
    limits.reachMs,
  ).unref();
  client.on('message', (message, isBinary) => {
    traffic.messageReceived();
    seen[isBinary ? 'binaryCount' : 'textCount']++;
    client.send(message, { binary: isBinary });
  });
  client.on('close', (code) => {
    clearTimeout(lifetime);
    seen.closeCode = code;
    seen.openMs = Math.round(performance.now() - openedAtMs);
  });
  client.on('error', IGNORE);
}
