/** Summarizes cuts: when each method noticed, when it was back, and what became of the messages. */
import { median, medianInterval } from '../../base/statistics.js';
import { protocolsOf } from '../../experiment/trials.js';
import { dueMsOf } from '../../net/feed/feed.js';
import { feedsOf } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { FeedOptions } from '../../net/feed/feed.js'
 * @import { CutsPlan, Kind } from './plan.js'
 * @import { CutsTrial } from './schema.js'
 *
 * @typedef {{ median: number, min: number, max: number, count: number, interval?: Interval }} Spread over the blocks; `interval`
 *   of the median, from six blocks on
 * @typedef {ReturnType<typeof figuresOf>} Figures of a trial
 * @typedef {ReturnType<typeof rowOf>} CutsRow of a method and a kind of cut
 * @typedef {ReturnType<typeof summarize>} CutsSummary
 */

/** @param {{ plan: CutsPlan, trials: readonly CutsTrial[] }} document */
export function summarize({ plan, trials }) {
  const feeds = feedsOf(plan);
  const optionsOf = (/** @type {CutsTrial} */ { block, cut }) =>
    /** @type {FeedOptions} */ (feeds.find((feed) => feed.block === block && feed.cut === cut)?.options);
  const measured = trials.filter(({ failure }) => !failure);
  const rows = /** @type {Kind[]} */ ([...plan.cuts]).flatMap((cut) =>
    plan.deliveries.map((delivery) => {
      const own = measured.filter((trial) => trial.cut === cut && trial.delivery === delivery);
      return rowOf(
        { cut, delivery },
        own,
        own.map((trial) => figuresOf(trial, optionsOf(trial))),
      );
    }),
  );
  return { plan, rows: rows.filter(({ blockCount }) => blockCount > 0), optionsOf };
}

/**
 * Computes the figures of a trial. Its messages are those from the first that arrived to the last of the feed: of each, it is
 * known whether it arrived. Times count from the cut.
 * @param {CutsTrial} trial @param {FeedOptions} options
 */
export function figuresOf(trial, options) {
  const { arrivals, feedAtMs, requestMs, losses, repeatedCount } = trial;
  const cut = cutOf(trial, options);
  const dueAtMs = (/** @type {number} */ n) => feedAtMs + dueMsOf(n, options);
  const arrivedAtMs = firstArrivals(arrivals);
  const numbers = [...arrivedAtMs.keys()];
  const first = Math.min(...numbers);
  // The two clocks agree to half of the request's time. After the last message, the server closes the connection.
  const endAtMs = dueAtMs(options.count - 1) - requestMs / 2;
  const noticed = cut && losses.find(({ atMs }) => atMs >= cut.fromMs - requestMs / 2 && atMs < endAtMs);
  const backAtMs = cut && [...arrivedAtMs].find(([n]) => dueAtMs(n) > cut.fromMs)?.[1];
  const sentCount = options.count - first;
  return {
    sentCount,
    receivedCount: arrivedAtMs.size,
    lostCount: sentCount - arrivedAtMs.size,
    doubledCount: arrivals.n.length - arrivedAtMs.size,
    outOfOrderCount: countOutOfOrder(numbers),
    noticedMs: noticed && Math.max(0, noticed.atMs - cut.fromMs),
    backMs: cut && backAtMs !== undefined ? Math.max(0, backAtMs - cut.fromMs) : undefined,
    latestMs: Math.max(0, ...numbers.map((n) => Number(arrivedAtMs.get(n)) - dueAtMs(n))),
    repeatedCount,
  };
}

/**
 * @param {CutsTrial} trial @param {FeedOptions} options
 * @returns {{ fromMs: number, toMs: number } | undefined} the cut, since the trial's start, by the server or of the link; absent
 *   if nobody knows of any
 */
export function cutOf({ cut, linkCut, feedAtMs }, { cutAtMs, cutMs }) {
  if (cut === 'watch') return linkCut;
  return { fromMs: feedAtMs + cutAtMs, toMs: feedAtMs + cutAtMs + cutMs };
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
 * @param {{ cut: Kind, delivery: string }} key @param {readonly CutsTrial[]} trials of it @param {readonly Figures[]} figures of
 *   these
 */
function rowOf({ cut, delivery }, trials, figures) {
  /** @param {(one: Figures) => number | undefined} pick */
  const spread = (pick) => spreadOf(figures.map(pick).filter((value) => value !== undefined));
  return {
    cut,
    delivery,
    // How long the link itself was cut; absent if it was not.
    linkCutMs: median(trials.flatMap(({ linkCut }) => (linkCut ? [linkCut.toMs - linkCut.fromMs] : []))),
    blockCount: trials.length,
    protocols: protocolsOf(trials),
    figures,
    noticed: spread(({ noticedMs }) => noticedMs),
    back: spread(({ backMs }) => backMs),
    lost: spread(({ lostCount }) => lostCount),
    doubled: spread(({ doubledCount }) => doubledCount),
    outOfOrder: spread(({ outOfOrderCount }) => outOfOrderCount),
    latest: spread(({ latestMs }) => latestMs),
    repeated: spread(({ repeatedCount }) => repeatedCount),
    sent: spread(({ sentCount }) => sentCount),
  };
}

/** @param {readonly number[]} values @returns {Spread | undefined} absent for none */
function spreadOf(values) {
  const middle = median(values);
  if (middle === undefined) return undefined;
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { median: middle, min, max, count: values.length, interval: medianInterval(values) };
}
