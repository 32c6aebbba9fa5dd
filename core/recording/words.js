/** Words that sentences about a recording share. */
import { DASH, formatBytes, formatDelay } from '../base/format.js';

/**
 * @import { Costs } from './costs.js'
 * @import { Poll } from './recording.js'
 * @import { Word } from './rules.js'
 */

/** @param {number} ms @returns {string} like '250 ms', '2.0 s', '30 s' or '5 min' */
export function formatEvery(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** @param {Pick<Poll, 'by' | 'everyMs'>} poll @returns {string} when it polls, like 'every 2.0 s' or '2.0 s after each answer' */
export const formatRhythm = ({ by, everyMs }) =>
  by === 'timer' ? `every ${formatEvery(everyMs)}` : `${formatEvery(everyMs)} after each answer`;

/**
 * A share in percent: all and nothing are said only of all and nothing.
 * @param {number} [share] 0 to 1 @returns {string} like '94%'; a dash without one
 */
export function formatShare(share) {
  if (share === undefined) return DASH;
  const percent = Math.round(100 * share);
  return `${share < 1 ? Math.min(99, share > 0 ? Math.max(1, percent) : 0) : 100}%`;
}

/** @param {Costs} now @param {Costs} then @returns {string} like '87% fewer': a prediction is not exact enough for 100% */
export const fewer = (now, then) =>
  `${formatShare(Math.min(0.99, Math.max(0, 1 - then.requestsPerHour / now.requestsPerHour)))} fewer`;

/** @param {{ now: Costs, then: Costs }} costs @returns {string} a sentence */
export const describeGain = ({ now, then }) =>
  `Users see news ${sooner(now, then)} sooner, with ${fewerAndLess(now, then)}.`;

/** @param {Costs} now @param {Costs} then @returns {string} such as '1.1 s' */
export function sooner(now, then) {
  const gainMs = now.delayMs - then.delayMs;
  return gainMs < 1000 ? formatDelay(gainMs) : formatEvery(gainMs);
}

/** @type {Readonly<Record<Word, string>>} */
const AFTER = Object.freeze({
  leave: 'Polling',
  interval: 'Polling less often',
  conditional: 'Polling with 304',
  'event-stream': 'Push',
  socket: 'Push',
});

/** @param {Word} word @returns {string} what the page does once it has done that */
export const afterOf = (word) => AFTER[word];

/** @param {Word} word @returns {word is "event-stream" | "socket"} */
export const isPush = (word) => word === 'event-stream' || word === 'socket';

/** @param {Word} word @returns {string} what its costs count: push has messages, heartbeats among them */
export const countedBy = (word) => (isPush(word) ? 'requests and messages' : 'requests');

/** @param {Costs} now @param {Costs} then @returns {string} such as '87% fewer requests and messages, and 1.6 MB less per hour' */
export function fewerAndLess(now, then) {
  const saved = now.bytesPerHour - then.bytesPerHour;
  const bytes = saved >= 1000 ? `, and ${formatBytes(saved)} less` : '';
  return `${fewer(now, then)} requests and messages${bytes} per hour`;
}
