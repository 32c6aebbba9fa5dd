/**
 * The model of news: predicts of one visible page, by each way to get news, how late its users see it, and what that needs per hour:
 * requests and messages, and their bytes, where those of a request were measured.
 *
 * News comes at any instant of a polling period, so polling is late by half a period on average. A period is the interval, and a round
 * trip where the page waits for each answer before it lets the interval pass; a timer does not wait. No news is sooner than its way
 * takes: what chance adds to that is left out. A page keeps its connection for as long as it is visited.
 */
import { formatCount, formatSpan } from '../../base/format.js';
import { deliveries, HEARTBEAT_MS } from './index.js';
import { SMALLEST_NEWS_BYTES } from './news.js';
import { WAIT_MS } from './requests.js';

/**
 * @typedef {{ intervalMs: number, rttMs: number, polls?: string }} Page how a page asks, over a round trip; `polls`: as in a
 *   situation
 * @typedef {Page & { newsMs: number, newsBytes?: number }} Visited `newsMs`: mean time between two pieces of news; `newsBytes`: the
 *   size of each; absent: as small as can be
 * @typedef {{ count: number, bytes?: number }} Costs per hour; `count`: of requests and messages
 */

export const HOUR_MS = 3_600_000;

/** Does a page ask at fixed times, however long an answer takes? @param {{ polls?: string }} page */
export const hasTimer = ({ polls }) => polls === 'timer';

/** The time from one request to the next. @param {Page} page @returns {number} ms */
export const periodMsOf = (page) => page.intervalMs + (hasTimer(page) ? 0 : page.rttMs);

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

const VISIT_COUNT = 6;
/** The body of an answer without news: a 304 has none. */
export const EMPTY_BYTES = 101;
/** A piece of news, as small as can be, with its frame. */
const MESSAGE_BYTES = 130;
/** A heartbeat, with its answer. */
const HEARTBEAT_BYTES = 8;

/** What the costs of one visible page rest on, in sentences. */
export const ASSUMED = `Bytes use the size of a request here. Push needs ${VISIT_COUNT} openings of its connection an hour, a message per piece of news, and a heartbeat every ${formatSpan(HEARTBEAT_MS)}.`;

/** @param {{ newsBytes?: number }} situation @returns {string} the same of a situation */
export const describeAssumed = ({ newsBytes }) =>
  newsBytes === undefined ? ASSUMED : `${ASSUMED} A piece of news has ${formatCount(newsBytes, 'byte')}.`;

/** @param {{ newsBytes?: number }} sized @returns {number} what a piece of news has beyond the smallest */
export const moreBytesOf = ({ newsBytes = 0 }) => Math.max(0, newsBytes - SMALLEST_NEWS_BYTES);

/** @param {number} count @param {number} moreBytes what news has beyond the smallest @param {number} [eachBytes] @returns {Costs} */
const requests = (count, moreBytes, eachBytes) => ({ count, bytes: eachBytes && count * eachBytes + moreBytes });

/**
 * Calculates the costs of polling, per hour: news of one period comes as one.
 * @param {Visited} page @param {number} [requestBytes] @returns {Costs}
 */
export function pollCosts(page, requestBytes) {
  const periodMs = periodMsOf(page);
  const count = HOUR_MS / periodMs;
  return requests(count, count * (1 - Math.exp(-periodMs / page.newsMs)) * moreBytesOf(page), requestBytes);
}

/** Polls whose answers without news are 304. @param {Visited} page @param {number} [requestBytes] @returns {Costs} */
export const conditionalCosts = (page, requestBytes) => pollCosts(page, requestBytes && requestBytes - EMPTY_BYTES);

/**
 * Each request waits for news, which comes at random, at most so long; the next one follows its answer.
 * @param {Visited} page @param {number} [requestBytes] @returns {Costs}
 */
export function longPollCosts(page, requestBytes) {
  const { rttMs, newsMs } = page;
  const waitMs = newsMs * (1 - Math.exp(-WAIT_MS / newsMs));
  return requests(HOUR_MS / (waitMs + rttMs), (HOUR_MS / newsMs) * moreBytesOf(page), requestBytes);
}

/**
 * Calculates the costs of a lasting connection, its heartbeats included. Of its opening, only requests and upgrades are as large as a
 * request; a frame is a few bytes.
 * @param {string} delivery @param {Required<Costs>} news its messages @param {number} [requestBytes] @returns {Costs}
 */
export function connectionCosts(delivery, news, requestBytes) {
  const { openingCount = 0, openingRequestCount = 0, heartbeatCount = 0 } = deliveries[delivery];
  const heartbeats = HOUR_MS / HEARTBEAT_MS;
  return {
    count: VISIT_COUNT * openingCount + news.count + heartbeats * heartbeatCount,
    bytes:
      requestBytes === undefined
        ? undefined
        : VISIT_COUNT * openingRequestCount * requestBytes + news.bytes + heartbeats * HEARTBEAT_BYTES,
  };
}

/** @param {string} delivery @param {Visited} page @param {number} [requestBytes] @returns {Costs} */
export function pushCosts(delivery, page, requestBytes) {
  const count = HOUR_MS / page.newsMs;
  return connectionCosts(delivery, { count, bytes: count * (MESSAGE_BYTES + moreBytesOf(page)) }, requestBytes);
}

/**
 * Calculates the costs of a delivery method other than polling, per hour.
 * @param {string} delivery @param {Visited} page @param {number} [requestBytes] @returns {Costs}
 */
export const costsOf = (delivery, page, requestBytes) =>
  delivery === 'long-poll' ? longPollCosts(page, requestBytes) : pushCosts(delivery, page, requestBytes);
