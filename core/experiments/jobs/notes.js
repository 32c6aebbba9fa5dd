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
      ? ['No round trip could be measured, so no lag can be told.']
      : describeLag(measured, roundTripMs)),
    `Each way had one trial of the same ${plan.users * plan.jobs} jobs. The interval of polling’s lag is over the jobs. Other ways have none: a stall delays all jobs that it meets, so between those a difference of some ms may be chance. Nor have bytes, requests and CPU, which rest on one trial each; CPU may differ much from run to run.`,
    ...(rows.some(({ way }) => way === 'poll')
      ? [
          'Polling’s lag is predicted for the period that it really had. For ways that are told there is no prediction but that half a round trip is the least.',
        ]
      : []),
    ...(rows.some(({ bytesPerJob }) => bytesPerJob)
      ? [
          'Bytes are what the server’s sockets counted, heads included: between server and proxy where there is one, and without what TLS adds.',
        ]
      : []),
    ...(hasCpu
      ? [
          'Server CPU is that of all its processes, user and system, less what they take by themselves and for being asked; what is not above the half of what they take by themselves is too small to tell.',
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
    'Lag is the time from done to known. No clocks need to agree: a creation answer was half a round trip on its way, so a job is done its duration after that, less the half';
  const error = `half a round trip, a step of the client’s clock and the millisecond to which the server keeps time, here ${lagErrorOf(roundTripMs, stepMs).toFixed(1)} ms, and by ${CLOCK_TOLERANCE * 1000} ms a second where a clock is being set right`;
  if (isCoarse) {
    return [
      `${lag}. This client’s clock has steps of ${stepMs.toFixed(1)} ms, too coarse to tell how late the answers were read: a lag may be too short by as much, besides ${error}.`,
    ];
  }
  const names = several.map(({ way, intervalMs }) => labelOfWay(way, intervalMs)).join(', ');
  return [
    `${lag}; by how much later than the soonest the other answers of a trial were read is known from when the server says it made each job. It may be off by ${error}.`,
    ...(several.length > 0
      ? [
          `${names}: the server’s words of when it made the jobs fit no single clock, to ${SERVER_STEP_MS} ms, as those of several machines. So how late answers were read is not known there: a lag may be too short by as much.`,
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
