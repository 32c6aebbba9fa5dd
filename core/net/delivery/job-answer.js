/** What the server says about a job, the same by every delivery method. */
import { ExchangeError } from '../exchange-error.js';
import { drawDurationMs } from './job-duration.js';

/** @import { Job } from './index.js' */

/**
 * @param {any} answer that says that a job is created
 * @returns {string} its id
 * @throws {ExchangeError} where there is none
 */
export function parseId(answer) {
  if (typeof answer?.id === 'string') return answer.id;
  throw new ExchangeError('mismatch', 'Expected the id of a job, got none.');
}

/**
 * The job that was requested is the one that was created: its duration is the one that the client drew, too.
 *
 * @param {any} answer that says that the job is done
 * @param {Job} job
 * @returns {{ durationMs: number, createTime: number }} `createTime` by the server's clock, ms since 1970
 * @throws {ExchangeError} where it took another time, or does not say when it was created
 */
export function parseDone(answer, job) {
  const drawnMs = drawDurationMs(job);
  const { durationMs, createTime } = answer ?? {};
  if (durationMs !== drawnMs) {
    const got = typeof durationMs === 'number' ? `${durationMs} ms` : 'none';
    throw new ExchangeError('mismatch', `Expected a job of ${drawnMs} ms, got ${got}.`);
  }
  if (Number.isSafeInteger(createTime)) return { durationMs, createTime };
  throw new ExchangeError('mismatch', 'Expected the time when the job was made, got none.');
}
