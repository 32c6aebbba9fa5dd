/** What stands beside the figures of polling or push: what was run, how the figures were made, and what limits them. */
import { labelOfDelivery } from '../../net/delivery/labels.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http1-connections.js';
import { PUBLISHED_NOTES, TOO_SMALL } from './cost.js';
import { clockFaultOf, CLOCK_TOLERANCE, lagErrorOf, roundTripOf, SERVER_STEP_MS } from './lag.js';
import { describeJobCount, formatDuration, formatDurations } from './plan.js';

/**
 * @import { JobsDocument } from './document.js'
 * @import { JobsRow, Measured } from './summary.js'
 */

/** @param {JobsDocument} document @returns {string} what was run, with which client, against which server */
export function describeRun({ plan, roundTripMs, environment: { url, userAgent }, statusBefore }) {
  const roundTrip =
    roundTripMs.length === 0
      ? 'No round trip could be measured.'
      : `Shortest of ${roundTripMs.length} round trips: ${roundTripOf({ roundTripMs })?.toFixed(2)} ms.`;
  const client = isNode(userAgent) ? userAgent : 'a browser, all users in one page';
  const server = [...(statusBefore?.server ? [statusBefore.server] : []), new URL(url).host].join(', ');
  const blocks = (plan.blocks ?? 1) > 1 ? `${plan.blocks} blocks; ` : '';
  return `${describeJobCount(plan)}, of ${formatDurations(plan)}, late after ${formatDuration(plan.limitMs)}; ${blocks}seed ${plan.seed}. ${roundTrip} Client: ${client}; server: ${server}.`;
}

/** How the figures were made, and what they cannot say. @param {Measured} measured @param {readonly JobsRow[]} rows */
export function describeClocks(measured, rows) {
  const { users, jobs, blocks = 1 } = measured.plan;
  return [
    ...describeLag(measured),
    blocks > 1
      ? `Intervals and verdicts are over ${blocks} blocks (Student’s t). Each block has one trial of every delivery method, with the same ${users * jobs} jobs. Server CPU has no interval; it varies from run to run.`
      : `Each delivery method had one trial of the same ${users * jobs} jobs. The interval of polling is over the jobs. The other methods have none: one stall delays all jobs that wait. Server CPU varies from run to run.`,
    rows.some(({ delivery }) => delivery === 'poll') &&
      'The prediction for polling is for the period that was measured. Push has none: half a round trip is its minimum.',
    rows.some(({ bytesPerJob }) => bytesPerJob) &&
      'Bytes are counted at the server’s sockets, with headers and without TLS. Behind a proxy, they are those between proxy and server.',
    rows.some(({ cpuMsPerJob, cpuFault }) => cpuMsPerJob !== undefined || cpuFault === TOO_SMALL) &&
      'Server CPU is the user and system time of all its processes, minus idle use and readings. Up to half of the idle use is too small to tell.',
  ].filter((sentence) => sentence !== false);
}

/** @param {Measured} measured @returns {string[]} */
function describeLag(measured) {
  const roundTripMs = roundTripOf(measured);
  if (roundTripMs === undefined) return ['No round trip could be measured, so there is no latency.'];
  const { trials, environment } = measured;
  const stepMs = environment?.stepMs ?? 0;
  const faults = trials.map(({ told }) => clockFaultOf(told, roundTripMs, stepMs));
  const several = trials.filter((_, i) => faults[i] === 'several').map(nameOf);
  const lag = 'Latency is the time from the end of a job until the client knows. The clocks need not agree.';
  const error = `half a round trip, a step of the client’s clock and 1 ms of the server’s: here ${lagErrorOf(roundTripMs, stepMs).toFixed(1)} ms, plus ${CLOCK_TOLERANCE * 1000} ms per second of the job`;
  if (faults.includes('coarse')) {
    return [
      `${lag} This client’s clock has steps of ${stepMs.toFixed(1)} ms, too coarse to tell when it read the answers: a latency may be too short by that, and off by ${error}.`,
    ];
  }
  const exactness = `${lag} It may be off by ${error}.`;
  if (several.length === 0) return [exactness];
  return [
    exactness,
    `${[...new Set(several)].join(', ')}: the server’s creation times do not fit one clock, to ${SERVER_STEP_MS} ms, as with several machines. A latency may be too short.`,
  ];
}

/** @param {readonly JobsRow[]} rows @returns {readonly string[]} about the figures of 2018; none where none are shown */
export const describePublished = (rows) => (rows.some(({ published }) => published) ? PUBLISHED_NOTES : []);

/** Timers and answers that come late stay below this. */
const KEPT_RATIO = 1.05;

/**
 * A sentence for each interval that was not kept: polls that wait for each other are sent less often, and find out later.
 * @param {readonly JobsRow[]} rows @param {Pick<Measured, 'roundTripMs'>} run
 */
export function describePeriods(rows, run) {
  const roundTripMs = roundTripOf(run) ?? 0;
  return rows
    .filter(({ intervalMs = 0, periodMs = 0 }) => periodMs > (intervalMs + roundTripMs) * KEPT_RATIO)
    .map(
      ({ delivery, intervalMs, periodMs }) =>
        `${labelOfDelivery(delivery, intervalMs)}: polled every ${Math.round(Number(periodMs))} ms on average, as requests waited or answers came late.`,
    );
}

/** @param {{ way: string, intervalMs?: number }} trial */
const nameOf = ({ way, intervalMs }) => labelOfDelivery(way, intervalMs);

/** @param {string} userAgent */
const isNode = (userAgent) => userAgent.startsWith('Node.js ');

/** @param {Measured} measured @returns {string[]} a sentence; none where no request had to wait for another */
export function describeSharing({ plan: { users, jobs }, trials, environment }) {
  const isPage = !isNode(environment?.userAgent ?? '');
  // A page's users are all in one browser.
  const sharing = isPage ? users : 1;
  /** @type {Record<string, number>} how many requests are open at once */
  const openCounts = { 'long-poll': sharing * jobs, sse: sharing };
  const shared = trials.filter(
    ({ way, protocol }) => protocol === 'http/1.1' && openCounts[way] > HTTP1_CONNECTION_COUNT,
  );
  if (shared.length === 0) return [];
  const names = [...new Set(shared.map(nameOf))].join(' and ');
  const who = isPage ? 'all users of this page' : 'the jobs of each user';
  return [
    `${names}: ${who} shared ${HTTP1_CONNECTION_COUNT} connections, as a browser has to a server over HTTP/1.1. Waiting for one is in the latency. HTTP/2 has no such limit.`,
  ];
}
