/**
 * Jobs over sockets: a WebSocket for each job at `/ws/job`, as in 2018; one for all at `/ws/jobs`, or over SockJS at `/jobs`, or
 * over Socket.IO at `/socket.io/jobs`.
 */
import { guard } from '../http/boundary.js';
import { formatError, RefusalError, queryOf } from '../http/exchange.js';
import { FAULT, TOO_LARGE } from '../sockets/frames.js';
import { jobLimits } from '../sockets/limits.js';
import { parseJobMessage, parseJobQuery, parseTrialId } from './job-options.js';
import { formatJob } from './jobs.js';
import { createSocketio } from './socketio.js';
import { createSockjs } from './sockjs.js';
import { createSocketEndpoint, holdOpen } from './web-sockets.js';

/**
 * @import { Duplex } from 'node:stream'
 * @import { WebSocket } from 'ws'
 * @import { EndpointParts } from '../parts.js'
 * @import { IncomingMessage as Request, ServerResponse as Response } from 'node:http'
 * @import { Session } from '../sockets/sockjs-sessions.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 * @import { Alarms } from './alarms.js'
 * @import { Jobs } from './jobs.js'
 */

const EXPECTED_TEXT = 'message: expected text with a JSON object, got binary data or a value that is not a string';

/**
 * Handles the messages of one connection: each makes a job, and is answered at once; another message says when it is
 * complete.
 * @param {object} parts
 * @param {Alarms} parts.alarms
 * @param {Jobs} parts.jobs
 * @param {{ jobMessageBytes: number, connectionJobCount: number }} parts.limits
 * @param {{ jobMade(transport: string): void, refused(code: string): void }} parts.metrics
 * @param {{ messageReceived: Traffic['messageReceived'], notified: Traffic['notified'] }} parts.traffic
 * @param {string} parts.transport as it is counted
 * @param {string} parts.visitor the address of the other side
 * @param {string} [parts.trialId]
 * @param {{ say(text: string): void, close(code: number, reason: string): void }} speaker
 */
export function createConversation(
  { jobs, alarms, limits, metrics, traffic, transport, visitor, trialId },
  { say, close },
) {
  /** @type {Set<() => void>} cancels the wait for each job */
  const waits = new Set();
  let hasEnded = false;
  const waiter = { visitor, owned: { destroy: () => close(FAULT.code, FAULT.reason) } };

  /** @param {string} message */
  const makeJob = (message) => {
    const options = parseJobMessage(message);
    const maxCount = limits.connectionJobCount;
    if (waits.size >= maxCount) {
      throw new RefusalError('busy', `waiting jobs: expected at most ${maxCount} on this connection. Try again later`);
    }
    const job = jobs.make({ ...options, trialId });
    const giveUp = alarms.at(waiter, job.dueMs, () => {
      waits.delete(giveUp);
      traffic.notified(trialId, visitor);
      say(formatJob(job, true));
    });
    waits.add(giveUp);
    metrics.jobMade(transport);
    // If nobody fetches the messages, this one may be the last, and ends all waits.
    say(formatJob(job, false));
  };

  return {
    /** @param {unknown} message anything but text is an error */
    onMessage(message) {
      if (hasEnded) return;
      traffic.messageReceived(trialId, visitor);
      try {
        if (typeof message !== 'string') throw new RefusalError('bad-message', EXPECTED_TEXT);
        if (Buffer.byteLength(message) > limits.jobMessageBytes) close(TOO_LARGE.code, TOO_LARGE.reason);
        else makeJob(message);
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error;
        metrics.refused(error.code);
        say(formatError(error.code, error.message));
      }
    },

    onEnd() {
      hasEnded = true;
      for (const giveUp of waits) giveUp();
      waits.clear();
    },
  };
}

/**
 * Creates an endpoint where opening a WebSocket makes a job; a message says when it is complete, and the socket closes.
 * @param {EndpointParts} parts
 */
export function createWsJob(parts) {
  const { jobs, alarms, metrics, traffic } = parts;
  const transport = 'ws/job';
  return createJobSocket(parts, {
    transport,
    // A job that outlives a look at its socket.
    query: 'min=10000&max=10000',
    parseQuery: parseJobQuery,
    begin({ asked, socket, visitor }) {
      const job = jobs.make(asked);
      /** @type {WebSocket | undefined} absent only until the handshake is answered, before anything is due */
      let client;
      const giveUp = alarms.at({ visitor, owned: socket }, job.dueMs, () => {
        traffic.notified(job.trialId, visitor);
        client?.send(formatJob(job, true));
        client?.close(1000);
      });
      socket.once('close', guard(socket, giveUp));
      return (opened) => {
        client = opened;
        metrics.jobMade(transport);
        client.on('message', () => traffic.messageReceived(job.trialId, visitor));
      };
    },
  });
}

/** Creates an endpoint where one WebSocket makes many jobs. @param {EndpointParts} parts */
export function createWsJobs(parts) {
  const transport = 'ws/jobs';
  return createJobSocket(parts, {
    transport,
    parseQuery: (query) => ({ trialId: parseTrialId(query) }),
    begin:
      ({ asked: { trialId }, visitor }) =>
      (client) => {
        const { onMessage, onEnd } = createConversation(
          { ...parts, transport, visitor, trialId },
          { say: (text) => client.send(text), close: (code, reason) => client.close(code, reason) },
        );
        client.on('message', (message, isBinary) => onMessage(isBinary ? message : message.toString()));
        client.on('close', onEnd);
      },
  });
}

/**
 * @template {{ trialId?: string }} Asked @param {EndpointParts} parts
 * @param {{ transport: string, query?: string, parseQuery(query: string): Asked, begin(one: { asked: Asked, socket: Duplex,
 *   visitor: string }): (client: WebSocket) => void }} options `query`: of a valid request; `begin` takes what is held for it,
 *   and gives what uses it when it is open; it and `parseQuery` throw a RefusalError
 */
function createJobSocket(parts, { transport, query, parseQuery, begin }) {
  return createSocketEndpoint({
    limits: jobLimits(parts.limits),
    query,
    sessions: 'jobs',
    accept(req, socket, requestBytes) {
      const meter = parts.traffic.meter(req, requestBytes);
      const asked = parseQuery(queryOf(req));
      meter.recordAtClose(asked.trialId);
      const use = begin({ asked, socket, visitor: parts.visitorOf(req) });
      return (client) => {
        holdOpen(client, parts, transport);
        use(client);
      };
    },
  });
}

/** @param {EndpointParts} parts */
export function createSockjsJobs(parts) {
  return createSockjs({
    ...parts,
    ...createSessionParts(parts),
    // SockJS's frames may be larger, as one may hold several messages about jobs.
    rawLimits: jobLimits(parts.limits),
    prefix: '/jobs',
    sessions: 'jobs',
    nameOf: (protocol) => `jobs sockjs ${protocol}`,
  });
}

/** @param {EndpointParts} parts */
export function createSocketioJobs(parts) {
  return createSocketio({
    ...parts,
    ...createSessionParts(parts),
    path: '/socket.io/jobs',
    name: 'jobs socketio',
    sessions: 'jobs',
  });
}

/**
 * Creates the parts of sessions that may take several requests. The trial’s ID is in the query of their URLs, which the
 * client always repeats.
 * @param {EndpointParts} parts
 */
function createSessionParts(parts) {
  const { relayMark, traffic } = parts;
  /** @param {{ url?: string }} req @throws {RefusalError} when it comes first */
  const trialIdOf = (req) => parseTrialId(queryOf(req), { mayHaveOthers: true });
  // The worker that relays a request records it, as it has the connection.
  const recordedTrialId = (/** @type {Request} */ req) => {
    const trialId = trialIdOf(req);
    return relayMark.isOn(req) ? undefined : trialId;
  };

  return {
    /** @param {Request} req @param {number} requestBytes @param {Response} [res] absent for an upgrade */
    look(req, requestBytes, res) {
      const meter = traffic.meter(req, requestBytes);
      if (res) meter.recordWhenOver(recordedTrialId(req), res);
      else meter.recordAtClose(recordedTrialId(req));
    },
    /** @param {Session} session */
    converse: ({ transport, url, visitor, say, close }) =>
      createConversation({ ...parts, transport, visitor, trialId: trialIdOf({ url }) }, { say, close }),
  };
}
