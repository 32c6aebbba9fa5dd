/**
 * What one connection that is shared by many jobs says and is told, over a WebSocket and over SockJS alike.
 */
import { formatError } from '../http/answer.js';
import { formatJob } from './jobs.js';
import { JobOptionError, parseJobMessage } from './options.js';

/**
 * @import { Limits } from '../http/limits.js'
 * @import { Alarms } from './alarms.js'
 * @import { Job, Jobs } from './jobs.js'
 */

/** RFC 6455, section 7.4.1. */
const TOO_LARGE = { code: 1009, reason: 'Message is too large' };

/**
 * @typedef {object} Conversation
 * @property {(message: unknown) => void} onMessage anything but text is an error
 * @property {() => void} [onEnd] nothing can be said any more
 *
 * @typedef {object} Speaker
 * @property {(text: string) => void} say
 * @property {(code: number, reason: string) => void} close
 *
 * @typedef {object} Counter
 * @property {(run: string | undefined) => void} messageReceived
 * @property {(run: string | undefined) => void} told
 * @property {() => void} jobMade
 * @property {(code: string) => void} refused
 */

/**
 * @param {object} options
 * @param {Jobs} options.jobs
 * @param {Alarms} options.alarms
 * @param {Pick<Limits, 'jobMessageBytes' | 'connectionJobCount'>} options.limits
 * @param {Counter} options.counter
 * @param {string | undefined} options.run
 * @param {Speaker} speaker
 * @returns {Required<Conversation>}
 */
export function createConversation({ jobs, alarms, limits, counter, run }, { say, close }) {
  /** @type {Set<() => void>} what gives up the wait for each job */
  const waits = new Set();
  let hasEnded = false;

  /** @param {string} code @param {string} message */
  const refuse = (code, message) => {
    counter.refused(code);
    say(formatError(code, message));
  };

  /** @param {string} message */
  const parse = (message) => {
    try {
      return parseJobMessage(message);
    } catch (error) {
      if (!(error instanceof JobOptionError)) throw error;
      refuse(error.code, error.message);
      return undefined;
    }
  };

  /** @param {Job} job */
  const tellWhenDue = (job) => {
    const giveUp = alarms.at(job.dueMs, () => {
      waits.delete(giveUp);
      counter.told(run);
      say(formatJob(job, true));
    });
    waits.add(giveUp);
  };

  return {
    onMessage(message) {
      if (hasEnded) return;
      counter.messageReceived(run);
      if (typeof message !== 'string') {
        refuse('bad-message', 'message: expected text holding a JSON object, got bytes or another type');
        return;
      }
      if (Buffer.byteLength(message) > limits.jobMessageBytes) {
        close(TOO_LARGE.code, TOO_LARGE.reason);
        return;
      }
      const options = parse(message);
      if (!options) return;
      if (waits.size >= limits.connectionJobCount || !alarms.hasRoom()) {
        refuse('busy', `${waits.size} jobs wait on this connection, and it takes no more just now`);
        return;
      }
      const job = jobs.make({ ...options, run });
      counter.jobMade();
      say(formatJob(job, false));
      // Where nobody fetches what is said, that may have been the last.
      if (!hasEnded) tellWhenDue(job);
    },

    onEnd() {
      hasEnded = true;
      for (const giveUp of waits) giveUp();
      waits.clear();
    },
  };
}
