/** What the button that starts a run says. */
import { readNavigation } from '../base/page.js';

/** @param {string} [duration] such as 'about 5 min' @param {string} [action] what it does @returns {string} the button's name */
export const nameStart = (duration, action = 'Measure') => [action, duration].filter(Boolean).join(', ');

/** @returns {number | undefined} ms, about: the fastest of this page and its files; absent if the browser kept all of them */
export function estimateRoundTrip() {
  const files = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'));
  const times = [readNavigation(), ...files]
    .filter(({ transferSize }) => transferSize)
    .map(({ requestStart = 0, responseStart = 0 }) => responseStart - requestStart)
    .filter((ms) => ms > 0);
  return times.length > 0 ? Math.min(...times) : undefined;
}
