/** What the counters of a study say of its users: shares with intervals, round-trip times, and a row for each time zone. */
import { sumOf, wilsonInterval } from '../base/statistics.js';
import { VERDICTS } from '../experiment/answer/verdict.js';
import { BAND_MS, rangeOfBin, speedUpOf } from './tally.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { VerdictName } from '../experiment/answer/verdict.js'
 * @import { Got } from './tally.js'
 * @typedef {ReadonlyMap<string, number>} Counters by name, see tally.js
 * @typedef {Map<string, Map<string, number>>} Groups measures by group
 * @typedef {{ name: string, count: number }} Named
 * @typedef {{ count: number, of: number, share?: Interval }} Share `share`: with an interval of 95%; absent of nobody
 * @typedef {{ fromMs: number, toMs: number, count: number }} Bin
 * @typedef {{ fromMs: number, count: number, verdicts: Users['verdicts'], speedUp?: number }} Band of round-trip times, BAND_MS wide but
 *   for the last; `speedUp`: the geometric mean of how many times as fast a message is over a WebSocket; absent with too few that say it
 * @typedef {object} Users what is known of a group of browsers
 * @property {number} count
 * @property {Record<Got, Share>} got the best that each got
 * @property {Record<VerdictName, Share>} verdicts of a message over a WebSocket, of those that opened one and measured six blocks
 * @property {{ p50?: number, p75?: number, p95?: number }} rttMs round-trip times by request; each is absent where too few browsers
 *   say it
 * @typedef {Users & { name: string }} NamedUsers
 * @typedef {object} FieldFindings
 * @property {Users} all
 * @property {readonly NamedUsers[]} browsers the largest group first
 * @property {readonly NamedUsers[]} zones those with enough browsers, the largest first
 * @property {{ zoneCount: number, count: number, users?: Users } | undefined} others of all zones with fewer browsers; `users`: absent
 *   where these are too few, too
 * @property {readonly Band[]} bands rising, without empty ones
 * @property {readonly Named[]} days by date
 * @property {readonly Named[]} versions the most frequent first
 * @property {readonly Named[]} connections as far as browsers say them
 * @property {readonly Named[]} protocols of requests
 * @property {{ automated: number, contradictory: number, cut: number }} apart records that nothing else counts
 */

/** Fewer browsers of a time zone are summed up with others, so that nobody is singled out. */
export const MIN_ZONE_BROWSERS = 20;
/** @type {readonly Got[]} the best first */
export const GOT = Object.freeze(['opened', 'stream', 'batched', 'requests']);
/** The fewest browsers that say a percentile: one of them lies beyond it, at least. */
const PERCENTILES = /** @type {const} */ ([
  ['p50', 0.5, 2],
  ['p75', 0.75, 4],
  ['p95', 0.95, 20],
]);

/** @param {Counters} counters @returns {FieldFindings} */
export function findUsers(counters) {
  const groups = groupCounters(counters);
  const zones = usersOf(groups, 'zone');
  const shown = zones.filter(({ count }) => count >= MIN_ZONE_BROWSERS);
  const small = zones.filter(({ count }) => count < MIN_ZONE_BROWSERS);
  const apart = (/** @type {string} */ name) => counters.get(`all apart=${name}`) ?? 0;
  return {
    all: describeUsers(groups.get('all') ?? new Map()),
    browsers: usersOf(groups, 'browser'),
    zones: shown,
    others: small.length === 0 ? undefined : describeOthers(groups, small),
    bands: bandsOf(groups),
    days: countsOf(groups, 'day').sort((a, b) => (a.name < b.name ? -1 : 1)),
    versions: countsOf(groups, 'version'),
    connections: countsOf(groups, 'connection'),
    protocols: countsOf(groups, 'protocol'),
    apart: { automated: apart('automated'), contradictory: apart('contradictory'), cut: apart('cut') },
  };
}

/** @param {Counters} counters @returns {Groups} */
function groupCounters(counters) {
  /** @type {Groups} */
  const groups = new Map();
  for (const [name, count] of counters) {
    // A name of a browser may contain a space, a measure does not.
    const split = name.lastIndexOf(' ');
    const group = name.slice(0, split);
    const measures = groups.get(group) ?? new Map();
    groups.set(group, measures.set(name.slice(split + 1), count));
  }
  return groups;
}

/** @param {Groups} groups @param {string} kind @returns {[name: string, measures: Map<string, number>][]} */
function groupsOf(groups, kind) {
  return [...groups].flatMap(([group, measures]) =>
    group.startsWith(`${kind}=`) ? [[group.slice(kind.length + 1), measures]] : [],
  );
}

/** @param {Groups} groups @param {string} kind @returns {Named[]} the most frequent first */
const countsOf = (groups, kind) =>
  groupsOf(groups, kind)
    .map(([name, measures]) => ({ name, count: measures.get('count') ?? 0 }))
    .sort((a, b) => b.count - a.count);

/** @param {Groups} groups @param {string} kind @returns {NamedUsers[]} the largest first */
const usersOf = (groups, kind) =>
  groupsOf(groups, kind)
    .map(([name, measures]) => ({ name, ...describeUsers(measures) }))
    .sort((a, b) => b.count - a.count);

/** A mean of fewer says more of single browsers than of a distance. */
const MIN_BAND_BROWSERS = 5;

/** @param {Groups} groups @returns {Band[]} */
const bandsOf = (groups) =>
  usersOf(groups, 'band')
    .map(({ name, count, verdicts }) => {
      const { of } = verdicts.faster;
      const gain = groups.get(`band=${name}`)?.get('gain') ?? 0;
      const band = { fromMs: Number(name) * BAND_MS, count, verdicts };
      return of < MIN_BAND_BROWSERS ? band : { ...band, speedUp: speedUpOf(gain, of) };
    })
    .sort((a, b) => a.fromMs - b.fromMs);

/** @param {Groups} groups @param {readonly NamedUsers[]} zones each with few browsers */
function describeOthers(groups, zones) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const { name } of zones)
    for (const [measure, count] of groups.get(`zone=${name}`) ?? [])
      sums.set(measure, (sums.get(measure) ?? 0) + count);
  const users = describeUsers(sums);
  const others = { zoneCount: zones.length, count: users.count };
  return users.count < MIN_ZONE_BROWSERS ? others : { ...others, users };
}

/** @param {ReadonlyMap<string, number>} measures of a group @returns {Users} */
function describeUsers(measures) {
  const bins = [...measures]
    .flatMap(([name, count]) => (name.startsWith('rtt=') ? { bin: Number(name.slice(4)), count } : []))
    .sort((a, b) => a.bin - b.bin)
    .map(({ bin, count }) => ({ ...rangeOfBin(bin), count }));
  return {
    count: measures.get('count') ?? 0,
    got: sharesOf(GOT, (got) => measures.get(`got=${got}`)),
    verdicts: sharesOf(VERDICTS, (verdict) => measures.get(`verdict=${verdict}`)),
    rttMs: percentilesOf(bins),
  };
}

/**
 * @template {string} T @param {readonly T[]} names that exclude each other @param {(name: T) => number | undefined} countOf
 * @returns {Record<T, Share>} each of all that have one of them
 */
function sharesOf(names, countOf) {
  const counts = names.map((name) => countOf(name) ?? 0);
  const of = counts.reduce((sum, count) => sum + count, 0);
  const shares = names.map((name, i) => [name, { count: counts[i], of, share: wilsonInterval(counts[i], of) }]);
  return /** @type {Record<T, Share>} */ (Object.fromEntries(shares));
}

/** @param {readonly Bin[]} bins rising @returns {Users['rttMs']} */
function percentilesOf(bins) {
  const total = sumOf(bins, ({ count }) => count);
  return Object.fromEntries(
    PERCENTILES.flatMap(([name, share, least]) => (total < least ? [] : [[name, quantileOf(bins, share * total)]])),
  );
}

/**
 * The value below which that many are: within a bin they are taken as evenly spread on its logarithmic scale.
 * @param {readonly Bin[]} bins rising @param {number} rank above 0 and at most the sum of counts
 */
function quantileOf(bins, rank) {
  let below = 0;
  for (const { fromMs, toMs, count } of bins) {
    if (below + count >= rank) return fromMs * (toMs / fromMs) ** ((rank - below) / count);
    below += count;
  }
  throw new RangeError(`rank: expected at most ${below}, got ${rank}`);
}
