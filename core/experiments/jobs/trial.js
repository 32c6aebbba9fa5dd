/**
 * Computes what one trial measured: the notification latency of its jobs, `lag`, and the requests and bytes of each.
 *
 * A latency is the time from the end of a job until the client knows it. A creation answer that comes at once took half a round trip.
 * If there are many jobs, their answers are read late. The delay is known if the server has one clock that says when it created each
 * job, and that runs as ours does to {@link CLOCK_TOLERANCE}. The answer that came soonest after its job was created gives the offset
 * of the clocks.
 */
import { sumOf } from '../../base/statistics.js';
import { deliveries } from '../../net/delivery/index.js';

/**
 * @import { JobsTrial, NotifiedJobs } from './schema.js'
 * @import { Measured } from './summary.js'
 * @typedef {Omit<NotifiedJobs, 'job' | 'pollCount'>} Times of the notified jobs of one trial
 * @typedef {{ up: number, down: number, both: number }} Bytes
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

/** The mean period of polling, in milliseconds; absent without a notification. @param {NotifiedJobs} notified */
export function periodOf({ createdAtMs, notifiedAtMs, pollCount }) {
  const polls = sumOf(pollCount, Number);
  const waitsMs = notifiedAtMs.map((ms, i) => ms - createdAtMs[i]);
  return polls === 0 ? undefined : sumOf(waitsMs, Number) / polls;
}

/** The reasons why the traffic of a trial is missing. */
const TRAFFIC_FAULTS = Object.freeze({
  unread: 'the server did not report its traffic',
  silent: 'a server process did not report its traffic',
  restarted: 'server processes started or stopped',
  open: 'connections stayed open',
});

/**
 * Counts a WebSocket's messages, too; for other methods each is a request.
 * @param {JobsTrial} trial @param {number} jobCount
 */
export function requestsPerJobOf(trial, jobCount) {
  const { protocol, requestCount, traffic, delivery, notified, failures } = trial;
  if (traffic && trafficFaultOf(trial) === undefined) {
    return (traffic.requestCount + (protocol === 'websocket' ? traffic.messageCount : 0)) / jobCount;
  }
  const isWhole = requestCount !== undefined && notified.job.length + failures.length === jobCount;
  return isWhole && deliveries[delivery].socketPer !== 'user' ? requestCount / jobCount : undefined;
}

/** Returns why the server's record is missing or wrong; absent if it is neither. @param {JobsTrial} trial */
export function trafficFaultOf({ requestCount, traffic, trafficFault }) {
  if (!traffic) return trafficFault ? TRAFFIC_FAULTS[trafficFault] : 'the run ended first';
  const isWhole = requestCount === undefined || traffic.requestCount >= requestCount;
  return isWhole ? undefined : 'the server recorded fewer requests than were sent';
}

/** @param {JobsTrial} trial @param {number} jobCount @returns {{ bytesPerJob?: Bytes, bytesFault?: string }} */
export function bytesOf(trial, jobCount) {
  const fault = trafficFaultOf(trial);
  if (fault || !trial.traffic) return { bytesFault: `not measured: ${fault}` };
  const up = trial.traffic.receivedBytes / jobCount;
  const down = trial.traffic.sentBytes / jobCount;
  return { bytesPerJob: { up, down, both: up + down } };
}
