/** What Resource Timing knows of the requests to one endpoint, read after the timed part. Browsers keep 250 entries. */

/** @import { Connection, RequestCounts } from './echo/index.js' */

const COLD_TRIES = 8;
const ENTRY_WAIT_MS = 1000;
const ENTRY_LOOK_MS = 10;

/** What is seen from now on of the connection to `url`, which the browser's pool keeps. @param {Performance} performance @param {string} url @returns {Omit<Connection, 'exchange'>} */
export function watchConnection(performance, url) {
  performance.clearResourceTimings();
  const first = () => entriesOf(performance, url)[0];
  /** @type {string | undefined} */
  let protocol;
  return {
    get protocol() {
      // Kept, as whoever looks at requests next takes this one's entries away.
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
 * A page cannot close its pooled connections, so the server is asked to, by `?close=1`, until a request has to open
 * another, which ends, too. Gives what that cost, TLS included, in ms; absent where none was opened within 8 tries.
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

/** It is queued about when the answer is handed over. @param {Performance} performance @param {string} url */
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
  // A reused connection has connectStart = connectEnd; one that another origin may not see has 0 for both.
  return entry && entry.connectStart < entry.connectEnd ? entry.connectEnd - entry.connectStart : undefined;
}

/** @param {readonly PerformanceResourceTiming[]} entries @returns {RequestCounts} */
function countRequests(entries) {
  const seen = entries.filter(isSeen);
  return {
    seenCount: seen.length,
    openedCount: seen.filter((entry) => setUpOf(entry) !== undefined).length,
    cacheHitCount: seen.filter(isCacheHit).length,
  };
}

/**
 * Of a request to another origin without Timing-Allow-Origin, and of one that failed, connection and sizes are 0:
 * https://www.w3.org/TR/resource-timing/#sec-cross-origin-resources Node's own entries of fetch name no protocol:
 * https://github.com/nodejs/undici/blob/main/lib/web/fetch/util.js
 * @param {PerformanceResourceTiming} entry
 */
const isSeen = ({ connectStart, nextHopProtocol }) => connectStart > 0 && typeof nextHopProtocol === 'string';

/**
 * A body without a byte transferred:
 * https://developer.mozilla.org/docs/Web/API/PerformanceResourceTiming/transferSize#checking_if_a_cache_was_hit or by
 * name: https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-deliverytype
 * @param {PerformanceResourceTiming & { deliveryType?: string }} entry
 */
function isCacheHit({ transferSize, decodedBodySize, deliveryType }) {
  return deliveryType === 'cache' || (transferSize === 0 && decodedBodySize > 0);
}
