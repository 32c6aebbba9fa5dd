/** What a job costs in requests, bytes and CPU time, by the server's record of its traffic; or why that is not known. */
import { deliveries } from '../../net/delivery/index.js';

/**
 * @import { JobsTrial } from './schema.js'
 * @import { Measured } from './summary.js'
 * @typedef {{ up: number, down: number, both: number }} Bytes
 */

/** The reasons why the traffic of a trial is missing. */
const TRAFFIC_FAULTS = Object.freeze({
  unread: 'the server did not report its traffic',
  silent: 'a server process did not report its traffic',
  restarted: 'server processes started or stopped',
  open: 'connections stayed open',
});
/** The CPU use of the idle server is measured once, for a second or two; it may be off by this part. */
const UNSTEADY_RATIO = 0.5;
export const TOO_SMALL = 'too small to tell';

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
function trafficFaultOf({ requestCount, traffic, trafficFault }) {
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

/**
 * Computes the CPU time of whole processes, less their idle use and that of the readings. Idle use varies: a difference
 * that is not above half of it may be chance.
 * @param {JobsTrial} trial @param {Measured} measured @param {number} jobCount
 * @returns {{ cpuMsPerJob?: number, cpuFault?: string }}
 */
export function cpuOf(trial, { idle }, jobCount) {
  const { traffic } = trial;
  const fault = trafficFaultOf(trial);
  if (fault || !traffic) return { cpuFault: `not measured: ${fault}` };
  if (!idle || idle.elapsedMs === 0) return { cpuFault: 'not measured: the idle server did not report its traffic' };
  const otherCount = Math.abs(traffic.otherCount) || Math.abs(idle.otherCount);
  if (otherCount > 0)
    return { cpuFault: `not measured: ${otherCount} other ${otherCount === 1 ? 'request' : 'requests'}` };
  const ownMs = ((idle.cpuMs - idle.readingCpuMs) / idle.elapsedMs) * traffic.elapsedMs;
  const cpuMs = traffic.cpuMs - ownMs - traffic.readingCount * idle.readingCpuMs;
  return cpuMs <= 0 || cpuMs <= ownMs * UNSTEADY_RATIO ? { cpuFault: TOO_SMALL } : { cpuMsPerJob: cpuMs / jobCount };
}
