/** What all ways over HTTP have in common: a job is made by a POST, and an answer that is none is a failure. */
import { ExchangeError } from '../exchange-error.js';
import { failureOf } from '../echo/http-transport.js';
import { queryOf } from './job-answer.js';

/** @import { Job, WayOptions } from './index.js' */

/**
 * @param {Pick<WayOptions, 'client' | 'run'>} options
 * @returns {{ requestCount: number, send: (method: string, path: string, signal?: AbortSignal) => Promise<any>, create:
 *   (job: Job, signal?: AbortSignal) => Promise<string> }} `send` gives the answer; `create` makes a job, and gives its
 *   id; both reject with an ExchangeError
 */
export function createJobRequests({ client, run }) {
  const requests = {
    requestCount: 0,

    /** @param {string} method @param {string} path @param {AbortSignal} [signal] */
    async send(method, path, signal) {
      requests.requestCount++;
      const { status, answer } = await client.request(method, path, { signal });
      if (status >= 400 || answer === undefined) throw failureOf(status, answer);
      return answer;
    },

    /** @param {Job} job @param {AbortSignal} [signal] */
    async create(job, signal) {
      const { id } = await requests.send('POST', `/job?${queryOf(job, run)}`, signal);
      if (typeof id === 'string') return id;
      throw new ExchangeError('mismatch', 'Expected the id of a job, got none.');
    },
  };
  return requests;
}
