/**
 * A job: its request, its duration, and the server's answers about it, which are the same for every delivery method.
 */
import { createRandom } from '../../base/random.js';
import { ExchangeError } from '../exchange-error.js';
import { contentOf } from './news.js';

/** @import { Job } from './index.js' */

/** The limits of a range of durations, and its default, that of 2018. */
export const DURATION_MS = Object.freeze({ min: 0, max: 600_000, defaultMin: 0, defaultMax: 10_000 });

/**
 * Draws a duration by the seed, the same on server and client: whole ms, each about equally likely.
 * @param {Job} job
 */
export function drawDurationMs({ seed, minMs, maxMs }) {
  return Math.round(minMs + (maxMs - minMs) * createRandom(seed)());
}

/**
 * Formats the query by which the server creates a job, and records its traffic.
 * @param {Job} job @param {string} trialId
 */
export function queryOf({ newsBytes, ...job }, trialId) {
  const query = `trial=${trialId}&seed=${job.seed}&min=${job.minMs}&max=${job.maxMs}`;
  return newsBytes === undefined ? query : `${query}&bytes=${newsBytes}`;
}

/** Formats the message that does the same over an open connection, which has the trial. @param {Job} job */
export const messageOf = ({ seed, minMs, maxMs, newsBytes }) =>
  JSON.stringify({ seed, min: minMs, max: maxMs, bytes: newsBytes });

/** @param {any} answer that says that a job is created @returns {string} its id @throws {ExchangeError} where there is none */
export function parseId(answer) {
  if (typeof answer?.id === 'string') return answer.id;
  throw new ExchangeError('mismatch', 'Expected a job ID, got none.');
}

/**
 * Parses a notification. `createTime`: ms since 1970.
 * @param {any} answer that says it is done @param {Job} job @throws {ExchangeError}
 */
export function parseDone(answer, job) {
  const drawnMs = drawDurationMs(job);
  const { durationMs, createTime } = answer ?? {};
  if (durationMs !== drawnMs) {
    const got = typeof durationMs === 'number' ? `${durationMs} ms` : 'none';
    throw new ExchangeError('mismatch', `Expected a job duration of ${drawnMs} ms, got ${got}.`);
  }
  if (!Number.isSafeInteger(createTime))
    throw new ExchangeError('mismatch', 'Expected the time when the job was created, got none.');
  checkContent(answer, job);
  return { durationMs, createTime };
}

/**
 * @param {{ id: string, createTime: number, durationMs: number, content?: unknown }} answer @param {Job} job
 * @throws {ExchangeError}
 */
function checkContent({ id, createTime, durationMs, content }, { newsBytes }) {
  const expected = contentOf({ id, createMs: createTime, durationMs, newsBytes });
  if (content === expected) return;
  const got = typeof content !== 'string' ? 'none' : content.length === expected?.length ? 'others' : content.length;
  throw new ExchangeError('mismatch', `Expected news with ${expected?.length ?? 'no'} bytes of content, got ${got}.`);
}
