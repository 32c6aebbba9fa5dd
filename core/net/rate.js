/** Learns how fast a path is from what a page has loaded over it. */
import { sumOf } from '../base/statistics.js';

/** @typedef {Pick<PerformanceResourceTiming, 'transferSize' | 'requestStart' | 'responseStart' | 'responseEnd'>} Loaded */

/** What a new connection sends before its first acknowledgement: https://www.rfc-editor.org/rfc/rfc6928 */
const FIRST_WINDOW_BYTES = 14_600;
/** Where nothing is known of a path, it is a fast one: 100 Mbit/s. */
export const FAST_BYTES_PER_SECOND = 12_500_000;
/** A response that lasts less beyond its round trips may have waited for something else. */
const MIN_MS = 100;

/**
 * The round trips that bytes need over a new connection, beyond the first: TCP doubles what it sends with each.
 * @param {number} bytes
 */
export const slowStartOf = (bytes) => Math.log2(1 + bytes / FIRST_WINDOW_BYTES);

/**
 * @param {readonly Loaded[]} entries of Resource Timing
 * @param {number} [known] what an earlier page learned: most of what this one has may come from the browser's cache
 * @returns {number | undefined} bytes per second; absent if the round trips were all that took time
 */
export function rateOfLoad(entries, known) {
  const [largest] = [...entries].sort((a, b) => b.transferSize - a.transferSize);
  if (!largest || largest.transferSize === 0) return known;
  const { requestStart, responseStart, responseEnd } = largest;
  const beside = entries.filter((one) => one.responseStart < responseEnd && one.responseEnd > responseStart);
  const bytes = sumOf(beside, ({ transferSize }) => transferSize);
  const ms = responseEnd - responseStart - slowStartOf(bytes) * (responseStart - requestStart);
  if (ms >= MIN_MS) return (1000 * bytes) / ms;
  // So few bytes say nothing against what is known.
  return known !== undefined && (1000 * bytes) / known < MIN_MS ? known : undefined;
}
