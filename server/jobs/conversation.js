/**
 * The messages of one connection that many jobs share, over a WebSocket and over SockJS alike.
 */
import { formatError, RefusalError } from '../http/answer.js';
import { formatJob } from './jobs.js';
import { parseJobMessage } from './options.js';

/**
 * @import { Limits } from '../http/limits.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 * @import { JobParts } from '../parts.js'
 */

/** RFC 6455, section 7.4.1. */
const TOO_LARGE = { code: 1009, reason: 'Message is too large' };
const EXPECTED_TEXT = 'message: expected text holding a JSON object, got bytes or another type';

/**
 * @typedef {object} Conversation
 * @property {(message: unknown) => void} onMessage anything but text is an error
 * @property {() => void} [onEnd] nothing can be said any more
 *
 * @typedef {object} Needed
 * @property {Pick<Limits, 'jobMessageBytes' | 'connectionJobCount'>} limits
 * @property {Pick<Metrics, 'jobMade' | 'refused'>} metrics
 * @property {Pick<Traffic, 'messageReceived' | 'notified'>} traffic
 */

/**
 * @param {Needed & Pick<JobParts, 'alarms' | 'jobs'> & { transport: string, run?: string }} options `transport`: as it is
 *   counted
 * @param {{ say(text: string): void, close(code: number, reason: string): void }} speaker
 * @returns {Required<Conversation>}
 */
export function createConversation({ jobs, alarms, limits, metrics, traffic, transport, run }, { say, close }) {
  /** @type {Set<() => void>} what gives up the wait for each job */
  const waits = new Set();
  let hasEnded = false;

  /** @param {string} message */
  const makeJob = (message) => {
    const options = parseJobMessage(message);
    if (waits.size >= limits.connectionJobCount || !alarms.hasRoom()) {
      throw new RefusalError('busy', `${waits.size} jobs wait on this connection, and it takes no more just now`);
    }
    const job = jobs.make({ ...options, run });
    metrics.jobMade(transport);
    say(formatJob(job, false));
    // Where nobody fetches what is said, that may have been the last.
    if (hasEnded) return;
    const giveUp = alarms.at(job.dueMs, () => {
      waits.delete(giveUp);
      traffic.notified(run);
      say(formatJob(job, true));
    });
    waits.add(giveUp);
  };

  return {
    onMessage(message) {
      if (hasEnded) return;
      traffic.messageReceived(run);
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
