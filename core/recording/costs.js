/**
 * What a poll costs per hour of use, as counted, and what it would cost otherwise, as predicted: by the model of docs/method.md, in
 * which news comes at any moment, and a visit lasts ten minutes.
 */
import { pushOver } from '../net/delivery/index.js';
import { connectionCosts, HOUR_MS, pollDelayMsOf, pushDelayMsOf } from '../net/delivery/model.js';

/**
 * @import { Poll } from './recording.js'
 * @typedef {object} Costs of one user
 * @property {number} requestsPerHour requests, and messages of a connection
 * @property {number} bytesPerHour
 * @property {number} delayMs how late users see news, on average
 * @property {number} [everyMs] the interval, where there is one
 */

/** What carries a piece of news beside its own bytes. */
const FRAME_BYTES = 30;

/** @param {Poll} poll @returns {number} 0 to 1: without an answer, none is known to be new */
export const nothingNewOf = ({ nothingNewShare = 1 }) => nothingNewShare;

/** @param {Poll} poll @returns {number} answers with something new: news that came between two polls counts once */
export const newsPerHourOf = (poll) => poll.perHour * (1 - nothingNewOf(poll));

/** @param {Poll} poll @returns {Costs} */
export const costsNow = ({ perHour, headBytes, bodyBytes, periodMs, everyMs, roundTripMs }) => ({
  requestsPerHour: perHour,
  bytesPerHour: perHour * (headBytes + bodyBytes),
  // The recorded period has all that a page waits for.
  delayMs: pollDelayMsOf({ intervalMs: periodMs, rttMs: roundTripMs, polls: 'timer' }),
  everyMs,
});

/** @param {Poll} poll @param {number} everyMs @returns {Costs} */
export function costsAt(poll, everyMs) {
  const periodMs = poll.periodMs - poll.everyMs + everyMs;
  return costsNow({ ...poll, everyMs, periodMs, perHour: HOUR_MS / periodMs });
}

/** Answers without news are 304, which has no body. @param {Poll} poll @returns {Costs} */
export function costsConditional(poll) {
  const now = costsNow(poll);
  return { ...now, bytesPerHour: now.bytesPerHour - poll.perHour * nothingNewOf(poll) * poll.sameBodyBytes };
}

/**
 * @param {Poll} poll @param {{ isSocket: boolean, isOpen: boolean }} connection `isOpen`: is it there already, for other news?
 * @returns {Costs}
 */
export function costsOfPush(poll, { isSocket, isOpen }) {
  const newsCount = newsPerHourOf(poll);
  const news = { count: newsCount, bytes: newsCount * (poll.newBodyBytes + FRAME_BYTES) };
  const { count, bytes } = isOpen
    ? news
    : connectionCosts(isSocket ? pushOver('ws').name : 'sse', news, poll.headBytes);
  return { requestsPerHour: count, bytesPerHour: Number(bytes), delayMs: pushDelayMsOf({ rttMs: poll.roundTripMs }) };
}
