/** Jobs over any connection that lasts: one for each job, as in 2018, or one for all of a client's. */
import { guard } from '../http/boundary.js';
import { formatError, RefusalError, queryOf } from '../http/exchange.js';
import { FAULT, TOO_LARGE } from '../sockets/frames.js';
import { jobLimits } from '../sockets/limits.js';
import { formatJob, parseJobMessage, parseJobQuery, parseTrialId } from './jobs.js';
import { createUnsentNews } from './unsent-news.js';

/**
 * @import { Protocol, ProtocolOverOne, Speaker } from '../channel/index.js'
 * @import { BytesInFlight } from '../http/body.js'
 * @import { EndpointParts } from '../parts.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 * @import { Alarms } from './alarms.js'
 * @import { Job, Jobs } from './jobs.js'
 * @typedef {{ job: Job, tell?: () => void }} Opened `tell`: that the job is done; absent only until the handshake is answered, before
 *   anything is due
 */

const EXPECTED_TEXT = 'message: expected text with a JSON object, got binary data or a value that is not a string';

/**
 * Handles the messages of one connection: each makes a job, and is answered at once; another message says when it is
 * complete.
 * @param {object} parts
 * @param {Alarms} parts.alarms
 * @param {BytesInFlight} parts.inFlight
 * @param {Jobs} parts.jobs
 * @param {{ jobMessageBytes: number, connectionJobCount: number, payloadBytes: number, heartbeatMs: number }} parts.limits
 * @param {{ jobMade(transport: string): void, refused(code: string): void }} parts.metrics
 * @param {{ messageReceived: Traffic['messageReceived'], notified: Traffic['notified'] }} parts.traffic
 * @param {string} parts.transport as it is counted
 * @param {string} parts.visitor the address of the other side
 * @param {string} [parts.trialId]
 * @param {{ say: Speaker['say'], close: Speaker['close'], socket?: Speaker['socket'] }} speaker
 */
export function createConversation(parts, speaker) {
  const { jobs, alarms, limits, metrics, traffic, transport, visitor, trialId } = parts;
  const { say, close } = speaker;
  const unsent = createUnsentNews(parts, speaker);
  /** @type {Set<() => void>} cancels the wait for each job */
  const waits = new Set();
  let waitingBytes = 0;
  let hasEnded = false;
  const waiter = { visitor, owned: { destroy: () => close(FAULT.code, FAULT.reason) } };

  /** @param {string} message */
  const makeJob = (message) => {
    const options = parseJobMessage(message);
    const maxCount = limits.connectionJobCount;
    if (waits.size >= maxCount) {
      throw new RefusalError('busy', `waiting jobs: expected at most ${maxCount} on this connection. Try again later`);
    }
    const { newsBytes = 0 } = options;
    if (waitingBytes + newsBytes > limits.payloadBytes) {
      const expected = `expected news of at most ${limits.payloadBytes} bytes on this connection`;
      throw new RefusalError('busy', `waiting jobs: ${expected}. Try again later`);
    }
    const job = jobs.make({ ...options, trialId });
    const giveUp = alarms.at(waiter, job.dueMs, () => {
      waits.delete(giveUp);
      waitingBytes -= newsBytes;
      traffic.notified(trialId, visitor);
      unsent.tell(newsBytes, () => say(formatJob(job, true)));
    });
    waits.add(giveUp);
    waitingBytes += newsBytes;
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
      unsent.end();
    },
  };
}

/**
 * The protocol where a connection makes one job; its only message says when that is complete, and the connection closes.
 * @param {EndpointParts} parts @returns {ProtocolOverOne}
 */
export function createJobProtocol(parts) {
  const { alarms, jobs, limits, metrics, traffic, visitorOf } = parts;
  return {
    only: { kind: 'websocket', path: '/ws/job', name: 'ws/job' },
    limits: jobLimits(limits),
    sessions: 'jobs',
    // A job that outlives a look at its socket.
    query: 'min=10000&max=10000',
    look(req, { requestBytes }) {
      const meter = traffic.meter(req, requestBytes);
      const asked = parseJobQuery(queryOf(req));
      meter.recordAtClose(asked.trialId);
      /** @type {Opened} */
      const opened = { job: jobs.make(asked) };
      const { job } = opened;
      const { socket } = req;
      const visitor = visitorOf(req);
      const giveUp = alarms.at({ visitor, owned: socket }, job.dueMs, () => {
        traffic.notified(job.trialId, visitor);
        opened.tell?.();
      });
      socket.once('close', guard(socket, giveUp));
      return opened;
    },
    converse(speaker, /** @type {Opened} */ opened) {
      const { transport, visitor } = speaker;
      const { job } = opened;
      const unsent = createUnsentNews(parts, speaker);
      opened.tell = () => {
        unsent.tell(job.newsBytes ?? 0, () => speaker.say(formatJob(job, true)));
        speaker.close(1000, '');
      };
      metrics.jobMade(transport);
      return { onMessage: () => traffic.messageReceived(job.trialId, visitor), onEnd: unsent.end };
    },
  };
}

/**
 * The protocol where a connection makes many jobs. The trial’s ID is in the query of its URLs, which a client always repeats.
 * @param {EndpointParts} parts @returns {Protocol}
 */
export function createJobsProtocol(parts) {
  const { relayMark, traffic } = parts;
  /** @param {Speaker} speaker */
  const trialIdOf = (speaker) => parseTrialId(queryOf(speaker), { mayHaveOthers: true });

  return {
    limits: jobLimits(parts.limits),
    sessions: 'jobs',
    // A library's frames may be larger, as one may hold several messages about jobs.
    isUnframed: true,
    look(req, { requestBytes, res, mayHaveOthers }) {
      const meter = traffic.meter(req, requestBytes);
      const trialId = parseTrialId(queryOf(req), { mayHaveOthers });
      // The worker that relays a request records it, as it has the connection.
      const recorded = relayMark.isOn(req) ? undefined : trialId;
      if (res) meter.recordWhenOver(recorded, res);
      else meter.recordAtClose(recorded);
    },
    converse: (speaker) => {
      const { transport, visitor } = speaker;
      return createConversation({ ...parts, transport, visitor, trialId: trialIdOf(speaker) }, speaker);
    },
  };
}
