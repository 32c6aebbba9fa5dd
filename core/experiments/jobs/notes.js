/** Describes what was measured, how the figures were computed, and their limits. */
import { formatRtt } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { countBlocks, describeBlocks } from '../../experiment/plan/blocks.js';
import { isBrowser, shownNameOf } from '../../experiment/run/names.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import { labelOfDelivery } from '../../experiment/answer/labels.js';
import { TOO_SMALL } from './figures.js';
import { describeJobs, formatDuration, isSequential, openJobCountOf } from './plan.js';
import { clockFaultOf, CLOCK_TOLERANCE, lagErrorOf, roundTripOf, SERVER_STEP_MS } from './trial.js';

/**
 * @import { JobsDocument } from './schema.js'
 * @import { JobsRow, Measured } from './summary.js'
 */

/** @param {{ delivery: string, intervalMs?: number }} one a row, or a trial */
export const nameOf = ({ delivery, intervalMs }) => labelOfDelivery(delivery, intervalMs);

/** @param {JobsDocument} document @returns {string} the plan, the client and the server */
export function describeRun({ plan, trials, roundTripMs, environment: { url, userAgent }, statusBefore }) {
  const [floorMs, typicalMs] = [roundTripOf({ roundTripMs }), median(roundTripMs)];
  const roundTrip =
    floorMs === undefined || typicalMs === undefined
      ? 'No round trip could be measured.'
      : `Fastest round trip ${formatRtt(floorMs)} ms; a request typically takes ${formatRtt(typicalMs)} ms (median of ${roundTripMs.length}).`;
  const client = !isBrowser(userAgent) ? userAgent : 'a browser, all users in one page';
  const server = [shownNameOf(statusBefore?.server ?? ''), new URL(url).host].filter(Boolean).join(', ');
  const blocks = (plan.blocks ?? 1) > 1 ? `${describeBlocks({ plan, trials })}; ` : '';
  return `${describeJobs(plan)}; late after ${formatDuration(plan.limitMs)}; ${blocks}seed ${plan.seed}. ${roundTrip} Client: ${client}; server: ${server}. ${describePollCost(statusBefore)}`.trim();
}

/** @param {{ pollCostMs?: number }} [status] of the server @returns {string} a sentence; empty if polls cost no more */
export function describePollCost({ pollCostMs } = {}) {
  return pollCostMs ? `Each poll cost the server ${pollCostMs} ms of extra CPU time, set by its operator.` : '';
}

/**
 * Describes how the figures were computed, and their limits.
 * @param {Measured} measured @param {readonly JobsRow[]} rows
 */
export function describeClocks(measured, rows) {
  const { users, jobs } = measured.plan;
  const blocks = countBlocks(measured.trials);
  return [
    ...describeLag(measured),
    blocks > 1
      ? `Intervals and verdicts are over ${blocks} blocks (Student’s t). Each block has one trial of every delivery method, with the same ${users * jobs} jobs. Server CPU has no interval; it varies from run to run.`
      : `Each delivery method had one trial of the same ${users * jobs} jobs. The interval of polling is over the jobs. The other methods have none: one stall delays all jobs that wait. Server CPU varies from run to run.`,
    rows.some(({ delivery }) => delivery === 'poll') &&
      'The prediction for polling uses the measured poll period. Push has no prediction: its minimum is half a round trip.',
    rows.some(({ bytesPerJob }) => bytesPerJob) &&
      'Bytes are counted at the server’s sockets, with headers and without TLS. Behind a proxy, they are those between proxy and server.',
    rows.some(({ cpuMsPerJob, cpuFault }) => cpuMsPerJob !== undefined || cpuFault === TOO_SMALL) &&
      `Server CPU is the user and system time of all its processes, minus idle use and the cost of the readings. CPU below half of the idle use is “${TOO_SMALL}”.`,
  ].filter((sentence) => sentence !== false);
}

/** @param {Measured} measured @returns {string[]} */
function describeLag(measured) {
  const roundTripMs = roundTripOf(measured);
  if (roundTripMs === undefined) return ['No round trip could be measured, so there is no latency.'];
  const { plan, trials, environment } = measured;
  const stepMs = environment?.stepMs ?? 0;
  const faults = trials.map(({ notified }) => clockFaultOf(notified, roundTripMs, stepMs));
  const more = isSequential(plan)
    ? 'the time that creating the job took beyond one round trip'
    : `${CLOCK_TOLERANCE * 1000} ms per second of the job`;
  const steps = stepMs > 0 ? ', one step of the client’s clock' : '';
  const exactness = `A latency may be off by up to ${lagErrorOf(roundTripMs, stepMs).toFixed(1)} ms (half a round trip${steps} and ${SERVER_STEP_MS} ms of the server’s clock), plus ${more}. The two clocks need not agree.`;
  if (faults.includes('coarse')) {
    const delay = `This client’s clock has steps of ${stepMs.toFixed(1)} ms, too coarse to tell how late it read the server’s answers.`;
    return [exactness, `${delay} A latency may be too short by that delay.`];
  }
  const several = new Set(trials.filter((_, i) => faults[i] === 'several').map(nameOf));
  if (several.size === 0) return [exactness];
  const fault =
    'the server’s creation times do not fit one clock, as with several machines. A latency may be too short.';
  return [exactness, `${[...several].join(', ')}: ${fault}`];
}

/** @param {Measured} measured @returns {string[]} a sentence; none if no request had to wait for another */
export function describeSharing({ plan, trials, environment }) {
  const isPage = isBrowser(environment?.userAgent ?? '');
  // The users of a page share one browser.
  const sharing = isPage ? plan.users : 1;
  /** @type {Record<string, number>} how many requests are open at once */
  const openCounts = { 'long-poll': sharing * openJobCountOf(plan), sse: sharing };
  const shared = trials.filter(
    ({ delivery, protocol }) => protocol === 'http/1.1' && openCounts[delivery] > HTTP1_CONNECTION_COUNT,
  );
  if (shared.length === 0) return [];
  const names = [...new Set(shared.map(nameOf))].join(' and ');
  const who = isPage ? 'all users of this page' : 'the jobs of each user';
  const limit = `${HTTP1_CONNECTION_COUNT} connections, a browser’s limit per server over HTTP/1.1`;
  return [`${names}: ${who} shared ${limit}. The wait for one counts as latency. HTTP/2 has no such limit.`];
}
