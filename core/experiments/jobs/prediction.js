/**
 * Predicts of one visible page, by each way to get news, how late its users see it, and what that needs per hour: requests and
 * messages, and their bytes, where those of a request were measured.
 *
 * News comes at any instant of a polling period, so polling is late by half a period on average. A period is the interval, and a round
 * trip where the page waits for each answer before it lets the interval pass; a timer does not wait. No news is sooner than its way
 * takes: what chance adds to that is left out. A page keeps its connection for as long as it is visited.
 */
import { formatCount, formatSpan } from '../../base/format.js';
import { hasTimer } from '../../experiment/plan/situation.js';
import { SAME_RATIO } from '../../experiment/answer/verdict.js';
import { WAIT_MS } from '../../net/delivery/requests.js';
import { deliveries, HEARTBEAT_MS } from '../../net/delivery/index.js';
import { SMALLEST_NEWS_BYTES } from '../../net/delivery/news.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { JobsRow } from './summary.js'
 * @typedef {{ intervalMs: number, rttMs: number, polls?: string }} Page how a page asks, over a round trip; `polls`: as in a
 *   situation
 * @typedef {Page & { newsMs: number, newsBytes?: number }} Visited `newsMs`: mean time between two pieces of news; `newsBytes`: the
 *   size of each; absent: as small as can be
 * @typedef {{ count: number, bytes?: number }} Costs `count`: of requests and messages
 */

const HOUR_MS = 3_600_000;

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

/**
 * Predicts how much sooner push is than polling: half a period and the rest of the measured difference, at most half a period, which is
 * all the delay that polling adds. What was measured beyond that is an error: the estimate moves to the limit, and the lower half of
 * its interval with it, which so never shrinks to a point there.
 * @param {{ besidePolling?: JobsRow['besidePolling'] }} push @param {Page} page
 * @returns {Interval | undefined} ms sooner than polling; absent if it was not compared in enough blocks
 */
export function predictGain({ besidePolling }, page) {
  const beyond = besidePolling?.beyondHalfPeriod;
  if (!beyond) return undefined;
  const mostMs = periodMsOf(page) / 2;
  return {
    estimate: mostMs + Math.min(0, beyond.estimate),
    low: mostMs + beyond.low - Math.max(0, beyond.estimate),
    high: mostMs + Math.min(0, beyond.high),
  };
}

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

/** @param {JobsRow} poll @returns {number | undefined} of a request and its answer, without what only news has */
export const requestBytesOf = ({ bytesPerJob, requestsPerJob, newsBytes }) =>
  bytesPerJob && requestsPerJob ? (bytesPerJob.both - moreBytesOf({ newsBytes })) / requestsPerJob : undefined;

/** @param {number} count @param {number} [eachBytes] @returns {Costs} */
const requests = (count, eachBytes) => ({ count, bytes: eachBytes && count * eachBytes });

/**
 * Adds what news has beyond the smallest, which comes once, whatever brings it.
 * @param {Costs} costs @param {{ newsMs: number, newsBytes?: number }} page @param {number} [ratio] of all news, where pieces that come
 *   together count as one @returns {Costs}
 */
function withNews({ count, bytes }, page, ratio = 1) {
  return { count, bytes: bytes && bytes + ratio * (HOUR_MS / page.newsMs) * moreBytesOf(page) };
}

/**
 * Calculates the costs of polling, per hour: news of one period comes as one.
 * @param {Visited} page @param {number} [requestBytes] @returns {Costs}
 */
export function pollCosts(page, requestBytes) {
  const periodMs = periodMsOf(page);
  const ratio = (page.newsMs / periodMs) * (1 - Math.exp(-periodMs / page.newsMs));
  return withNews(requests(HOUR_MS / periodMs, requestBytes), page, ratio);
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
  return withNews(requests(HOUR_MS / (waitMs + rttMs), requestBytes), page);
}

/** @param {string} delivery @param {Visited} page @param {number} [requestBytes] @returns {Costs} its heartbeats included */
export function pushCosts(delivery, page, requestBytes) {
  const { openingCount = 0, openingRequestCount = openingCount, heartbeatCount = 0 } = deliveries[delivery];
  const [openings, news, heartbeats] = [VISIT_COUNT * openingCount, HOUR_MS / page.newsMs, HOUR_MS / HEARTBEAT_MS];
  const bytes =
    requestBytes &&
    VISIT_COUNT * openingRequestCount * requestBytes + news * MESSAGE_BYTES + heartbeats * HEARTBEAT_BYTES;
  return withNews({ count: openings + news + heartbeats * heartbeatCount, bytes }, page);
}

/**
 * Calculates the costs of a delivery method other than polling, per hour.
 * @param {string} delivery @param {Visited} page @param {number} [requestBytes] @returns {Costs}
 */
export const costsOf = (delivery, page, requestBytes) =>
  delivery === 'long-poll' ? longPollCosts(page, requestBytes) : pushCosts(delivery, page, requestBytes);

/**
 * What is saved: of bytes, if they are known, as a message is less than a request.
 * @param {Costs} own @param {Costs} polling @returns {{ share: string, what: string } | undefined} absent if that is not much
 */
export function findSaving(own, polling) {
  const [ratio, what] =
    own.bytes && polling.bytes
      ? [polling.bytes / own.bytes, 'bytes']
      : [polling.count / own.count, 'requests and messages'];
  // A calculation is not exact enough for more.
  return ratio >= SAME_RATIO ? { share: `${Math.min(99, Math.round(100 - 100 / ratio))}%`, what } : undefined;
}
