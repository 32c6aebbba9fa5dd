/** What a delivery method costs: requests, bytes and the server's CPU time, each per job. */

/**
 * @import { JobsTrial } from './measure.js'
 * @import { JobsRow, Measured } from './summary.js'
 */

/** Why the traffic of a trial is missing. */
const TRAFFIC_FAULTS = Object.freeze({
  unread: 'the server could not be asked',
  silent: 'a worker of the server did not answer',
  restarted: 'workers of the server came or went',
  open: 'connections stayed open',
});
const TOO_FEW = 'the server recorded fewer requests than were sent';
const ENDED = 'the run ended before';
/** The CPU use of the idle server is measured once, for a second or two; it may be off by this part. */
const UNSTEADY_RATIO = 0.5;
export const TOO_SMALL = 'too small to tell';

/**
 * The messages of a WebSocket count beside its upgrade; elsewhere each message is a request already.
 * @param {JobsTrial} trial @param {number} jobCount @returns {number | undefined}
 */
export function requestsPerJobOf(trial, jobCount) {
  const { protocol, requestCount, traffic, way } = trial;
  if (traffic && trafficFaultOf(trial) === undefined) {
    return (traffic.requestCount + (protocol === 'websocket' ? traffic.messageCount : 0)) / jobCount;
  }
  const isWhole = requestCount !== undefined && isAllEnded(trial, jobCount);
  return isWhole && way !== 'push' && way !== 'sockjs' ? requestCount / jobCount : undefined;
}

/** @param {JobsTrial} trial @param {number} jobCount */
const isAllEnded = ({ told, failures }, jobCount) => told.job.length + failures.length === jobCount;

/**
 * @param {JobsTrial} trial
 * @returns {string | undefined} why what the server recorded is missing or wrong; absent where it is neither
 */
function trafficFaultOf({ requestCount, traffic, trafficFault }) {
  if (!traffic) return trafficFault ? TRAFFIC_FAULTS[trafficFault] : ENDED;
  return requestCount !== undefined && traffic.requestCount < requestCount ? TOO_FEW : undefined;
}

/** @param {JobsTrial} trial @param {number} jobCount @returns {Pick<JobsRow, 'bytesPerJob' | 'bytesFault'>} */
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
 * @returns {Pick<JobsRow, 'cpuMsPerJob' | 'cpuFault'>}
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
