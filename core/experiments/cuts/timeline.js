/** The timeline of one block: when each message was due, when it came, and when each method noticed the cut. */
import { formatTenths } from '../../base/format.js';
import { dueMsOf, lengthMsOf } from '../../net/feed/feed.js';
import { FEED_LABELS, feedMethods } from '../../net/feed/index.js';
import { feedFor, KINDS, nameCut } from './plan.js';
import { figuresOf, firstArrivals, isByReset, linkCutOf } from './summary.js';

/**
 * @import { Timeline, TimelineRow } from '../../picture/timeline.js'
 * @import { FeedOptions } from '../../net/feed/feed.js'
 * @import { CutsPlan, Kind } from './plan.js'
 * @import { CutSoFar } from './measure.js'
 * @import { CutsTrial } from './schema.js'
 * @import { CutsSummary, CutTimes } from './summary.js'
 */

/** What is shown before the cut, and after it if it does not last. */
const AROUND_S = 4;
const AFTER_S = 8;
/** A message is late by so much more than a poll interval. */
const LATE_MS = 1000;

/**
 * Draws the block whose cut came in the middle of the longest timer.
 * @param {Kind} cut @param {CutsSummary} summary @param {readonly CutsTrial[]} trials @returns {Timeline[]} none without a cut
 */
export function timelinesOf(cut, { plan, optionsOf, cutOf }, trials) {
  const own = trials.flatMap((trial) => {
    const known = trial.cut === cut && !trial.failure ? cutOf(trial) : undefined;
    return known ? [{ trial, known, instantMs: known.fromMs - trial.feedAtMs }] : [];
  });
  if (own.length === 0) return [];
  const byInstant = own.toSorted((one, two) => one.instantMs - two.instantMs);
  const { trial: middle, known } = byInstant[Math.floor((byInstant.length - 1) / 2)];
  const shown = own.filter(({ trial }) => trial.block === middle.block);
  const lengthMs = Math.round(known.toMs - known.fromMs);
  const seconds = lengthMs / 1000;
  const linkCut = linkCutOf([middle]);
  const label = nameCut({ cut, linkCut });
  const isForGood = linkCut && linkCut.lastsMs === undefined;
  // TCP may wait as long again before it finds that the link is whole.
  const restS = cut === 'watch' ? seconds : 0;
  /** @type {Timeline['range']} */
  const range = [-AROUND_S, isForGood ? seconds : seconds + restS + AFTER_S];
  return [
    {
      heading: `One cut (block ${middle.block + 1})`,
      caption: 'Seconds since the cut',
      ...(seconds > 0 && { band: { from: 0, to: seconds, label } }),
      range,
      rows: shown.map((one) => rowOf(one, optionsOf(one.trial), { plan, range })),
    },
  ];
}

/**
 * Draws a cut that is under way.
 * @param {CutSoFar} soFar @param {CutsPlan} plan @returns {Timeline | undefined} absent before its feed is made
 */
export function timelineSoFar({ trials, sinceMs }, plan) {
  const [first] = trials;
  const options = first && feedFor(plan, first)?.options;
  if (!options) return undefined;
  const { cut, feedAtMs } = first;
  const cutMs = feedAtMs + options.cutAtMs;
  const known = { fromMs: cutMs, toMs: cutMs + options.cutMs };
  const nowS = (sinceMs - cutMs) / 1000;
  /** @type {Timeline['range']} */
  const range = [-options.cutAtMs / 1000, (lengthMsOf(options) - options.cutAtMs) / 1000];
  const isWatched = cut === 'watch';
  const band = { from: 0, to: Math.min(nowS, options.cutMs / 1000), label: KINDS[cut] };
  return {
    heading: `Block ${first.block + 1}: ${KINDS[cut]}`,
    caption: isWatched ? 'Seconds since the start' : 'Seconds since the cut',
    ...(band.to > 0 && { band }),
    range,
    rows: trials.map((trial) => {
      const { messages, flags, ...row } = rowOf({ trial, known }, options, { plan, range });
      const due = messages.filter((message) => message.due <= nowS);
      return {
        ...row,
        messages: due.map((message) => (message.arrived === undefined ? { ...message, isOpen: true } : message)),
        // Without a cut of the server's there is nothing to notice yet.
        flags: isWatched ? [] : flags,
      };
    }),
  };
}

/**
 * @param {{ trial: CutsTrial, known: CutTimes }} one with its cut @param {FeedOptions} options
 * @param {{ plan: CutsPlan, range: Timeline['range'] }} shown
 * @returns {TimelineRow}
 */
function rowOf({ trial, known }, options, { plan, range: [from, to] }) {
  const { cut, delivery, feedAtMs, arrivals } = trial;
  const { noticedMs, backMs } = figuresOf(trial, options, known);
  const cutAtMs = known.fromMs;
  const arrivedAtMs = firstArrivals(arrivals);
  const usualMs = LATE_MS + (feedMethods[delivery].client === 'poll' ? plan.intervalMs : 0);
  const first = Math.min(...arrivedAtMs.keys());
  const messages = Array.from({ length: options.count - first }, (_, i) => {
    const dueMs = feedAtMs + dueMsOf(first + i, options);
    const atMs = arrivedAtMs.get(first + i);
    const due = (dueMs - cutAtMs) / 1000;
    if (atMs === undefined) return { due };
    return { due, arrived: (atMs - cutAtMs) / 1000, isLate: atMs - dueMs > usualMs };
  });
  /** @param {'noticed' | 'back'} kind @param {number | undefined} ms */
  const flag = (kind, ms, label = `${kind} ${formatTenths(Number(ms))}`) =>
    ms === undefined ? [] : [{ kind, at: ms / 1000, label }];
  return {
    label: FEED_LABELS[delivery],
    colour: `feed-${delivery}`,
    messages: messages.filter(({ due }) => due >= from && due <= to),
    flags: [
      ...flag('noticed', noticedMs, isByReset(noticedMs, cut, plan) ? 'noticed the reset' : undefined),
      ...flag('back', backMs),
    ],
  };
}
