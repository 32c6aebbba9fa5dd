/**
 * What a poll costs per hour of use, as counted, and what it would cost otherwise, as predicted: by the model of docs/method.md, in
 * which news comes at any moment, and a visit lasts ten minutes.
 */
import { deliveries, HEARTBEAT_MS, pushOver } from '../net/delivery/index.js';
import { HOUR_MS } from './polls.js';

/**
 * @import { Poll } from './recording.js'
 * @typedef {object} Costs of one user
 * @property {number} requestsPerHour requests, and messages of a connection
 * @property {number} bytesPerHour
 * @property {number} delayMs how late users see news, on average
 * @property {number} [everyMs] the interval, where there is one
 */

const VISITS_PER_HOUR = 6;
/** What carries a piece of news beside its own bytes; and a heartbeat. */
const FRAME_BYTES = 30;
const HEARTBEAT_BYTES = 8;

/** @param {Poll} poll @returns {number} 0 to 1: without an answer, none is known to be new */
export const nothingNewOf = ({ nothingNewShare = 1 }) => nothingNewShare;

/** @param {Poll} poll @returns {number} answers with something new: news that came between two polls counts once */
export const newsPerHourOf = (poll) => poll.perHour * (1 - nothingNewOf(poll));

/** @param {Poll} poll @returns {Costs} */
export const costsNow = ({ perHour, headBytes, bodyBytes, periodMs, everyMs, roundTripMs }) => ({
  requestsPerHour: perHour,
  bytesPerHour: perHour * (headBytes + bodyBytes),
  delayMs: periodMs / 2 + roundTripMs / 2,
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
  const { openingCount = 0, heartbeatCount = 0, openingRequestCount = 0 } = isSocket ? pushOver('ws') : deliveries.sse;
  const news = newsPerHourOf(poll);
  const [openings, heartbeats] = isOpen ? [0, 0] : [VISITS_PER_HOUR, HOUR_MS / HEARTBEAT_MS];
  return {
    requestsPerHour: news + openings * openingCount + heartbeats * heartbeatCount,
    bytesPerHour:
      news * (poll.newBodyBytes + FRAME_BYTES) +
      openings * openingRequestCount * poll.headBytes +
      heartbeats * HEARTBEAT_BYTES,
    delayMs: poll.roundTripMs / 2,
  };
}
