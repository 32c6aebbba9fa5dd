/**
 * Calculates what one visible page needs per hour, by each way to get news: requests and messages, and their bytes, where those of
 * a request were measured. A page keeps its connection for as long as it is visited.
 */
import { formatSpan } from '../../base/format.js';
import { SAME_RATIO } from '../../experiment/compare.js';
import { WAIT_MS } from '../../net/delivery/requests.js';
import { deliveries, HEARTBEAT_MS } from '../../net/delivery/index.js';
import { HOUR_MS, periodMsOf } from './prediction.js';

/**
 * @import { Page } from './prediction.js'
 * @import { JobsRow } from './summary.js'
 * @typedef {Page & { newsMs: number }} Visited `newsMs`: mean time between two pieces of news
 * @typedef {{ count: number, bytes?: number }} Costs `count`: of requests and messages
 */

const VISIT_COUNT = 6;
/** The body of an answer without news: a 304 has none. */
export const EMPTY_BYTES = 101;
/** A piece of news, as big as here, with its frame; a heartbeat with its answer. */
const MESSAGE_BYTES = 130;
const HEARTBEAT_BYTES = 8;

/** What the costs of one visible page rest on, in sentences. */
export const ASSUMED = `Bytes use the size of a request here. Push needs ${VISIT_COUNT} openings of its connection an hour, a message per piece of news, and a heartbeat every ${formatSpan(HEARTBEAT_MS)}.`;

/** @param {JobsRow} poll @returns {number | undefined} of a request and its answer */
export const requestBytesOf = ({ bytesPerJob, requestsPerJob }) =>
  bytesPerJob && requestsPerJob ? bytesPerJob.both / requestsPerJob : undefined;

/** @param {number} count @param {number} [eachBytes] @returns {Costs} */
const requests = (count, eachBytes) => ({ count, bytes: eachBytes && count * eachBytes });

/** Calculates the costs of polling, per hour. @param {Page} page @param {number} [requestBytes] @returns {Costs} */
export const pollCosts = (page, requestBytes) => requests(HOUR_MS / periodMsOf(page), requestBytes);

/** Polls whose answers without news are 304. @param {Page} page @param {number} [requestBytes] @returns {Costs} */
export const conditionalCosts = (page, requestBytes) => pollCosts(page, requestBytes && requestBytes - EMPTY_BYTES);

/**
 * Each request waits for news, which comes at random, at most so long; the next one follows its answer.
 * @param {Visited} page @param {number} [requestBytes] @returns {Costs}
 */
export function longPollCosts({ rttMs, newsMs }, requestBytes) {
  const waitMs = newsMs * (1 - Math.exp(-WAIT_MS / newsMs));
  return requests(HOUR_MS / (waitMs + rttMs), requestBytes);
}

/** @param {string} delivery @param {Visited} page @param {number} [requestBytes] @returns {Costs} its heartbeats included */
export function pushCosts(delivery, { newsMs }, requestBytes) {
  const { openingCount = 0, openingRequestCount = openingCount, heartbeatCount = 0 } = deliveries[delivery];
  const [openings, news, heartbeats] = [VISIT_COUNT * openingCount, HOUR_MS / newsMs, HOUR_MS / HEARTBEAT_MS];
  return {
    count: openings + news + heartbeats * heartbeatCount,
    bytes:
      requestBytes &&
      VISIT_COUNT * openingRequestCount * requestBytes + news * MESSAGE_BYTES + heartbeats * HEARTBEAT_BYTES,
  };
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
