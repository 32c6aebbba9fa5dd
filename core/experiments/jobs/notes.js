/** What stands around the figures of poll or push: what was run at their head, how they came about beneath them. */
import { labelOfWay } from '../../net/delivery/labels.js';
import { clockFaultOf, CLOCK_TOLERANCE, lagErrorOf, SERVER_STEP_MS } from './lag.js';
import { describeJobCount, formatDurations, formatDuration } from './plan.js';
import { roundTripOf, summarizeJobs, TOO_SMALL } from './summary.js';
import { PUBLISHED_NOTES } from './published-2018.js';

/** @import { JobsDocument, JobsRow, Measured } from './summary.js' */

/** @param {JobsDocument} document @returns {string} what was run, by what, against which server */
export function describeRun({ plan, roundTripMs, environment: { url, userAgent }, statusBefore }) {
  const shortestMs = roundTripOf({ roundTripMs });
  const count = roundTripMs.length;
  const way =
    shortestMs === undefined
      ? 'No round trip could be measured.'
      : `Shortest of ${count} round ${count === 1 ? 'trip' : 'trips'}: ${shortestMs.toFixed(2)} ms.`;
  const client = userAgent.startsWith('Node.js ') ? userAgent : 'a browser, all users in one page';
  const { host } = new URL(url);
  const server = statusBefore?.server ? `${statusBefore.server}, ${host}` : host;
  return `${describeJobCount(plan)}, of ${formatDurations(plan)}, late after ${formatDuration(plan.limitMs)}; seed ${plan.seed}. ${way} By ${client}; server: ${server}.`;
}

/**
 * How the figures came about, and what they cannot say.
 *
 * @param {Measured} measured
 * @param {readonly JobsRow[]} [rows] where they are known
 * @returns {string[]} sentences
 */
export function describeClocks(measured, rows = summarizeJobs(measured)) {
  const roundTripMs = roundTripOf(measured);
  const { plan } = measured;
  const hasCpu = rows.some(({ cpuMsPerJob, cpuFault }) => cpuMsPerJob !== undefined || cpuFault === TOO_SMALL);
  return [
    ...(roundTripMs === undefined
      ? ['No round trip could be measured, so there is no latency.']
      : describeLag(measured, roundTripMs)),
    `Each delivery method had one trial of the same ${plan.users * plan.jobs} jobs. The confidence interval for polling is over the jobs. The other methods have none: one stall delays all jobs that wait, so a difference of some ms between them may be chance. Bytes, requests and CPU rest on one trial each and have none either; CPU varies much from run to run.`,
    ...(rows.some(({ way }) => way === 'poll')
      ? [
          'The latency of polling is predicted for the period that was measured. For push there is no prediction: half a round trip is the minimum.',
        ]
      : []),
    ...(rows.some(({ bytesPerJob }) => bytesPerJob)
      ? [
          'Bytes are counted at the server’s sockets, headers included. With a proxy they are those between server and proxy, without TLS.',
        ]
      : []),
    ...(hasCpu
      ? [
          'Server CPU is the user and system time of all its processes, less what they use when idle and for this measurement. Less than half of the idle use is too little to tell.',
        ]
      : []),
  ];
}

/** @param {Measured} measured @param {number} roundTripMs */
function describeLag({ trials, environment }, roundTripMs) {
  const stepMs = environment?.stepMs ?? 0;
  const faults = trials.map(({ told }) => clockFaultOf(told, roundTripMs, stepMs));
  const several = trials.filter((_, i) => faults[i] === 'several');
  const isCoarse = faults.includes('coarse');
  const lag =
    'Latency is the time from the end of a job until the client knows. No clocks need to agree: a job ends its duration after its creation answer, less half a round trip';
  const error = `half a round trip, a step of the client’s clock and the millisecond to which the server keeps time, here ${lagErrorOf(roundTripMs, stepMs).toFixed(1)} ms, and by ${CLOCK_TOLERANCE * 1000} ms a second where a clock is being set right`;
  if (isCoarse) {
    return [
      `${lag}. This client’s clock has steps of ${stepMs.toFixed(1)} ms, too coarse to tell how late the answers were read: a latency may be too short by as much, besides ${error}.`,
    ];
  }
  const names = several.map(({ way, intervalMs }) => labelOfWay(way, intervalMs)).join(', ');
  return [
    `${lag}; how late the client read each answer follows from the server’s creation times. It may be off by ${error}.`,
    ...(several.length > 0
      ? [
          `${names}: the server’s creation times do not fit one clock, to ${SERVER_STEP_MS} ms, as with several machines. So it is not known how late the answers were read: a latency may be too short by as much.`,
        ]
      : []),
  ];
}

/**
 * @param {readonly JobsRow[]} rows
 * @returns {readonly string[]} what to know of the figures of 2018; none where none stand beside these
 */
export function describePublished(rows) {
  return rows.some(({ published }) => published) ? PUBLISHED_NOTES : [];
}
