/** The places of a study: which runs belong together. Places are never pooled. */
import { foldName } from '../base/fold.js';
import { visible } from '../base/foreign-text.js';
import { byFrequency } from '../base/format.js';
import { median } from '../base/statistics.js';
import { measuredAtOf } from '../experiment/run/names.js';
import { scopeOfDigest } from '../experiment/run/scope.js';
import { labelOfProtocol } from '../experiment/answer/labels.js';

/**
 * @import { Digest } from '../experiment/documents/digest.js'
 * @import { Scope } from '../experiment/run/scope.js'
 * @typedef {{ id: string, savedAt?: string, place?: { name?: string }, label?: string, number?: number,
 *   isValid?: boolean, digest: Digest }} SharedRun as lists have it; `number`: on a page
 * @typedef {object} Unanswered a row of a matrix without its cells: a place, or a run
 * @property {string} key the same for the same place; in links
 * @property {string} name of a place, as most of its runs spell it, with what tells it from others of that name
 * @property {number} [number] of a run, on its page
 * @property {boolean} [isValid] of a run
 * @property {Scope} scope of its runs
 * @property {string} [fallback] the protocol of what was considered, where a WebSocket did not work
 * @property {number} [rttMs] the median of its runs' fastest round trips
 * @property {{ from: string, to: string }} days ISO 8601, when its runs were measured
 * @property {readonly SharedRun[]} runs
 */

const NAMES = Object.freeze({ machine: 'localhost', network: 'same network', path: undefined });
const ORDER = Object.freeze({ machine: 0, network: 1, path: 2 });

/**
 * Groups the runs by their place, protocol and server.
 * @param {readonly SharedRun[]} runs
 * @returns {{ places: readonly Unanswered[], nameless: readonly SharedRun[] }} `places`: in the order of rows; `nameless`: the
 *   runs without a place, which may be from anywhere
 */
export function groupByPlace(runs) {
  /** @type {Map<string, SharedRun[]>} */
  const groups = new Map();
  const nameless = [];
  for (const run of runs) {
    const name = nameOf(run);
    if (name === undefined) nameless.push(run);
    else {
      const key = keyOf(run, name);
      groups.get(key)?.push(run) ?? groups.set(key, [run]);
    }
  }
  const places = [...groups].map(([key, own]) => createPlace(key, own)).sort(compare);
  return { places: addServers(places), nameless };
}

/** @param {SharedRun} run @returns {string | undefined} of its place, if anybody knows it */
function nameOf({ place, digest }) {
  // An emulated link is a place, too.
  return place?.name ?? digest.link ?? NAMES[scopeOfDigest(digest)];
}

/** @param {SharedRun} run @param {string} name */
const keyOf = ({ digest }, name) =>
  JSON.stringify([scopeOfDigest(digest), foldName(name), digest.fallback ?? '', digest.server]);

/** @param {string} key @param {readonly SharedRun[]} runs of one place @returns {Unanswered} */
function createPlace(key, runs) {
  const [[spelling]] = byFrequency(runs.map((run) => visible(String(nameOf(run))).trim()));
  const row = rowOf(key, runs);
  return { ...row, name: row.fallback ? `${spelling}, over ${labelOfProtocol(row.fallback)}` : spelling };
}

/** @param {string} key @param {readonly SharedRun[]} runs at least one @returns {Omit<Unanswered, 'name'>} */
export function rowOf(key, runs) {
  const [{ digest }] = runs;
  const dates = runs.map(measuredAtOf).sort();
  return {
    key,
    scope: scopeOfDigest(digest),
    fallback: digest.fallback,
    rttMs: median(runs.flatMap((run) => run.digest.floorMs ?? [])),
    days: { from: dates[0].slice(0, 10), to: dates[dates.length - 1].slice(0, 10) },
    runs,
  };
}

/** Sorts by round-trip time, one's own machine first. @param {Unanswered} a @param {Unanswered} b */
const compare = (a, b) =>
  ORDER[a.scope] - ORDER[b.scope] ||
  (a.rttMs ?? Number.MAX_VALUE) - (b.rttMs ?? Number.MAX_VALUE) ||
  (a.key < b.key ? -1 : 1);

/** Names the server of places that would be named alike. @param {readonly Unanswered[]} places */
function addServers(places) {
  const titles = places.map(({ scope, name }) => `${scope} ${foldName(name)}`);
  const alike = new Set(byFrequency(titles).flatMap(([title, count]) => (count > 1 ? [title] : [])));
  return places.map((place, i) =>
    alike.has(titles[i]) ? { ...place, name: `${place.name}, to ${visible(place.runs[0].digest.server)}` } : place,
  );
}
