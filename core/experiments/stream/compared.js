/** Chooses which methods a run of streams compares: over HTTP, over a socket, by polling, and what is used today. */
import { negate } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { noticeOf } from '../../experiment/verdict.js';
import { streamMethods } from '../../net/stream/index.js';
import { resumedInstead } from './cut.js';
import { isCollected } from './flow.js';
import { isCut } from './plan.js';

/**
 * @import { StreamPlan } from './plan.js'
 * @import { Notice } from '../../experiment/verdict.js'
 * @import { Comparison as Judgement, CutRow, StreamRow, StreamSummary } from './summary.js'
 * @typedef {Judgement & { sooner?: Notice, later?: Notice }} Comparison of first pieces; do users notice that the first is sooner, or
 *   later?
 * @typedef {object} Compared the methods between which the choice is
 * @property {StreamRow} [http] a stream over HTTP: one that is better than today's method; else that if it is one, or the simplest;
 *   another one where that is buffered
 * @property {StreamRow} [socket] such a one over a socket: over a connection that is open already, if one was measured
 * @property {StreamRow[]} [streamed] all that stream, whole often enough
 * @property {StreamRow} [poll]
 * @property {StreamRow} [today] by the method that is used today
 * @property {Comparison} [ofSocket] the socket's first piece, compared with that over HTTP
 * @property {{ method: string }} [resumed] after a cut in which today's method lost pieces, one that resumed
 * @property {(own: StreamRow, other: StreamRow) => Comparison} compare
 * @property {StreamPlan} plan
 * @property {number} [stepMs] of the clock
 * @property {CutRow[]} [cuts] what these cost, where the server resets connections: nothing else is compared then
 */

/** The share of a plan's blocks that a method needs whole: what fails more often than that is no choice, however soon it is. */
const MIN_WHOLE_SHARE = 0.5;

/**
 * Chooses {@link Compared what is compared}.
 * @param {StreamSummary} summary @param {number} mattersMs by how much the first piece has to come sooner for users to notice
 * @returns {Compared}
 */
export function chooseCompared({ plan, rows, cuts, compare: compareMethods, stepMs }, mattersMs) {
  const compare = (/** @type {StreamRow} */ own, /** @type {StreamRow} */ other) => {
    const found = compareMethods(own.method, other.method);
    const { laterMs } = found;
    return laterMs
      ? { ...found, sooner: noticeOf(negate(laterMs), mattersMs), later: noticeOf(laterMs, mattersMs) }
      : found;
  };
  if (isCut(plan)) return { cuts, compare, plan, resumed: resumedInstead(cuts, plan.today) };
  const whole = rows.filter(
    ({ atOnce, blockCount }) => atOnce === plan.atOnce[0] && blockCount >= minWholeOf(plan.blocks),
  );
  const streamed = whole.filter(({ method }) => !isPolling(method));
  const overHttp = streamed.filter(({ method }) => streamMethods[method].client !== 'socket');
  const sockets = streamed.filter(({ method }) => streamMethods[method].client === 'socket');
  const kept = sockets.filter(({ isKept }) => isKept);
  const today = whole.find(({ method }) => method === plan.today);
  const choiceOf = (/** @type {StreamRow[]} */ usual, all = usual) =>
    bestOf(today ? all.filter((row) => isBetter(row, today, compare)) : [], compare) ??
    orUnbuffered(usual.find((row) => row === today) ?? usual[0], all);
  const http = choiceOf(overHttp);
  const socket = choiceOf(kept.length > 0 ? kept : sockets, [...kept, ...sockets]);
  return {
    http,
    socket,
    streamed,
    poll: whole.find(({ method }) => isPolling(method)),
    today,
    ofSocket: http && socket && compare(socket, http),
    compare,
    plan,
    stepMs,
  };
}

/** @param {number} blocks of a plan @returns {number} how many of them have to be whole */
export const minWholeOf = (blocks) => Math.min(blocks, Math.max(MIN_BLOCKS, Math.ceil(MIN_WHOLE_SHARE * blocks)));

/** @param {string} method @returns {boolean} */
export const isPolling = (method) => streamMethods[method].client === 'polls';

/**
 * One that nothing buffers is better than that of today.
 * @param {StreamRow | undefined} usual @param {readonly StreamRow[]} rows in their order
 */
const orUnbuffered = (usual, rows) =>
  isCollected(usual?.flow) ? (rows.find(({ flow }) => !isCollected(flow)) ?? usual) : usual;

/**
 * @param {readonly StreamRow[]} rows in their order @param {Compared['compare']} compare
 * @returns {StreamRow | undefined} the first, or a later one that is better
 */
const bestOf = ([first, ...rows], compare) =>
  first && rows.reduce((best, row) => (isBetter(row, best, compare) ? row : best), first);

/** Do users notice that one is better? @param {StreamRow} row @param {StreamRow} other @param {Compared['compare']} compare */
function isBetter(row, other, compare) {
  if (isCollected(row.flow) || isCollected(other.flow)) return !isCollected(row.flow);
  return (
    isNoticeablySooner(compare(row, other)) || (isSmoother(row, other) && !isNoticeablySooner(compare(other, row)))
  );
}

/**
 * Is what is used today as good as the others? A stream over HTTP is recommended anyway where nothing is better.
 * @param {Compared} compared @returns {boolean | undefined}
 */
export function isKeepingToday(compared) {
  const { today, http, streamed = [], compare, plan } = compared;
  if (!today || today === http || isCollected(today.flow)) return false;
  // Polls are steps, even where a stream is too short to show them.
  if (isPolling(today.method) && !today.flow && plan.rate > 0) return false;
  const others = othersOf(compared);
  return (
    others.length > 0 &&
    others.every((other) => isCollected(other.flow) || !compare(other, today).isTooCoarse) &&
    streamed.every((other) => other === today || !isBetter(other, today, compare))
  );
}

/** @param {Compared} compared @returns {StreamRow[]} those that stream by another method than today's */
export const othersOf = ({ today, http, socket }) =>
  [http, socket].filter((row) => row !== undefined).filter((row) => row !== today);

/** Do users notice that its first piece comes sooner? @param {Comparison} compared */
export const isNoticeablySooner = ({ judged, sooner }) => judged.verdict === 'faster' && sooner === 'noticed';

/** Does it come evenly, and the other does not? @param {StreamRow} row @param {StreamRow} other */
export const isSmoother = ({ flow }, other) =>
  flow?.name === 'even' && other.flow !== undefined && other.flow.name !== 'even';
