/** What a reset by the server cost each method, and what a run says of that: what was lost, and what went on. */
import { formatDelay } from '../../base/format.js';
import { spreadOf } from '../../base/statistics.js';
import { streamLabelWithin, streamMethods } from '../../net/stream/index.js';

/**
 * @import { Spread } from '../../base/statistics.js'
 * @import { StreamPlan } from './plan.js'
 * @import { Stream, StreamTrial } from './schema.js'
 * @typedef {{ shownCount: number, lostCount: number, backMs?: number }} CutFigures of a stream that was cut
 * @typedef {object} CutRow what a cut cost a method
 * @property {string} method
 * @property {number} blockCount
 * @property {Spread} [shown]
 * @property {Spread} [lost]
 * @property {Spread} [back] ms
 */

/** @param {string} method @param {readonly StreamTrial[]} trials @param {StreamPlan} plan @returns {CutRow[]} one, or none without a loss */
export function cutRowOf(method, trials, plan) {
  const figures = trials.flatMap(({ streams }) => cutOf(streams[0], plan) ?? []);
  if (figures.length === 0) return [];
  /** @param {(one: CutFigures) => number | undefined} pick */
  const spread = (pick) => spreadOf(figures.map(pick).filter((value) => value !== undefined));
  return [
    {
      method,
      blockCount: figures.length,
      shown: spread(({ shownCount }) => shownCount),
      lost: spread(({ lostCount }) => lostCount),
      back: spread(({ backMs }) => backMs),
    },
  ];
}

/**
 * What the loss of its connection cost a stream: from the last piece before to the next one. Another failure says nothing of it, and
 * polls have no connection to lose.
 * @param {Stream} stream @param {StreamPlan} plan @returns {CutFigures | undefined} absent if none was lost
 */
function cutOf({ atMs, lostAtMs: [lostMs], failure }, { pieces }) {
  if (lostMs === undefined && failure?.outcome !== 'closed') return undefined;
  const shownCount = lostMs === undefined ? atMs.length : atMs.filter((ms) => ms <= lostMs).length;
  const backMs = shownCount < atMs.length ? atMs[shownCount] - (atMs[shownCount - 1] ?? 0) : undefined;
  return { shownCount, lostCount: pieces - atMs.length, backMs };
}

/** @param {CutRow} row */
const isLosing = ({ lost }) => Number(lost?.median) > 0;

/**
 * Finds what to use instead of a method that lost pieces.
 * @param {readonly CutRow[]} cuts @param {string} today @returns {CutRow | undefined} what resumed, if possible by the same client;
 *   absent where today's method lost none, or nothing resumed
 */
export function findReplacement(cuts, today) {
  if (!cuts.some((row) => row.method === today && isLosing(row))) return undefined;
  const resumed = cuts.filter((row) => row.back && !isLosing(row));
  return resumed.find(({ method }) => streamMethods[method].client === streamMethods[today].client) ?? resumed[0];
}

/** Who decides how long a method waits before it connects again. @param {string} method */
const waiterOf = (method) =>
  streamMethods[method].client === 'event-source' ? 'the browser waits' : 'its code waits 1 s';

/**
 * Says what the reset cost each method.
 * @param {readonly CutRow[]} cuts @returns {string} sentences
 */
export function describeCut(cuts) {
  if (cuts.length === 0) return 'The reset broke no stream.';
  const losing = cuts.filter(isLosing);
  const whole = cuts.filter((row) => !losing.includes(row));
  const lost = losing.map(
    ({ method, lost: spread }) => `${streamLabelWithin(method)} ${Math.round(Number(spread?.median))}`,
  );
  const resumed = whole.flatMap(({ method, back }) =>
    back ? [`${streamLabelWithin(method)} after ${formatDelay(back.median)} (${waiterOf(method)})`] : [],
  );
  // All pieces had come before the connection was lost.
  const done = whole.flatMap(({ method, back }) => (back ? [] : [streamLabelWithin(method)]));
  return [
    ...(lost.length > 0 ? [`Pieces lost after the reset: ${lost.join(', ')}.`] : []),
    ...(resumed.length > 0 ? [`These resumed where they were: ${resumed.join(', ')}.`] : []),
    ...(done.length > 0 ? [`These had all pieces before the reset: ${done.join(', ')}.`] : []),
  ].join(' ');
}
