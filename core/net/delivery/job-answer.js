/** What the server says of a job, on every way alike. */
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { drawDurationMs } from './job-duration.js';

/** @import { Job } from './index.js' */

/**
 * A job's path or a socket's, by which the server makes a job and books it.
 *
 * @param {Job} job
 * @param {string} run
 * @returns {string} a query
 */
export function queryOf({ seed, leastMs, mostMs }, run) {
  return `run=${run}&seed=${seed}&least=${leastMs}&most=${mostMs}`;
}

/**
 * @param {string} text of a message
 * @returns {any} the answer
 * @throws {ExchangeError} where it is none, or an error object
 */
export function parseJobAnswer(text) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ExchangeError('mismatch', 'The answer is not JSON.');
  }
  const rejection = parseRejection(answer);
  if (rejection) throw rejection;
  return answer;
}

/**
 * The job that was asked for is the one that was made: who draws as the server does knows how long it takes.
 *
 * @param {any} answer that says that the job is done
 * @param {Job} job
 * @returns {{ durationMs: number, createTime: number }} `createTime` by the server's clock, ms since 1970
 * @throws {ExchangeError} where it took another time, or does not say when it was made
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
