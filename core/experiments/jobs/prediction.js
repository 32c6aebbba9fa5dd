/**
 * How late users see news, whose page polls at an interval, or gets it by push. News comes at any instant of a polling period, so
 * polling is late by half a period on average. A period is the interval, and a round trip where the page waits for each answer
 * before it lets the interval pass; a timer does not wait. No news is sooner than its way takes: what chance adds to that is left out.
 */
import { hasTimer } from '../../experiment/plan/situation.js';

/**
 * @typedef {{ intervalMs: number, rttMs: number, polls?: string }} Page how a page asks, over a round trip; `polls`: as in a
 *   situation
 */

/** Names a method that push is compared with. @param {{ delivery: string, intervalMs?: number }} row */
export const nameBaseline = ({ delivery, intervalMs }) => [delivery, intervalMs].filter(Boolean).join(' ');

export const HOUR_MS = 3_600_000;

/** The time from one request to the next. @param {Page} page @returns {number} ms */
export const periodMsOf = ({ intervalMs, rttMs, polls }) => intervalMs + (hasTimer({ polls }) ? 0 : rttMs);

/**
 * The mean delay of news by polling: half a period until the next request, and its answer's way.
 * @param {Page} page @returns {number} ms
 */
export const pollDelayMsOf = (page) => periodMsOf(page) / 2 + pushDelayMsOf(page);

/** The longest delay of news by polling: it came just after a request. @param {Page} page @returns {number} ms */
export const maxPollDelayMsOf = (page) => periodMsOf(page) + pushDelayMsOf(page);

/** The mean delay of news by push: one way. @param {{ rttMs: number }} page @returns {number} ms */
export const pushDelayMsOf = ({ rttMs }) => rttMs / 2;

/** The mean delay of news that is sooner than by polling. @param {number} gainMs @param {Page} page @returns {number} ms */
export const delayMsAfter = (gainMs, page) => pollDelayMsOf(page) - gainMs;

/**
 * What push takes besides its way, which hardly depends on distance or interval.
 * @param {number} gainMs of an answer @param {Page} page for which that is @returns {number} ms
 */
export const beyondWayMsOf = (gainMs, page) => delayMsAfter(gainMs, page) - pushDelayMsOf(page);
