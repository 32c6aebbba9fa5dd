/** Counts from how many of the shared runs WebSockets work, by the place that their visitors gave. */
import { createSpelling } from '../../base/fold.js';
import { wilsonInterval } from '../../base/statistics.js';

/**
 * @import { Place } from '../../experiment/run/names.js'
 *
 * @typedef {{ reach?: { webSocketWorks: boolean } }} ReachDigest `reach`: absent if unknown
 * @typedef {{ name: string, workCount: number, count: number, share: string }} PlaceShare `share` with its interval,
 *   in percent
 */

/** The minimum number of runs: a share of fewer says little, and may identify a visitor. */
const MIN_RUNS = 5;

/**
 * @param {readonly { place?: Place, digest: ReachDigest }[]} runs
 * @returns {PlaceShare[]} all together first, then the places by their number of runs; none of fewer than five
 */
export function sharesOf(runs) {
  const known = runs.filter(({ digest }) => digest.reach);
  const spell = createSpelling(known.flatMap(({ place }) => place?.name || []));
  const names = new Set(known.flatMap(({ place }) => (place?.name ? spell(place.name) : [])));
  const runsOf = (/** @type {string} */ name) => known.filter(({ place }) => spell(place?.name ?? '') === name);
  const places = [...names].map((name) => shareOf(name, runsOf(name)));
  places.sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
  return [shareOf('All runs', known), ...places].filter(({ count }) => count >= MIN_RUNS);
}

/** @param {string} name @param {readonly { digest: ReachDigest }[]} runs @returns {PlaceShare} */
function shareOf(name, runs) {
  const workCount = runs.filter(({ digest }) => digest.reach?.webSocketWorks).length;
  const interval = wilsonInterval(workCount, runs.length);
  const percent = (/** @type {number} */ share) => Math.round(100 * share);
  if (!interval) return { name, workCount, count: 0, share: '' };
  const share = `${percent(interval.estimate)}% (95% CI ${percent(interval.low)}–${percent(interval.high)}%)`;
  return { name, workCount, count: runs.length, share };
}
