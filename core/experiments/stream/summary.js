/** Computes the figures of streams: by method and number at once, over the blocks. */
import {
  STEPS_PER_TRUSTED_TIME,
  mean,
  meanInterval,
  median,
  percentile,
  ratioInterval,
  sort,
  spreadOf,
  sumOf,
} from '../../base/statistics.js';
import { judge, judgeTimes } from '../../experiment/answer/compare.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { isPolling, streamMethods } from '../../net/stream/index.js';
import { dueTimesOf } from '../../net/stream/stream.js';
import { cutRowOf } from './cut.js';
import { flowOf, longestGapOf, sharedFrameShare } from './flow.js';
import { isCut, streamsOf } from './plan.js';

/**
 * @import { Interval, Spread } from '../../base/statistics.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { IdleServer } from '../../net/delivery/traffic.js'
 * @import { CutRow } from './cut.js'
 * @import { Flow } from './flow.js'
 * @import { StreamPlan } from './plan.js'
 * @import { Stream, StreamDocument, StreamTrial } from './schema.js'
 * @typedef {object} StreamSummary
 * @property {StreamPlan} plan
 * @property {number} [stepMs] of the clock
 * @property {StreamRow[]} rows
 * @property {CutRow[]} cuts
 * @property {(own: string, other: string) => Comparison} compare the first pieces of two methods, block by block
 * @typedef {{ isTooCoarse: boolean, judged: Judged, laterMs?: Interval }} Comparison of first pieces; `isTooCoarse`: the clock is
 * @typedef {object} StreamRow of a method and a number of streams at once
 * @property {string} method
 * @property {number} atOnce
 * @property {string[]} protocols
 * @property {number} blockCount
 * @property {number} pieceCount
 * @property {NonNullable<Stream['failure']>[]} failures
 * @property {Estimate} [first] the time of the first piece, ms
 * @property {Estimate} [wait] how much longer the last of the streams waited for it, ms
 * @property {number} [setUpMs]
 * @property {boolean} isKept
 * @property {Interval} [late] of pieces, ms
 * @property {number} [lateP95Ms]
 * @property {number} [lastLateMs]
 * @property {Spread} [gap] the longest one, ms
 * @property {number} [dueGapMs]
 * @property {number} [frameShare] the share of pieces that came in a frame with others
 * @property {number} [dueFrameShare]
 * @property {number} [readShare] the share of pieces that were read with others
 * @property {number} [serverLateMs]
 * @property {Flow} [flow]
 * @property {number} [bytesPerPiece]
 * @property {Interval} [cpuUsPerPiece]
 * @property {Judged} [judged] compared with today's method
 * @property {Interval} [laterMs] how much later its first piece came than with today's method
 * @typedef {object} Figures of a trial in which all pieces came
 * @property {number} block
 * @property {number} firstMs
 * @property {number} waitMs how much longer the last of them waited for its first piece
 * @property {number} [setUpMs]
 * @property {number[]} lates of all pieces, ms
 * @property {number} lateMs
 * @property {number} lastLateMs
 * @property {number} gapMs
 * @property {number} dueGapMs
 * @property {number} frameShare
 * @property {number} dueFrameShare
 * @property {number} [readShare]
 * @property {number} [serverLateMs] absent with a cut, as `flow`: its gap is neither the server's nor a proxy's
 * @property {Flow} [flow]
 * @property {number} [bytesPerPiece]
 * @property {number} [cpuUsPerPiece]
 * @typedef {{ estimate: number, low?: number, high?: number }} Estimate with an interval from six blocks on
 */

/**
 * Summarizes the trials by method and number of streams at once, and compares methods.
 * @param {StreamDocument} document @returns {StreamSummary}
 */
export function summarize({ plan, trials, idle, environment: { stepMs } }) {
  const figures = new Map(
    trials.map((trial) => [trial, isWhole(trial, plan) ? figuresOf(trial, plan, idle) : undefined]),
  );
  const findOf = (/** @type {string} */ method, /** @type {number} */ atOnce) =>
    trials.filter((trial) => trial.streamedBy === method && trial.atOnce === atOnce);
  const measuredOf = (/** @type {string} */ method, atOnce = plan.atOnce[0]) =>
    findOf(method, atOnce).flatMap((trial) => figures.get(trial) ?? []);
  return {
    plan,
    stepMs,
    rows: plan.atOnce.flatMap((atOnce) =>
      plan.methods.map((method) =>
        rowOf({ method, atOnce, plan }, findOf(method, atOnce), {
          measured: measuredOf(method, atOnce),
          stepMs,
          // What a cut did is no difference of methods whose connection it spared.
          others: method === plan.today || isCut(plan) ? undefined : measuredOf(plan.today, atOnce),
        }),
      ),
    ),
    cuts: isCut(plan) ? plan.methods.flatMap((method) => cutRowOf(method, findOf(method, plan.atOnce[0]), plan)) : [],
    compare: (own, other) => compareFirst(measuredOf(own), measuredOf(other), stepMs),
  };
}

/**
 * Compares the first pieces of the blocks in which both came whole.
 * @param {readonly Figures[]} own @param {readonly Figures[]} others @param {number} [stepMs] of the clock
 * @returns {Comparison}
 */
function compareFirst(own, others, stepMs = 0) {
  const pairs = own.flatMap((one) => {
    const other = others.find(({ block }) => block === one.block);
    return other ? [{ one, other }] : [];
  });
  // Without the blocks in which the clock saw no time, those with too much would remain.
  const isTooCoarse = pairs.some(
    ({ one, other }) => Math.min(one.firstMs, other.firstMs) <= STEPS_PER_TRUSTED_TIME * stepMs,
  );
  if (isTooCoarse) return { isTooCoarse, judged: judge([]) };
  return {
    isTooCoarse,
    judged: judgeTimes(own, others, ({ firstMs }) => firstMs),
    laterMs: meanInterval(pairs.map(({ one, other }) => one.firstMs - other.firstMs)),
  };
}

/**
 * Says how pieces came by a method: polls are steps, whatever each of them has.
 * @param {string} method @param {readonly number[]} atMs @param {readonly number[]} dueMs @returns {Flow | undefined}
 */
export function flowBy(method, atMs, dueMs) {
  const flow = flowOf(atMs, dueMs);
  return flow && isCollected(flow) && isPolling(method) ? { name: 'steps', everyMs: flow.everyMs } : flow;
}

/** @param {Flow | undefined} flow @returns {boolean} did something on the path, or the method itself, collect pieces? */
export const isCollected = (flow) => flow !== undefined && flow.name !== 'even' && flow.name !== 'gaps';

/** Does it come evenly, and the other does not? @param {{ flow?: Flow }} row @param {{ flow?: Flow }} other */
export const isSmoother = ({ flow }, other) =>
  flow?.name === 'even' && other.flow !== undefined && other.flow.name !== 'even';

/** @param {StreamTrial} trial @param {StreamPlan} plan @returns {boolean} did all pieces of all its streams come? */
const isWhole = ({ streams }, { pieces }) => streams.every(({ atMs, failure }) => !failure && atMs.length === pieces);

/** @param {Stream} stream @param {readonly number[]} dueMs @returns {number[]} how late each piece came after it was due, ms */
const latenessOf = ({ atMs }, dueMs) => atMs.map((ms, n) => ms - dueMs[n]);

/** @param {StreamTrial} trial @param {StreamPlan} plan @param {IdleServer} [idle] @returns {Figures} */
function figuresOf(trial, plan, idle) {
  const { block, streams, traffic } = trial;
  const dues = streamsOf(plan, trial).map(dueTimesOf);
  const firsts = streams.map(({ atMs }) => atMs[0]);
  const lates = streams.map((stream, i) => latenessOf(stream, dues[i]));
  const reads = streams.flatMap(({ reads: own }) => (own ? [own] : []));
  const middleOf = (/** @type {readonly number[]} */ values) => Number(median(values));
  const pieceCount = streams.length * plan.pieces;
  return {
    block,
    firstMs: middleOf(firsts),
    waitMs: Math.max(...firsts) - Math.min(...firsts),
    setUpMs: median(streams.flatMap(({ setUpMs }) => setUpMs ?? [])),
    lates: lates.flat(),
    lateMs: middleOf(lates.flat()),
    lastLateMs: middleOf(lates.map((ms) => ms[ms.length - 1])),
    gapMs: middleOf(streams.map(({ atMs }) => longestGapOf(atMs))),
    dueGapMs: middleOf(dues.map(longestGapOf)),
    frameShare: middleOf(streams.map(({ atMs }) => sharedFrameShare(atMs))),
    dueFrameShare: middleOf(dues.map(sharedFrameShare)),
    readShare: reads.length > 0 ? middleOf(reads.map(sharedReadShare)) : undefined,
    ...(!isCut(plan) && {
      serverLateMs: Math.max(...streams.map(({ sentMs }, i) => Math.max(...sentMs.map((ms, n) => ms - dues[i][n])))),
      flow: flowBy(trial.streamedBy, streams[0].atMs, dues[0]),
    }),
    bytesPerPiece: traffic && traffic.sentBytes > 0 ? traffic.sentBytes / pieceCount : undefined,
    cpuUsPerPiece: cpuOf(trial, pieceCount, idle),
  };
}

/** @param {readonly number[]} reads @returns {number} the share of pieces that were read with others */
function sharedReadShare(reads) {
  const shared = sumOf(reads, (count) => (count > 1 ? count : 0));
  return shared / sumOf(reads, Number);
}

/** How many messages of others leave the server's CPU time readable: the opening of the connections of a trial. */
const MAX_OTHERS_PER_STREAM = 2;

/**
 * @param {StreamTrial} trial @param {number} pieceCount @param {IdleServer} [idle]
 * @returns {number | undefined} the server's CPU time per piece, without its idle use and the readings, in µs; absent where others were
 *   served, too
 */
function cpuOf({ traffic, streams }, pieceCount, idle) {
  if (!traffic || !idle || traffic.otherCount > MAX_OTHERS_PER_STREAM * streams.length + 1) return undefined;
  const idleShare = Math.max(0, idle.cpuMs - idle.readingCpuMs) / idle.elapsedMs;
  const ownMs = traffic.cpuMs - traffic.readingCount * idle.readingCpuMs - idleShare * traffic.elapsedMs;
  return (1000 * Math.max(0, ownMs)) / pieceCount;
}

/**
 * @param {{ method: string, atOnce: number, plan: StreamPlan }} key @param {readonly StreamTrial[]} trials of it
 * @param {{ measured: readonly Figures[], others?: readonly Figures[], stepMs?: number }} figures `others`: of today's method, unless it
 *   is that; `stepMs`: of the clock
 * @returns {StreamRow}
 */
function rowOf({ method, atOnce }, trials, { measured, others, stepMs }) {
  const all = sort(measured.flatMap(({ lates }) => lates));
  /** @param {(one: Figures) => number | undefined} pick */
  const valuesOf = (pick) => measured.map(pick).filter((value) => value !== undefined);
  const compared = others && compareFirst(measured, others, stepMs);
  const serverLates = valuesOf(({ serverLateMs }) => serverLateMs);
  const setUps = [...valuesOf(({ setUpMs }) => setUpMs), ...trials.flatMap(({ keptSetUpMs }) => keptSetUpMs ?? [])];
  return {
    method,
    atOnce,
    protocols: protocolsOf(trials),
    blockCount: measured.length,
    pieceCount: all.length,
    failures: trials.flatMap(({ streams }) => streams.flatMap(({ failure }) => failure ?? [])),
    first: estimateOf(valuesOf(({ firstMs }) => firstMs)),
    wait: estimateOf(valuesOf(({ waitMs }) => waitMs)),
    setUpMs: median(setUps),
    isKept: streamMethods[method].isKept === true,
    late: meanInterval(valuesOf(({ lateMs }) => lateMs)),
    lateP95Ms: percentile(all, 95),
    lastLateMs: median(valuesOf(({ lastLateMs }) => lastLateMs)),
    gap: spreadOf(valuesOf(({ gapMs }) => gapMs)),
    dueGapMs: median(valuesOf(({ dueGapMs }) => dueGapMs)),
    frameShare: mean(valuesOf(({ frameShare }) => frameShare)),
    dueFrameShare: mean(valuesOf(({ dueFrameShare }) => dueFrameShare)),
    readShare: mean(valuesOf(({ readShare }) => readShare)),
    serverLateMs: serverLates.length > 0 ? Math.max(...serverLates) : undefined,
    flow: usualFlow(measured.flatMap(({ flow }) => flow ?? [])),
    bytesPerPiece: median(valuesOf(({ bytesPerPiece }) => bytesPerPiece)),
    cpuUsPerPiece: meanInterval(valuesOf(({ cpuUsPerPiece }) => cpuUsPerPiece)),
    judged: compared?.judged,
    laterMs: compared?.laterMs,
  };
}

/** @param {readonly number[]} values above 0 @returns {Estimate | undefined} without an interval for one block */
function estimateOf(values) {
  const interval = values.every((value) => value > 0) ? ratioInterval(values) : meanInterval(values);
  return interval ?? (values.length > 0 ? { estimate: values[0] } : undefined);
}

/**
 * Says how pieces came in most blocks: whether they were collected in more than half of them, and then how in most of these.
 * @param {readonly Flow[]} flows of the blocks @returns {Flow | undefined} with the median of its figures
 */
function usualFlow(flows) {
  const collected = flows.filter(isCollected);
  const usual = 2 * collected.length > flows.length ? collected : flows.filter((flow) => !isCollected(flow));
  const [name] = [...new Set(usual.map((flow) => flow.name))].sort((a, b) => countOf(usual, b) - countOf(usual, a));
  if (!name) return undefined;
  const same = usual.filter((flow) => flow.name === name);
  return {
    name,
    everyMs: median(same.flatMap(({ everyMs }) => everyMs ?? [])),
    pieces: median(same.flatMap(({ pieces }) => pieces ?? [])),
  };
}

/** @param {readonly Flow[]} flows @param {string} name */
const countOf = (flows, name) => flows.filter((flow) => flow.name === name).length;
