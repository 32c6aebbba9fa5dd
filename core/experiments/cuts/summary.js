/** Summarizes cuts: when each method noticed, when it was back, and what became of the messages. */
import { median, sort, spreadOf } from '../../base/statistics.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { dueMsOf, lengthMsOf } from '../../net/feed/feed.js';
import { feedsOf, lastsOf } from './plan.js';

/**
 * @import { Spread } from '../../base/statistics.js'
 * @import { FeedOptions } from '../../net/feed/feed.js'
 * @import { Cut, CutsPlan, Kind } from './plan.js'
 * @import { CutsTrial } from './schema.js'
 *
 * @typedef {Spread & { min: number, max: number, count: number }} BlockSpread over the blocks
 * @typedef {{ fromMs: number, toMs: number }} CutTimes since the trial's start
 * @typedef {object} Figures of a trial; times count from the cut
 * @property {boolean} isCut
 * @property {number} sentCount
 * @property {number} receivedCount
 * @property {number} lostCount
 * @property {number} doubledCount
 * @property {number} outOfOrderCount
 * @property {number} [noticedMs]
 * @property {number} [backMs]
 * @property {number} [latestMs] absent where a message was lost: it never came
 * @property {number} [watchedMs]
 * @property {number} repeatedCount
 * @typedef {object} CutsRow of a method and a kind of cut
 * @property {Kind} cut
 * @property {string} delivery
 * @property {{ lastsMs?: number }} [linkCut]
 * @property {number} blockCount
 * @property {number} cutCount in how many blocks there was a cut that could be noticed
 * @property {string[]} protocols
 * @property {readonly Figures[]} figures
 * @property {BlockSpread} [noticed]
 * @property {boolean} isByReset it noticed only by the server's reset
 * @property {BlockSpread} [back] when the first message came that was due after the cut, ms since the cut
 * @property {BlockSpread} [lost]
 * @property {BlockSpread} [doubled]
 * @property {BlockSpread} [outOfOrder]
 * @property {BlockSpread} [latest]
 * @property {BlockSpread} [watched]
 * @property {BlockSpread} [repeated]
 * @property {BlockSpread} [sent]
 * @typedef {object} CutsSummary
 * @property {CutsPlan} plan
 * @property {CutsRow[]} rows
 * @property {readonly CutTimes[]} seen the cuts that the server did not make, and were found in blocks that were watched
 * @property {(trial: CutsTrial) => FeedOptions} optionsOf
 * @property {(trial: CutsTrial) => CutTimes | undefined} cutOf since the trial's start; absent if nobody knows of any
 */

/**
 * Summarizes the trials by method and kind of cut.
 * @param {{ plan: CutsPlan, trials: readonly CutsTrial[] }} document @returns {CutsSummary}
 */
export function summarize({ plan, trials }) {
  const feeds = feedsOf(plan);
  const optionsOf = (/** @type {CutsTrial} */ { block, cut }) =>
    /** @type {FeedOptions} */ (feeds.find((feed) => feed.block === block && feed.cut === cut)?.options);
  const measured = trials.filter(({ failure }) => !failure);
  const watched = Array.from({ length: plan.blocks }, (_, block) =>
    measured.filter((trial) => trial.cut === 'watch' && trial.block === block),
  );
  const seen = watched.map((own) => (own.length > 0 ? findCut(own, optionsOf(own[0]), plan) : undefined));
  /** @type {CutsSummary['cutOf']} */
  const cutOf = (trial) => {
    const { cut, block, linkCut, feedAtMs } = trial;
    const options = optionsOf(trial);
    if (linkCut) return { toMs: feedAtMs + lengthMsOf(options), ...linkCut };
    if (cut === 'watch') return seen[block];
    const { cutAtMs, cutMs } = options;
    return { fromMs: feedAtMs + cutAtMs, toMs: feedAtMs + cutAtMs + cutMs };
  };
  const rows = /** @type {Kind[]} */ ([...plan.cuts]).flatMap((cut) =>
    plan.deliveries.map((delivery) => {
      const own = measured.filter((trial) => trial.cut === cut && trial.delivery === delivery);
      return rowOf(
        { cut, delivery, plan },
        own,
        own.map((trial) => figuresOf(trial, optionsOf(trial), cutOf(trial))),
      );
    }),
  );
  return {
    plan,
    rows: rows.filter(({ blockCount }) => blockCount > 0),
    seen: seen.filter((times) => times !== undefined),
    optionsOf,
    cutOf,
  };
}

/**
 * Computes the figures of a trial. Its messages are those from the first that arrived to the last of the feed: of each, it is
 * known whether it arrived.
 * @param {CutsTrial} trial @param {FeedOptions} options @param {CutTimes} [cut] @returns {Figures}
 */
export function figuresOf(trial, options, cut) {
  const { arrivals, feedAtMs, requestMs, losses, repeatedCount } = trial;
  const dueAtMs = (/** @type {number} */ n) => feedAtMs + dueMsOf(n, options);
  const arrivedAtMs = firstArrivals(arrivals);
  const numbers = [...arrivedAtMs.keys()];
  const first = Math.min(...numbers);
  const endAtMs = endAtMsOf(trial, options);
  // The two clocks agree to half of the request's time.
  const noticed = cut && losses.find(({ atMs }) => atMs >= cut.fromMs - requestMs / 2 && atMs < endAtMs);
  const backAtMs = cut && [...arrivedAtMs].find(([n, atMs]) => dueAtMs(n) > cut.fromMs && atMs > cut.fromMs)?.[1];
  const sentCount = options.count - first;
  return {
    isCut: cut !== undefined,
    sentCount,
    receivedCount: arrivedAtMs.size,
    lostCount: sentCount - arrivedAtMs.size,
    doubledCount: arrivals.n.length - arrivedAtMs.size,
    outOfOrderCount: countOutOfOrder(numbers),
    noticedMs: noticed && Math.max(0, noticed.atMs - cut.fromMs),
    backMs: cut && backAtMs !== undefined ? backAtMs - cut.fromMs : undefined,
    latestMs:
      arrivedAtMs.size < sentCount
        ? undefined
        : Math.max(0, ...numbers.map((n) => Number(arrivedAtMs.get(n)) - dueAtMs(n))),
    watchedMs: cut && endAtMs - cut.fromMs,
    repeatedCount,
  };
}

/**
 * After the last message, the server closes the connection. The two clocks agree to half of the request's time.
 * @param {CutsTrial} trial @param {FeedOptions} options
 */
const endAtMsOf = ({ feedAtMs, requestMs }, options) => feedAtMs + dueMsOf(options.count - 1, options) - requestMs / 2;

/** No feed is silent for so much longer than a message and a poll take. */
const SILENCE_MS = 1000;

/**
 * Finds a cut that the server did not make, by its effect: no method got a message for long, or one noticed that its connection is
 * gone. It began after the last message before that.
 * @param {readonly CutsTrial[]} trials of a block, side by side @param {FeedOptions} options @param {CutsPlan} plan
 * @returns {CutTimes | undefined}
 */
function findCut(trials, options, { intervalMs }) {
  const endAtMs = endAtMsOf(trials[0], options);
  const arrivedAtMs = sort(trials.flatMap(({ arrivals }) => arrivals.atMs));
  const noticedAtMs = Math.min(...trials.flatMap(({ losses }) => losses.map(({ atMs }) => atMs)));
  const before = arrivedAtMs
    .map((fromMs, i) => ({ fromMs, toMs: arrivedAtMs[i + 1] ?? endAtMs }))
    .filter(({ fromMs }) => fromMs <= noticedAtMs);
  const longMs = 1000 / options.rate + intervalMs + SILENCE_MS;
  const silence = before.findLast(({ fromMs, toMs }) => toMs - fromMs > longMs);
  return silence ?? (noticedAtMs < endAtMs ? before.at(-1) : undefined);
}

/** @param {CutsTrial['arrivals']} arrivals @returns {Map<number, number>} when each number came first, in the order of arrival */
export function firstArrivals({ n, atMs }) {
  /** @type {Map<number, number>} */
  const first = new Map();
  for (const [i, number] of n.entries()) if (!first.has(number)) first.set(number, atMs[i]);
  return first;
}

/** @param {readonly number[]} numbers @returns {number} of those that came after a later one */
function countOutOfOrder(numbers) {
  let highest = -1;
  let count = 0;
  for (const n of numbers) {
    if (n < highest) count++;
    highest = Math.max(highest, n);
  }
  return count;
}

/**
 * @param {{ cut: Kind, delivery: string, plan: CutsPlan }} key @param {readonly CutsTrial[]} trials of it
 * @param {readonly Figures[]} figures of these @returns {CutsRow}
 */
function rowOf({ cut, delivery, plan }, trials, figures) {
  /** @param {(one: Figures) => number | undefined} pick */
  const spread = (pick) => spreadOverBlocks(figures.map(pick).filter((value) => value !== undefined));
  const noticed = spread(({ noticedMs }) => noticedMs);
  return {
    cut,
    delivery,
    linkCut: linkCutOf(trials),
    blockCount: trials.length,
    cutCount: figures.filter(({ isCut }) => isCut).length,
    protocols: protocolsOf(trials),
    figures,
    noticed,
    isByReset: isByReset(noticed?.median, cut, plan),
    back: spread(({ backMs }) => backMs),
    lost: spread(({ lostCount }) => lostCount),
    doubled: spread(({ doubledCount }) => doubledCount),
    outOfOrder: spread(({ outOfOrderCount }) => outOfOrderCount),
    latest: spread(({ latestMs }) => latestMs),
    watched: spread(({ watchedMs }) => watchedMs),
    repeated: spread(({ repeatedCount }) => repeatedCount),
    sent: spread(({ sentCount }) => sentCount),
  };
}

/**
 * @param {readonly { linkCut?: CutsTrial['linkCut'] }[]} trials
 * @returns {{ lastsMs?: number } | undefined} absent if the link was not cut
 */
export function linkCutOf(trials) {
  const known = trials.flatMap(({ linkCut }) => linkCut ?? []);
  if (known.length === 0) return undefined;
  return { lastsMs: median(known.flatMap(({ fromMs, toMs }) => (toMs === undefined ? [] : [toMs - fromMs]))) };
}

/** @param {Cut} row @param {CutsPlan} plan @returns {number | undefined} how long the cut lasted, s; absent if that is not known */
export function cutSecondsOf({ cut, linkCut }, { seconds }) {
  if (linkCut) return linkCut.lastsMs && Math.round(linkCut.lastsMs / 100) / 10;
  return lastsOf(cut) ? seconds : undefined;
}

/** Of what lasts: from there on, its end was the cause, and no timer of a method. */
const WHOLE_SHARE = 0.95;

/** @param {number} ms since the cut @param {Cut} row @param {CutsPlan} plan @returns {boolean} did the cut last about so long? */
export function isWholeCut(ms, row, plan) {
  const seconds = cutSecondsOf(row, plan);
  return seconds !== undefined && ms >= WHOLE_SHARE * seconds * 1000;
}

/**
 * @param {number | undefined} noticedMs @param {Kind} cut @param {CutsPlan} plan
 * @returns {boolean} did only the server's reset tell of the cut, when the plan's seconds were over?
 */
export const isByReset = (noticedMs, cut, plan) =>
  cut === 'dead' && noticedMs !== undefined && isWholeCut(noticedMs, { cut }, plan);

/** @param {readonly number[]} values @returns {BlockSpread | undefined} absent for none */
function spreadOverBlocks(values) {
  const spread = spreadOf(values);
  return spread && { ...spread, min: Math.min(...values), max: Math.max(...values), count: values.length };
}
