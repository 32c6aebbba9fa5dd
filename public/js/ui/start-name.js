/** What the button that starts a run says. */
import { formatMostSeconds, formatSeconds } from '../../../core/base/format.js';
import { readNavigation } from '../base/page.js';

/**
 * @param {number} [seconds] unknown before the connection is tested @param {number} [maxSeconds] if there is a limit
 * @returns {string} the button's name
 */
export function nameStart(seconds, maxSeconds) {
  if (seconds) return `Measure, about ${formatSeconds(Math.ceil(seconds))}`;
  return maxSeconds ? `Measure, up to ${formatMostSeconds(maxSeconds)}` : 'Measure';
}

/** @returns {number | undefined} ms, about: the fastest of this page and its files; absent if the browser kept all of them */
export function estimateRoundTrip() {
  const files = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
  const times = [readNavigation(), ...files]
    .filter(({ transferSize }) => transferSize)
    .map(({ requestStart = 0, responseStart = 0 }) => responseStart - requestStart)
    .filter((ms) => ms > 0);
  return times.length > 0 ? Math.min(...times) : undefined;
}
