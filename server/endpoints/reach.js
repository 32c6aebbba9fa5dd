/**
 * `/reach/...`: what shows how a connection fares on its way here. Nothing on these connections is sent to keep them open, so that
 * they live as long as the path lets them.
 */
import { visitorOf } from '../http/addresses.js';
import { answer, checkNumber, parseFields, queryOf, RefusalError, show, toNumber, whenOver } from '../http/exchange.js';
import { createShares } from '../http/limit-requests.js';
import { createGather, isFromWorker } from '../workers.js';
import { createProbes, joinSeen } from './reach-probes.js';
import { answerUpgradeRequired, createWebSockets } from './web-sockets.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { WebSocket } from 'ws'
 * @import { Endpoint } from '../http/gate.js'
 * @import { Parts } from '../parts.js'
 * @import { Probes } from './reach-probes.js'
 *
 * @typedef {Pick<Parts, 'config' | 'gate' | 'limits' | 'log' | 'metrics' | 'traffic' | 'workers'>} ReachParts
 * @typedef {{ contentType: string, prelude: string, format: (json: string) => string }} StreamForm
 * @typedef {(req: IncomingMessage, res: ServerResponse, transport: string, end: () => void) => void} Hold counts an answer until it
 *   is over; `end` ends it before its time
 */

const PROBE = /^[\w-]{8,32}$/;
/** From least to most: a stream's events, the time between two, and that of a long poll. */
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
  const { limits } = parts;
  const probes = createProbes(parts);
  const sockets = createWebSockets(limits.messageBytes);
  const openSession = createSessions(parts);
  /** @type {Set<() => void>} what ends each answer that is under way */
  const ends = new Set();
  /** @type {Hold} */
  const hold = (req, res, transport, end) => {
    const close = openSession(req, transport);
    ends.add(end);
    whenOver(req, res, () => {
      ends.delete(end);
      close();
    });
  };

  return {
    /** @type {[path: string, endpoint: Endpoint][]} */
    endpoints: [
      ['/reach/ws', createProbeSocket(parts, { probes, sockets, openSession })],
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

/** @param {ReachParts} parts @returns {(req: IncomingMessage, transport: string) => () => void} to be called when it is over */
function createSessions({ config, gate, limits }) {
  const shares = createShares(
    limits.reachPerAddress,
    (count) => `Your address has ${count} connections of this test open. Try again later`,
  );
  return (req, transport) => {
    gate.requireRoom('reach');
    const leave = shares.take(visitorOf(req, config.trustProxy));
    const close = gate.openSession(transport, 'reach');
    return () => {
      leave();
      close();
    };
  };
}

/**
 * @param {ReachParts} parts
 * @param {{ probes: Probes, sockets: ReturnType<typeof createWebSockets>, openSession: ReturnType<typeof createSessions> }} own
 * @returns {Endpoint}
 */
function createProbeSocket(parts, { probes, sockets, openSession }) {
  return {
    methods: ['GET'],
    query: 'probe=example-1',
    sessions: 'reach',
    answer(req, res, ...rest) {
      record(probes, req, nameOf(req)).plainCount++;
      answerUpgradeRequired(req, res, ...rest);
    },
    upgrade(req, socket) {
      const seen = record(probes, req, nameOf(req));
      socket.once('close', openSession(req, 'reach ws'));
      seen.upgradeCount++;
      sockets.open(req, socket, (client) => converse(client, seen, parts));
    },
    refused(req, code) {
      const name = findName(req);
      if (name === undefined) return;
      const seen = record(probes, req, name);
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
      const send = () => {
        if (res.writableEnded) return;
        res.write(format(`{"event":${event++},"sentMs":${(performance.now() - startedAtMs).toFixed(3)}}`));
        if (event === eventCount) res.end();
      };
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
      const end = () => {
        clearTimeout(timer);
        if (!res.writableEnded) answer(res, 200, `{"waitedMs":${Math.round(performance.now() - startedAtMs)}}`);
      };
      hold(req, res, 'reach poll', end);
      const timer = setTimeout(end, waitMs);
      whenOver(req, res, () => clearTimeout(timer));
    },
  };
}

/** Whichever worker is asked answers for all. @param {ReachParts} parts @param {Probes} probes @returns {Endpoint} */
function createSeenEndpoint(parts, probes) {
  const { limits, workers } = parts;
  const gather = createGather(parts);
  let readCount = 0;
  return {
    methods: ['GET'],
    query: 'probe=example-1',
    answer(req, res) {
      const name = nameOf(req);
      const own = probes.read(name);
      if (!workers || isFromWorker(req, workers)) return answer(res, 200, JSON.stringify(own));
      if (readCount >= limits.trafficReadCount) {
        throw new RefusalError('busy', 'The server is busy. Try again in a moment', 503);
      }
      readCount++;
      gather(`/reach/seen?probe=${name}`).then((others) => {
        readCount--;
        answer(res, 200, JSON.stringify(joinSeen([own, ...others.filter((one) => one !== undefined)])));
      });
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

/** @param {Probes} probes @param {IncomingMessage} req @param {string} name of the probe */
function record(probes, req, name) {
  return Object.assign(probes.open(name), { httpVersion: req.httpVersion });
}

/**
 * Sends each message back as it came.
 *
 * @param {WebSocket} client @param {ReturnType<Probes['open']>} seen @param {Pick<Parts, 'limits' | 'traffic'>} parts
 */
function converse(client, seen, { limits, traffic }) {
  const openedAtMs = performance.now();
  seen.openCount++;
  // The connection of a peer that vanished without a close must not stay for ever.
  const lifetime = setTimeout(() => client.terminate(), limits.reachMs).unref();
  client.on('message', (message, isBinary) => {
    traffic.messageReceived(undefined);
    seen[isBinary ? 'binaryCount' : 'textCount']++;
    client.send(message, { binary: isBinary });
  });
  client.on('close', (code) => {
    clearTimeout(lifetime);
    seen.closeCode = code;
    seen.openMs = Math.round(performance.now() - openedAtMs);
  });
  // The library closes the socket itself, with the code that fits.
  client.on('error', () => {});
}
