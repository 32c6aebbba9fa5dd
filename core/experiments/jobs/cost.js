/** What a delivery method costs: requests, bytes and the server's CPU time, each per job; here, and as published in 2018. */

/**
 * @import { JobsTrial } from './index.js'
 * @import { Measured } from './summary.js'
 */

/** Why the traffic of a trial is missing. */
const TRAFFIC_FAULTS = Object.freeze({
  unread: 'the server could not be asked',
  silent: 'a worker of the server did not answer',
  restarted: 'workers of the server came or went',
  open: 'connections stayed open',
});
/** The CPU use of the idle server is measured once, for a second or two; it may be off by this part. */
const UNSTEADY_RATIO = 0.5;
export const TOO_SMALL = 'too small to tell';

/** A WebSocket's messages count, too; elsewhere each is a request. @param {JobsTrial} trial @param {number} jobCount */
export function requestsPerJobOf(trial, jobCount) {
  const { protocol, requestCount, traffic, way, told, failures } = trial;
  if (traffic && trafficFaultOf(trial) === undefined) {
    return (traffic.requestCount + (protocol === 'websocket' ? traffic.messageCount : 0)) / jobCount;
  }
  const isWhole = requestCount !== undefined && told.job.length + failures.length === jobCount;
  return isWhole && way !== 'push' && way !== 'sockjs' ? requestCount / jobCount : undefined;
}

/** Why what the server recorded is missing or wrong; absent where it is neither. @param {JobsTrial} trial */
function trafficFaultOf({ requestCount, traffic, trafficFault }) {
  if (!traffic) return trafficFault ? TRAFFIC_FAULTS[trafficFault] : 'the run ended before';
  const isWhole = requestCount === undefined || traffic.requestCount >= requestCount;
  return isWhole ? undefined : 'the server recorded fewer requests than were sent';
}

/**
 * @param {JobsTrial} trial @param {number} jobCount
 * @returns {{ bytesPerJob?: { up: number, down: number, both: number }, bytesFault?: string }} `up` is from the client; or why
 *   they are absent
 */
export function bytesOf(trial, jobCount) {
  const fault = trafficFaultOf(trial);
  if (fault || !trial.traffic) return { bytesFault: `not measured: ${fault}` };
  const up = trial.traffic.receivedBytes / jobCount;
  const down = trial.traffic.sentBytes / jobCount;
  return { bytesPerJob: { up, down, both: up + down } };
}

/**
 * The time of whole processes, so true only where they served nobody else. Their idle use, and that of the readings, is
 * subtracted. Idle use varies: what is not above half of it may be chance.
 * @param {JobsTrial} trial @param {Measured} measured @param {number} jobCount
 * @returns {{ cpuMsPerJob?: number, cpuFault?: string }} or why it is absent
 */
export function cpuOf(trial, { idle }, jobCount) {
  const { traffic } = trial;
  const fault = trafficFaultOf(trial);
  if (fault || !traffic) return { cpuFault: `not measured: ${fault}` };
  if (!idle || idle.elapsedMs === 0) return { cpuFault: 'not measured: the idle server could not be asked' };
  const otherCount = Math.abs(traffic.otherCount) || Math.abs(idle.otherCount);
  if (otherCount > 0)
    return { cpuFault: `not measured: ${otherCount} other ${otherCount === 1 ? 'request' : 'requests'}` };
  const ownMs = ((idle.cpuMs - idle.readingCpuMs) / idle.elapsedMs) * traffic.elapsedMs;
  const cpuMs = traffic.cpuMs - ownMs - traffic.readingCount * idle.readingCpuMs;
  return cpuMs <= 0 || cpuMs <= ownMs * UNSTEADY_RATIO ? { cpuFault: TOO_SMALL } : { cpuMsPerJob: cpuMs / jobCount };
}

/** The figures of 2018, both directions together, and the server's CPU for all jobs; polling with its interval. */
const PUBLISHED = new Map([
  ['poll 500', { kibPerJob: 1.62, cpuSeconds: 3.29 }],
  ['poll 250', { kibPerJob: 2.6, cpuSeconds: 13.8 }],
  ['socket-per-job', { kibPerJob: 0.28, cpuSeconds: 0.68 }],
]);
const PUBLISHED_JOB_COUNT = 200;

/** For every figure of 2018. */
export const PUBLISHED_NOTES = Object.freeze([
  'The figures of 2018 are of 20 users with 10 jobs each, one after the other, of 0–10 s. What its author calls push was a WebSocket per job.',
  'Its bytes must be an average over the jobs: the post does not say so, but as a sum they would be too few for the requests. Its kB has 1,024 bytes: polling’s 1.62 kB is 951 + 703 bytes.',
  'Its CPU at 250 ms is printed both as 13.8 s and as 1,381,000,000 ns, which is 10 times less; shown is the first. Here its CPU is divided by its 200 jobs.',
]);

/**
 * Absent where 2018 has nothing to compare: another delivery method, another interval, or jobs of other durations.
 * @param {{ way: string, intervalMs?: number }} trial @param {{ leastMs: number, mostMs: number }} plan
 */
export function publishedOf({ way, intervalMs }, { leastMs, mostMs }) {
  const published = PUBLISHED.get(intervalMs === undefined ? way : `${way} ${intervalMs}`);
  if (!published || leastMs !== 0 || mostMs !== 10_000) return undefined;
  return { kibPerJob: published.kibPerJob, cpuMsPerJob: (published.cpuSeconds * 1000) / PUBLISHED_JOB_COUNT };
}
