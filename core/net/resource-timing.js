/** Reads Resource Timing for the requests to one endpoint, after the timed part. Browsers keep 250 entries. */

/** @import { Connection, RequestCounts } from './echo/index.js' */

const COLD_TRIES = 8;
const ENTRY_WAIT_MS = 1000;
const ENTRY_LOOK_MS = 10;

/**
 * Watches the connection to `url` from now on, which the browser's pool keeps.
 * @param {Performance} performance @param {string} url @returns {Omit<Connection, 'exchange'>}
 */
export function watchConnection(performance, url) {
  performance.clearResourceTimings();
  const first = () => entriesOf(performance, url)[0];
  /** @type {string | undefined} */
  let protocol;
  return {
    get protocol() {
      // The protocol is kept, as the next watch clears these entries.
      return (protocol ??= first()?.nextHopProtocol || undefined);
    },
    get setUpMs() {
      return setUpOf(first());
    },
    get requests() {
      return countRequests(entriesOf(performance, url));
    },
    close() {},
  };
}

/**
 * Makes the server close pooled connections by `?close=1`, as a page cannot, until a request has to open another, which
 * ends, too. Returns its setup time with TLS, in ms; absent if none was opened within 8 tries.
 * @param {Performance} performance @param {string} url of the endpoint
 * @param {(count: number) => Promise<unknown>} request asks with `?close=1`; `count`: of the tries before
 */
export async function closeConnections(performance, url, request) {
  for (let count = 0; count < COLD_TRIES; count++) {
    performance.clearResourceTimings();
    await request(count);
    const setUpMs = setUpOf(await nextEntry(performance, url));
    if (setUpMs !== undefined) return setUpMs;
  }
  return undefined;
}

/**
 * Waits for the entry, which is queued at about the time of the answer.
 * @param {Performance} performance @param {string} url
 */
async function nextEntry(performance, url) {
  for (let waitedMs = 0; waitedMs < ENTRY_WAIT_MS; waitedMs += ENTRY_LOOK_MS) {
    const [entry] = entriesOf(performance, url);
    if (entry) return entry;
    await new Promise((resolve) => setTimeout(resolve, ENTRY_LOOK_MS));
  }
  return undefined;
}

/** @param {Performance} performance @param {string} url */
function entriesOf(performance, url) {
  const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
  return entries.filter(({ name }) => name === url || name.startsWith(`${url}?`));
}

/** @param {PerformanceResourceTiming | undefined} entry */
function setUpOf(entry) {
  // A reused connection has connectStart = connectEnd; one that is hidden from another origin has 0 for both.
  return entry && entry.connectStart < entry.connectEnd ? entry.connectEnd - entry.connectStart : undefined;
}

/** @param {readonly PerformanceResourceTiming[]} entries @returns {RequestCounts} */
function countRequests(entries) {
  const seen = entries.filter(isSeen);
  const compressedCount = seen.filter(isCompressed).length;
  return {
    seenCount: seen.length,
    openedCount: seen.filter((entry) => setUpOf(entry) !== undefined).length,
    cacheHitCount: seen.filter(isCacheHit).length,
    ...(compressedCount > 0 && { compressedCount }),
  };
}

/**
 * Checks whether an entry is complete. Connection and sizes are 0 for failed requests, and for those to another origin
 * without Timing-Allow-Origin. Node's entries have no protocol.
 * @see https://www.w3.org/TR/resource-timing/#sec-cross-origin-resources
 * @see https://github.com/nodejs/undici/blob/main/lib/web/fetch/util.js
 * @param {PerformanceResourceTiming} entry
 */
const isSeen = ({ connectStart, nextHopProtocol }) => connectStart > 0 && typeof nextHopProtocol === 'string';

/**
 * Checks for a body without a byte transferred:
 * https://developer.mozilla.org/docs/Web/API/PerformanceResourceTiming/transferSize#checking_if_a_cache_was_hit or for
 * the delivery type: https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-deliverytype
 * @param {PerformanceResourceTiming & { deliveryType?: string }} entry
 */
function isCacheHit({ transferSize, decodedBodySize, deliveryType }) {
  return deliveryType === 'cache' || (transferSize === 0 && decodedBodySize > 0);
}

/**
 * Checks whether an answer has a `Content-Encoding`, which the server never gives: some browsers name it, and all tell sizes.
 * @param {PerformanceResourceTiming & { contentEncoding?: string }} entry
 */
const isCompressed = ({ contentEncoding = '', encodedBodySize, decodedBodySize }) =>
  contentEncoding !== '' || encodedBodySize !== decodedBodySize;
