/** Computes the figures of streams, by method and number at once, over the blocks, and judges how their pieces came. */
import { STEPS_PER_TRUSTED_TIME, mean, meanInterval, median, ratioInterval, spreadOf } from '../../base/statistics.js';
import { judge, judgeTimes } from '../../experiment/answer/compare.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { isPolling, streamMethods } from '../../net/stream/index.js';
import { dueTimesOf } from '../../net/stream/stream.js';
import { cutRowOf } from './cut.js';
import { detailsOf, middleOf, summarizeDetails } from './details.js';
import { isCut, streamsOf } from './plan.js';

/**
 * @import { Interval, Spread } from '../../base/statistics.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { IdleServer } from '../../net/delivery/traffic.js'
 * @import { CutRow } from './cut.js'
 * @import { Details, TrialDetails } from './details.js'
 * @import { StreamPlan } from './plan.js'
 * @import { Stream, StreamDocument, StreamTrial } from './schema.js'
 * @typedef {'even' | 'gaps' | 'steps' | 'bursts' | 'at-once'} FlowName
 * @typedef {object} Flow
 * @property {FlowName} name
 * @property {number} [everyMs] of steps: the time between two
 * @property {number} [pieces] of bursts: how many came at once, about
 * @typedef {{ atMs: number, count: number }} Lump pieces that came at once
 * @typedef {object} StreamSummary
 * @property {StreamPlan} plan
 * @property {number} [stepMs] of the clock
 * @property {StreamRow[]} rows
 * @property {CutRow[]} cuts
 * @property {(own: string, other: string) => Comparison} compare the first pieces of two methods, block by block
 * @typedef {{ isTooCoarse: boolean, judged: Judged, laterMs?: Interval }} Comparison of first pieces; `isTooCoarse`: the clock is
 * @typedef {Details & OwnRow} StreamRow
 * @typedef {object} OwnRow of a method and a number of streams at once
 * @property {string} method
 * @property {number} atOnce
 * @property {string[]} protocols
 * @property {number} blockCount
 * @property {NonNullable<Stream['failure']>[]} failures
 * @property {Estimate} [first] the time of the first piece, ms
 * @property {Estimate} [wait] how much longer the last of the streams waited for it, ms
 * @property {boolean} isKept
 * @property {Spread} [gap] the longest one, ms
 * @property {number} [dueGapMs]
 * @property {Flow} [flow]
 * @property {Judged} [judged] compared with today's method
 * @property {Interval} [laterMs] how much later its first piece came than with today's method
 * @typedef {TrialDetails & OwnFigures} Figures of a trial in which all pieces came
 * @typedef {object} OwnFigures
 * @property {number} block
 * @property {number} firstMs
 * @property {number} waitMs how much longer the last of them waited for its first piece
 * @property {number} gapMs
 * @property {number} dueGapMs
 * @property {Flow} [flow] absent with a cut: its gap is not a proxy's
 * @typedef {{ estimate: number, low?: number, high?: number }} Estimate with an interval from six blocks on
 */

/** Pieces whose arrivals are no further apart came at once: less than a frame, more than reading them takes. */
const AT_ONCE_MS = 5;
/** A gap that is so much longer than the longest one sent is seen. */
export const UNEVEN_MS = 100;
/** A stream that is due within this time shows no gaps. */
const MIN_SPAN_MS = 500;
/** Fewer pieces at once come so by chance. */
const MIN_BURST = 3;
/** The share of pieces in bursts above which something collects them. */
const LUMPED_SHARE = 0.5;
/** The share of pieces that come at once where something waits for the whole answer. */
const WHOLE_SHARE = 0.95;
/** The standard deviation, as a share of the mean, up to which something is the same each time. */
const STEADY = 0.25;

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

/** @param {Flow | undefined} flow @returns {boolean} did something on the path, or the method itself, collect pieces? */
export const isCollected = (flow) => flow !== undefined && flow.name !== 'even' && flow.name !== 'gaps';

/** Does it come evenly, and the other does not? @param {{ flow?: Flow }} row @param {{ flow?: Flow }} other */
export const isSmoother = ({ flow }, other) =>
  flow?.name === 'even' && other.flow !== undefined && other.flow.name !== 'even';

/** @param {StreamTrial} trial @param {StreamPlan} plan @returns {boolean} did all pieces of all its streams come? */
const isWhole = ({ streams }, { pieces }) => streams.every(({ atMs, failure }) => !failure && atMs.length === pieces);

/** @param {StreamTrial} trial @param {StreamPlan} plan @param {IdleServer} [idle] @returns {Figures} */
function figuresOf(trial, plan, idle) {
  const { block, streams } = trial;
  const dues = streamsOf(plan, trial).map(dueTimesOf);
  const firsts = streams.map(({ atMs }) => atMs[0]);
  return {
    block,
    firstMs: middleOf(firsts),
    waitMs: Math.max(...firsts) - Math.min(...firsts),
    gapMs: middleOf(streams.map(({ atMs }) => longestGapOf(atMs))),
    dueGapMs: middleOf(dues.map(longestGapOf)),
    ...(!isCut(plan) && { flow: flowBy(trial.streamedBy, streams[0].atMs, dues[0]) }),
    ...detailsOf(trial, { plan, idle, dues }),
  };
}

/**
 * @param {{ method: string, atOnce: number, plan: StreamPlan }} key @param {readonly StreamTrial[]} trials of it
 * @param {{ measured: readonly Figures[], others?: readonly Figures[], stepMs?: number }} figures `others`: of today's method, unless it
 *   is that; `stepMs`: of the clock
 * @returns {StreamRow}
 */
function rowOf({ method, atOnce }, trials, { measured, others, stepMs }) {
  const compared = others && compareFirst(measured, others, stepMs);
  return {
    method,
    atOnce,
    protocols: protocolsOf(trials),
    blockCount: measured.length,
    failures: trials.flatMap(({ streams }) => streams.flatMap(({ failure }) => failure ?? [])),
    first: estimateOf(measured.map(({ firstMs }) => firstMs)),
    wait: estimateOf(measured.map(({ waitMs }) => waitMs)),
    isKept: streamMethods[method].isKept === true,
    gap: spreadOf(measured.map(({ gapMs }) => gapMs)),
    dueGapMs: median(measured.map(({ dueGapMs }) => dueGapMs)),
    flow: usualFlow(measured.flatMap(({ flow }) => flow ?? [])),
    judged: compared?.judged,
    laterMs: compared?.laterMs,
    ...summarizeDetails(measured, trials),
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

/**
 * Says how pieces came by a method: polls are steps, whatever each of them has.
 * @param {string} method @param {readonly number[]} atMs @param {readonly number[]} dueMs @returns {Flow | undefined}
 */
export function flowBy(method, atMs, dueMs) {
  const flow = flowOf(atMs, dueMs);
  return flow && isCollected(flow) && isPolling(method) ? { name: 'steps', everyMs: flow.everyMs } : flow;
}

/**
 * Says how pieces came.
 * @param {readonly number[]} atMs @param {readonly number[]} dueMs of the same pieces
 * @returns {Flow | undefined} absent for a stream that is too short to tell
 */
export function flowOf(atMs, dueMs) {
  const { length } = atMs;
  if (length < 2 || dueMs[length - 1] - dueMs[0] < MIN_SPAN_MS) return undefined;
  // As soon as the first could have come: what collects pieces begins with a gap.
  const soonestMs = dueMs[0] + Math.min(...atMs.map((ms, n) => ms - dueMs[n]));
  if (longestGapOf([soonestMs, ...atMs]) <= longestGapOf(dueMs) + UNEVEN_MS) return { name: 'even' };
  const lumps = lumpsOf(atMs);
  if (Math.max(...lumps.map(({ count }) => count)) >= WHOLE_SHARE * length) return { name: 'at-once' };
  const large = lumps.filter(({ count }) => count >= MIN_BURST);
  if (large.reduce((sum, { count }) => sum + count, 0) < LUMPED_SHARE * length) return { name: 'gaps' };
  const apartMs = large.slice(1).map((lump, i) => lump.atMs - large[i].atMs);
  // The last one has what was left.
  const counts = large.slice(0, -1).map(({ count }) => count);
  if (apartMs.length > 1 && variationOf(apartMs) <= Math.min(STEADY, variationOf(counts)))
    return { name: 'steps', everyMs: median(apartMs) };
  return { name: 'bursts', ...(counts.length > 0 && { pieces: median(counts) }) };
}

/** @param {readonly number[]} times rising @returns {number} ms between two that follow each other, at most */
export const longestGapOf = (times) =>
  times.reduce((max, ms, i) => (i === 0 ? 0 : Math.max(max, ms - times[i - 1])), 0);

/** @param {readonly number[]} times rising @returns {Lump[]} */
export function lumpsOf(times) {
  /** @type {(Lump & { lastMs: number })[]} */
  const lumps = [];
  for (const atMs of times) {
    const last = lumps.at(-1);
    if (last && atMs - last.lastMs <= AT_ONCE_MS) {
      last.count++;
      last.lastMs = atMs;
    } else lumps.push({ atMs, count: 1, lastMs: atMs });
  }
  return lumps.map(({ atMs, count }) => ({ atMs, count }));
}

/**
 * Says whether something held the first piece back: it came together with later ones, which were due after a pause.
 * @param {readonly number[]} atMs @param {readonly number[]} dueMs of the same pieces @returns {boolean}
 */
export function isFirstHeld(atMs, dueMs) {
  const [first] = lumpsOf(atMs);
  return first !== undefined && dueMs[first.count - 1] - dueMs[0] > 2 * AT_ONCE_MS;
}

/** @param {readonly number[]} values @returns {number} their standard deviation, as a share of their mean; Infinity for fewer than two */
function variationOf(values) {
  const middle = mean(values);
  if (middle === undefined || values.length < 2) return Infinity;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)) / middle;
}
