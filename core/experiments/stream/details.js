/** The figures of streams that only a run's own page shows: how late pieces were, what came together, and what they cost. */
import { mean, meanInterval, median, percentile, sort, sumOf } from '../../base/statistics.js';
import { isCut } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { IdleServer } from '../../net/delivery/traffic.js'
 * @import { StreamPlan } from './plan.js'
 * @import { Stream, StreamTrial } from './schema.js'
 * @typedef {object} Details of a method and a number of streams at once
 * @property {number} pieceCount
 * @property {number} [setUpMs]
 * @property {Interval} [late] of pieces, ms
 * @property {number} [lateP95Ms]
 * @property {number} [lastLateMs]
 * @property {number} [frameShare] the share of pieces that came in a frame with others
 * @property {number} [dueFrameShare]
 * @property {number} [readShare] the share of pieces that were read with others
 * @property {number} [serverLateMs]
 * @property {number} [bytesPerPiece]
 * @property {Interval} [cpuUsPerPiece]
 * @typedef {object} TrialDetails of a trial in which all pieces came
 * @property {number} [setUpMs]
 * @property {number[]} lates of all pieces, ms
 * @property {number} lateMs
 * @property {number} lastLateMs
 * @property {number} frameShare
 * @property {number} dueFrameShare
 * @property {number} [readShare]
 * @property {number} [serverLateMs] absent with a cut: its gap is not the server's
 * @property {number} [bytesPerPiece]
 * @property {number} [cpuUsPerPiece]
 */

/** A picture of a screen at 60 Hz: what comes within one is seen at once. */
const FRAME_MS = 1000 / 60;

/** The median of one value or more. @param {readonly number[]} values */
export const middleOf = (values) => Number(median(values));

/**
 * @param {StreamTrial} trial @param {{ plan: StreamPlan, idle?: IdleServer, dues: readonly number[][] }} run `dues`: when the pieces of each
 *   of its streams were due
 * @returns {TrialDetails}
 */
export function detailsOf(trial, { plan, idle, dues }) {
  const { streams, traffic } = trial;
  const lates = streams.map((stream, i) => latenessOf(stream, dues[i]));
  const reads = streams.flatMap(({ reads: own }) => (own ? [own] : []));
  const pieceCount = streams.length * plan.pieces;
  return {
    setUpMs: median(streams.flatMap(({ setUpMs }) => setUpMs ?? [])),
    lates: lates.flat(),
    lateMs: middleOf(lates.flat()),
    lastLateMs: middleOf(lates.map((ms) => ms[ms.length - 1])),
    frameShare: middleOf(streams.map(({ atMs }) => sharedFrameShare(atMs))),
    dueFrameShare: middleOf(dues.map(sharedFrameShare)),
    readShare: reads.length > 0 ? middleOf(reads.map(sharedReadShare)) : undefined,
    ...(!isCut(plan) && {
      serverLateMs: Math.max(...streams.map(({ sentMs }, i) => Math.max(...sentMs.map((ms, n) => ms - dues[i][n])))),
    }),
    bytesPerPiece: traffic && traffic.sentBytes > 0 ? traffic.sentBytes / pieceCount : undefined,
    cpuUsPerPiece: cpuOf(trial, pieceCount, idle),
  };
}

/** @param {readonly TrialDetails[]} measured @param {readonly StreamTrial[]} trials also those that were not whole @returns {Details} */
export function summarizeDetails(measured, trials) {
  const all = sort(measured.flatMap(({ lates }) => lates));
  /** @param {(one: TrialDetails) => number | undefined} pick */
  const valuesOf = (pick) => measured.map(pick).filter((value) => value !== undefined);
  const serverLates = valuesOf(({ serverLateMs }) => serverLateMs);
  const setUps = [...valuesOf(({ setUpMs }) => setUpMs), ...trials.flatMap(({ keptSetUpMs }) => keptSetUpMs ?? [])];
  return {
    pieceCount: all.length,
    setUpMs: median(setUps),
    late: meanInterval(valuesOf(({ lateMs }) => lateMs)),
    lateP95Ms: percentile(all, 95),
    lastLateMs: median(valuesOf(({ lastLateMs }) => lastLateMs)),
    frameShare: mean(valuesOf(({ frameShare }) => frameShare)),
    dueFrameShare: mean(valuesOf(({ dueFrameShare }) => dueFrameShare)),
    readShare: mean(valuesOf(({ readShare }) => readShare)),
    serverLateMs: serverLates.length > 0 ? Math.max(...serverLates) : undefined,
    bytesPerPiece: median(valuesOf(({ bytesPerPiece }) => bytesPerPiece)),
    cpuUsPerPiece: meanInterval(valuesOf(({ cpuUsPerPiece }) => cpuUsPerPiece)),
  };
}

/** @param {Stream} stream @param {readonly number[]} dueMs @returns {number[]} how late each piece came after it was due, ms */
const latenessOf = ({ atMs }, dueMs) => atMs.map((ms, n) => ms - dueMs[n]);

/** @param {readonly number[]} times rising @returns {number} the share of pieces that came in one frame with others */
export function sharedFrameShare(times) {
  const frames = times.map((ms) => Math.floor((ms - times[0]) / FRAME_MS));
  const together = frames.filter((frame, i) => frames[i - 1] === frame || frames[i + 1] === frame);
  return together.length / times.length;
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
