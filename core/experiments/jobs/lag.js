/**
 * Computes the notification latency, `lag`: from the end of a job until the client knows it; and that of polling in
 * closed form. A creation answer that comes at once took half a round trip. If there are many jobs, their answers are
 * read late. The delay is known if the server has one clock that says when it created each job, and that runs as ours
 * does to {@link CLOCK_TOLERANCE}. The answer that came soonest after its job was created gives the offset of the clocks.
 */
import { mean, sumOf } from '../../base/statistics.js';

/**
 * @import { JobsTrial, NotifiedJobs } from './schema.js'
 * @import { Measured } from './summary.js'
 * @typedef {Omit<NotifiedJobs, 'job' | 'pollCount'>} Times of the notified jobs of one trial
 * @typedef {{ pollsPerJob?: number, meanLagMs?: number }} PredictedPolling
 */

/** The server's times are whole milliseconds. */
export const SERVER_STEP_MS = 1;
/**
 * The tolerated drift between two clocks, as a part of the time that passes: one that is being adjusted may have it.
 */
export const CLOCK_TOLERANCE = 5e-4;

/**
 * Returns why the delay of creation answers is not known: the client's clock is too coarse, or several servers created
 * the jobs.
 * @param {Times} notified @param {number} roundTripMs @param {number} [stepMs] of the client's clock
 * @returns {'coarse' | 'several' | undefined}
 */
export function clockFaultOf({ sentAtMs, createdAtMs, madeAtMs }, roundTripMs, stepMs = 0) {
  if (stepMs > roundTripMs / 2 + SERVER_STEP_MS) return 'coarse';
  // A single clock has the same offset to ours for all jobs, each of which was created between request and answer.
  const minMs = Math.max(...madeAtMs.map((madeMs, i) => sentAtMs[i] - madeMs));
  const maxMs = Math.min(...madeAtMs.map((madeMs, i) => createdAtMs[i] - madeMs));
  const driftMs = CLOCK_TOLERANCE * Math.max(0, ...createdAtMs);
  return minMs <= maxMs + stepMs + SERVER_STEP_MS + driftMs ? undefined : 'several';
}

/**
 * Returns by how many ms each creation answer was read later than half a round trip after the creation, at most the
 * time that there was; 0 if unknown. A notification comes much later, so it is only used to the clocks' tolerance.
 * @param {Times} notified @param {number} roundTripMs @param {number} [stepMs] of the client's clock
 */
export function lateReadsOf(notified, roundTripMs, stepMs) {
  const { sentAtMs, createdAtMs, notifiedAtMs, durationMs, madeAtMs } = notified;
  if (clockFaultOf(notified, roundTripMs, stepMs)) return createdAtMs.map(() => 0);
  const readsMs = madeAtMs.map((madeMs, i) => createdAtMs[i] - madeMs);
  const notifiedMs = madeAtMs.map((madeMs, i) => notifiedAtMs[i] - madeMs - durationMs[i] * (1 - CLOCK_TOLERANCE));
  const soonestMs = Math.min(...readsMs, ...notifiedMs);
  return readsMs.map((readMs, i) => {
    const maxMs = Math.max(0, createdAtMs[i] - sentAtMs[i] - roundTripMs);
    return Math.min(maxMs, readMs - soonestMs);
  });
}

/**
 * Returns the lags in the order of the jobs.
 * @param {Times} notified @param {number} roundTripMs @param {number} [stepMs] as above
 */
export function lagsOf(notified, roundTripMs, stepMs) {
  const lateReads = lateReadsOf(notified, roundTripMs, stepMs);
  const { createdAtMs, notifiedAtMs, durationMs } = notified;
  return notifiedAtMs.map((ms, i) => ms - createdAtMs[i] - durationMs[i] + lateReads[i] + roundTripMs / 2);
}

/** Returns the lags; none if the round trip is not known. @param {Times} notified @param {Measured} measured */
export function lagsIn(notified, measured) {
  const roundTripMs = roundTripOf(measured);
  return roundTripMs === undefined ? [] : lagsOf(notified, roundTripMs, measured.environment?.stepMs);
}

/** Returns the maximum error of a lag, if late reads are known. @param {number} roundTripMs @param {number} [stepMs] */
export const lagErrorOf = (roundTripMs, stepMs = 0) => roundTripMs / 2 + stepMs + SERVER_STEP_MS;

/**
 * Returns the minimum round trip, as that of the network; absent if none was measured.
 * @param {{ roundTripMs: readonly number[] }} measured
 */
export const roundTripOf = ({ roundTripMs }) => (roundTripMs.length === 0 ? undefined : Math.min(...roundTripMs));

/**
 * Returns the number of polls of a job: 3 if it takes 1200 ms and is polled every 500 ms.
 * @param {{ durationMs: number, periodMs: number }} job
 */
export const pollCountOf = ({ durationMs, periodMs }) => Math.max(1, Math.ceil(durationMs / periodMs));

/**
 * Returns the time from done to notified.
 * @param {{ durationMs: number, periodMs: number, roundTripMs: number }} job in ms
 */
export function pollLagOf({ durationMs, periodMs, roundTripMs }) {
  return pollCountOf({ durationMs, periodMs }) * periodMs - durationMs + roundTripMs / 2;
}

/** The mean period of polling, in milliseconds; absent without a notification. @param {NotifiedJobs} notified */
export function periodOf({ createdAtMs, notifiedAtMs, pollCount }) {
  const polls = sumOf(pollCount, Number);
  const waitsMs = notifiedAtMs.map((ms, i) => ms - createdAtMs[i]);
  return polls === 0 ? undefined : sumOf(waitsMs, Number) / polls;
}

/**
 * Predicts polling: polls are a period apart, interval and round trip, and a job of duration D is found by the first at
 * or after D.
 * @param {readonly number[]} durationsMs @param {number} periodMs @param {number} [roundTripMs]
 * @returns {PredictedPolling}
 */
export function predictPolling(durationsMs, periodMs, roundTripMs) {
  const meanOf = (/** @type {(durationMs: number) => number} */ figureOf) => mean(durationsMs.map(figureOf));
  return {
    pollsPerJob: meanOf((durationMs) => pollCountOf({ durationMs, periodMs })),
    meanLagMs:
      roundTripMs === undefined ? undefined : meanOf((durationMs) => pollLagOf({ durationMs, periodMs, roundTripMs })),
  };
}

/**
 * Predicts polling for the notified jobs; empty for other methods: their minimum is half a round trip, and there is no
 * formula.
 * @param {JobsTrial} trial @param {Measured} measured @returns {PredictedPolling}
 */
export function predictTrial({ delivery, notified }, measured) {
  const periodMs = periodOf(notified);
  if (delivery !== 'poll' || !periodMs) return {};
  const roundTripMs = roundTripOf(measured);
  // If the creation answer was read late, only the rest of the duration counts.
  const lateReads = roundTripMs === undefined ? [] : lateReadsOf(notified, roundTripMs, measured.environment?.stepMs);
  const leftMs = notified.durationMs.map((ms, i) => ms - (lateReads[i] ?? 0));
  return predictPolling(leftMs, periodMs, roundTripMs);
}
