/** From how many of the shared runs WebSockets work, by the place that their visitors gave. */
import { wilsonInterval } from '../../base/statistics.js';

/**
 * @import { Digest } from '../../experiment/documents/fields.js'
 * @import { Place } from '../../experiment/names.js'
 *
 * @typedef {{ name: string, workCount: number, count: number, share: string }} PlaceShare `share` with its interval, in percent
 */

/** A share of fewer says nothing, and says too much of whoever measured. */
const MIN_RUNS = 5;

/**
 * @param {readonly { place?: Place, digest: Pick<Digest, 'webSocketWorks'> }[]} runs
 * @returns {PlaceShare[]} all together first, then the places by their number of runs; none of fewer than five
 */
export function sharesOf(runs) {
  const known = runs.filter(({ digest }) => digest.webSocketWorks !== undefined);
  const named = known.flatMap(({ place, digest }) => (place?.name ? [{ name: place.name, digest }] : []));
  const names = [...new Set(named.map(({ name }) => name))];
  const places = names.map((name) =>
    shareOf(
      name,
      named.filter((run) => run.name === name),
    ),
  );
  const all = shareOf('All runs', known);
  return [all, ...places.sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))].filter(
    ({ count }) => count >= MIN_RUNS,
  );
}

/** @param {string} name @param {readonly { digest: Pick<Digest, 'webSocketWorks'> }[]} runs @returns {PlaceShare} */
function shareOf(name, runs) {
  const workCount = runs.filter(({ digest }) => digest.webSocketWorks).length;
  const interval = wilsonInterval(workCount, runs.length);
  const percent = (/** @type {number} */ share) => Math.round(100 * share);
  const share = interval
    ? `${percent(interval.estimate)}% (95% CI ${percent(interval.low)}–${percent(interval.high)}%)`
    : '';
  return { name, workCount, count: runs.length, share };
}
