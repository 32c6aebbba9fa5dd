/** What polling or push comes to: the answer, a chart of latency and cost, a short table, and the rest as details. */
import { formatSigned, DASH, formatInterval } from '../../base/format.js';
import { sumOf } from '../../base/statistics.js';
import { describeTooFewBlocks, isClear, MIN_BLOCKS, SAME_PERCENT, VERDICT_LABELS } from '../../experiment/compare.js';
import { fixed } from '../../experiment/table.js';
import { isBrowser } from '../../experiment/names.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import { labelOfDelivery, labelWithin } from '../../net/labels.js';
import { PUBLISHED_NOTES, TOO_SMALL } from './summary.js';
import { clockFaultOf, CLOCK_TOLERANCE, lagErrorOf, roundTripOf, SERVER_STEP_MS } from './lag.js';
import { describeJobs, formatDuration, formatDurations, isSequential, openJobCountOf } from './plan.js';

/**
 * @import { Chart, Column, Report } from '../../experiment/contract.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Judged } from '../../experiment/compare.js'
 * @import { JobsDocument } from './schema.js'
 * @import { JobsRow, Measured } from './summary.js'
 */

/** So many kinds of failures are listed one by one. */
const MAX_REASONS = 3;

/** @param {readonly JobsRow[]} rows @param {JobsDocument} document @returns {Report} of a run that ended early no verdict */
export function report(rows, document) {
  const { ending, plan } = document;
  const faults = rows.flatMap((row) => describeFaults(row, plan));
  const latency = `Latency: from the job’s end until the client is notified (push: one way). Jobs of ${formatDurations(plan)}.`;
  const isLost = ending?.kind === 'invalid';
  const published = rows.some((row) => row.published) ? PUBLISHED_NOTES : [];
  return {
    heading: 'Notification latency and cost',
    answer: ending ? undefined : describeAnswer(rows, plan),
    sentences: [
      ...(ending ? [] : [latency, ...describeCost(rows, plan), ...describePeriods(rows, document)]),
      // All that were open when a run was lost failed for the reason of its ending.
      ...(isLost ? [] : faults),
    ],
    notes: [
      describeRun(document),
      ...(isLost ? faults : []),
      ...(ending ? [] : [...describeSharing(document), ...describeClocks(document, rows), ...published]),
    ],
    tables: tabulateJobs(rows),
    charts: [chartOf(rows)],
  };
}

/** @param {{ delivery: string, intervalMs?: number }} one a row, or a trial */
const nameOf = ({ delivery, intervalMs }) => labelOfDelivery(delivery, intervalMs);

/** As it stands within a sentence. @param {Pick<JobsRow, 'delivery' | 'intervalMs'>} row */
const nameWithin = ({ delivery, intervalMs }) => labelWithin(delivery, intervalMs);

/**
 * The baseline compared with polling at its longest interval.
 * @param {readonly JobsRow[]} rows @param {{ blocks?: number }} plan @returns {string}
 */
function describeAnswer(rows, { blocks = 1 }) {
  if (rows.every(({ notifiedCount }) => notifiedCount === 0)) return 'No client was notified of any job.';
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  const poll = findPolling(rows);
  if (!baseline || !poll) return describeFirst(baseline ? [baseline, ...rows] : rows);
  const { latency, bytes, differenceInterval: interval } = poll.comparison;
  const polling = nameWithin(poll);
  if (latency.word === 'same') {
    return `${nameOf(baseline)} and ${polling} have the same notification latency, within ${SAME_PERCENT}%.`;
  }
  const { estimate, low, high } = interval;
  if (latency.word ? !isClear(latency) : low <= 0 && high >= 0) {
    const pair = `notification latency between ${polling} and ${nameWithin(baseline)}`;
    const tooFew = latency.word ? undefined : describeTooFewBlocks(blocks);
    return tooFew ? `Difference in ${pair}: ${tooFew}.` : `This run shows no clear difference in ${pair}.`;
  }
  const ci = estimate > 0 ? interval : { estimate: -estimate, low: -high, high: -low };
  const decimals = decimalsFor(ci, poll);
  const ms = formatSigned(ci.estimate, ci.estimate < 100 ? decimals : 0);
  const share = bytes.word ? `, with ${describeFactor(bytes, 'bytes per job')}` : '';
  return `${nameOf(baseline)} notified clients ${ms} ms ${estimate > 0 ? 'sooner' : 'later'} than ${polling} (95% CI ${formatEnds(ci, decimals)} ms)${share}.`;
}

/** @param {readonly JobsRow[]} rows @returns {(JobsRow & { comparison: { differenceInterval: Interval } }) | undefined} */
const findPolling = (rows) =>
  /** @type {any} */ (rows.find(({ delivery, comparison }) => delivery === 'poll' && comparison?.differenceInterval));

/** @param {readonly JobsRow[]} rows of which none is polling beside a baseline; that is the first, if there is one */
function describeFirst(rows) {
  const row = rows.find(({ lag }) => lag.meanMs !== undefined);
  if (!row) return 'The notification latency could not be measured.';
  return `${nameOf(row)} notified clients ${formatSigned(Number(row.lag.meanMs), row.lagDecimals)} ms after a job was done, on average.`;
}

/** @param {readonly JobsRow[]} rows @param {{ blocks?: number }} plan @returns {string[]} what the answer does not say */
function describeCost(rows, { blocks = 1 }) {
  const poll = findPolling(rows);
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  if (!poll || !baseline) return [];
  const { latency, requests } = poll.comparison;
  if (!latency.word) {
    const had = blocks < MIN_BLOCKS ? blocks : 'fewer';
    return [`A verdict on costs needs ${MIN_BLOCKS} complete blocks; this run has ${had}.`];
  }
  const { word, ratio } = requests;
  if (!word || !ratio) return [];
  const ci = word === 'faster' ? ` (95% CI ${percentLess(ratio.low).replace('%', '')}–${percentLess(ratio.high)})` : '';
  const factor = describeFactor(requests, 'requests and messages per job');
  return [`Compared with ${nameWithin(poll)}, ${nameWithin(baseline)} has ${factor}${ci}.`];
}

/** @param {Judged} factor that has a verdict @param {string} what @returns {string} of the baseline */
function describeFactor({ ratio, word }, what) {
  const { estimate } = /** @type {Interval} */ (ratio);
  if (word === 'faster') return `${percentLess(estimate)} fewer ${what}`;
  if (word === 'slower') return `${(1 / estimate).toFixed(1)} times as many ${what}`;
  return word === 'same' ? `the same ${what} within ${SAME_PERCENT}%` : `no clear difference in ${what}`;
}

/** How much less the baseline needs, like '93%' for 14.2. @param {number} ratio of the other to the baseline, above 1 */
function percentLess(ratio) {
  const percent = 100 * (1 - 1 / ratio);
  return `${percent > 99 ? Math.floor(10 * percent) / 10 : Math.round(percent)}%`;
}

/** @param {JobsRow} row @param {{ limitMs: number }} plan */
function describeFaults({ lateCount, failureCount, failureReasons, openCount, jobCount, ...row }, { limitMs }) {
  const others = sumOf(failureReasons.slice(MAX_REASONS), ([, count]) => count);
  const reasons = failureReasons.slice(0, MAX_REASONS).map(([text, count]) => `${text.replace(/\.$/, '')} (${count})`);
  if (others > 0) reasons.push(`others (${others})`);
  const parts = [
    ...(lateCount > 0 ? [`${lateCount} of ${jobCount} jobs were late (after ${formatDuration(limitMs)})`] : []),
    ...(failureCount > 0 ? [`${failureCount} of ${jobCount} jobs failed: ${reasons.join(', ')}`] : []),
    ...(openCount > 0 ? [`${openCount} of ${jobCount} jobs were open when the run ended`] : []),
  ];
  return parts.length === 0 ? [] : [`${nameOf(row)}: ${parts.join('; ')}. Its latency excludes them.`];
}

/** @param {JobsDocument} document @returns {string} what was run, with which client, against which server */
export function describeRun({ plan, roundTripMs, environment: { url, userAgent }, statusBefore }) {
  const roundTrip =
    roundTripMs.length === 0
      ? 'No round trip could be measured.'
      : `Shortest of ${roundTripMs.length} round trips: ${roundTripOf({ roundTripMs })?.toFixed(2)} ms.`;
  const client = !isBrowser(userAgent) ? userAgent : 'a browser, all users in one page';
  const server = [...(statusBefore?.server ? [statusBefore.server] : []), new URL(url).host].join(', ');
  const blocks = (plan.blocks ?? 1) > 1 ? `${plan.blocks} blocks; ` : '';
  return `${describeJobs(plan)}; late after ${formatDuration(plan.limitMs)}; ${blocks}seed ${plan.seed}. ${roundTrip} Client: ${client}; server: ${server}. ${describePollCost(statusBefore)}`.trim();
}

/** @param {{ pollCostMs?: number }} [status] of the server @returns {string} a sentence; empty where polls cost no more */
export function describePollCost({ pollCostMs } = {}) {
  return pollCostMs ? `Each poll cost the server ${pollCostMs} ms of extra CPU time, set by its operator.` : '';
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

/** Timers and answers that come late stay below this. */
const KEPT_RATIO = 1.05;

/** Of intervals that were not kept. @param {readonly JobsRow[]} rows @param {Pick<Measured, 'roundTripMs'>} run */
function describePeriods(rows, run) {
  const roundTripMs = roundTripOf(run) ?? 0;
  return rows.flatMap(({ periodMs = 0, ...row }) => {
    if (periodMs === 0 || periodMs <= (Number(row.intervalMs) + roundTripMs) * KEPT_RATIO) return [];
    return `${nameOf(row)}: polled every ${Math.round(periodMs)} ms on average, because requests waited or answers were late.`;
  });
}

/** @param {Measured} measured @returns {string[]} a sentence; none where no request had to wait for another */
export function describeSharing({ plan, trials, environment }) {
  const isPage = isBrowser(environment?.userAgent ?? '');
  // A page's users are all in one browser.
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

/** Of a delivery method, by the baseline's. @type {Record<string, string | undefined>} */
const VERDICTS = { ...VERDICT_LABELS, faster: VERDICT_LABELS.slower, slower: VERDICT_LABELS.faster };

/** @param {Pick<JobsRow, 'lagDecimals'>} row @param {number | undefined} ms */
const formatLag = ({ lagDecimals }, ms) => (ms === undefined ? DASH : formatSigned(ms, lagDecimals));

/** @param {Pick<JobsRow, 'lagDecimals'>} row @param {number | undefined} ms @param {Interval} [interval] */
function formatWithCi(row, ms, interval) {
  if (!interval) return formatLag(row, ms);
  const lagDecimals = decimalsFor(interval, row);
  return `${formatLag({ lagDecimals }, interval.estimate)} (${formatEnds(interval, lagDecimals)})`;
}

/** One more where the ends would be the same. @param {Interval} interval @param {Pick<JobsRow, 'lagDecimals'>} row */
export function decimalsFor({ low, high }, { lagDecimals }) {
  const isOnePoint = formatSigned(low, lagDecimals) === formatSigned(high, lagDecimals);
  return lagDecimals + (isOnePoint ? 1 : 0);
}

/** @param {Interval} interval @param {number} decimals at most @returns {string} like '282–365', or '−4 to 3' */
export function formatEnds(interval, decimals) {
  const ends = formatInterval(interval, 0, decimals);
  // Beside a dash a minus cannot be read.
  return ends.includes('−') ? ends : ends.replace(' to ', '–');
}

/** @type {Column<{ delivery: string, intervalMs?: number }>} */
export const DELIVERY = {
  title: 'Delivery method',
  isText: true,
  isKey: true,
  value: ({ delivery, intervalMs }) => labelOfDelivery(delivery, intervalMs),
};

/** @type {readonly Column<JobsRow>[]} */
const SHORT = [
  DELIVERY,
  {
    title: 'Mean latency, ms (95% CI)',
    name: 'mean_ms',
    value: (row) => formatWithCi(row, row.lag.meanMs, row.lag.interval),
  },
  {
    title: 'Difference to baseline, ms (95% CI)',
    name: 'above_baseline_ms',
    value: ({ isBaseline, comparison, ...row }) =>
      isBaseline ? 'baseline' : formatWithCi(row, comparison?.differenceMs, comparison?.differenceInterval),
  },
  { title: 'Verdict', isText: true, value: ({ comparison }) => VERDICTS[comparison?.latency.word ?? 'none'] },
  { title: 'Requests and messages per job', value: ({ requestsPerJob }) => requestsPerJob, format: fixed(2) },
  {
    title: 'kB per job',
    value: ({ bytesFault, bytesPerJob }) => (bytesFault ? 'not measured' : fixed(2)(Number(bytesPerJob?.both) / 1000)),
  },
];

/** @type {readonly Column<JobsRow>[]} */
const LATENCIES = [
  DELIVERY,
  { title: 'Protocol', isText: true, value: ({ protocol }) => protocol },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.p50Ms) },
  { title: 'p95', name: 'p95_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.p95Ms) },
  { title: 'Max', name: 'max_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.maxMs) },
  { title: 'Predicted mean', unit: 'ms', value: (row) => formatLag(row, row.prediction.meanLagMs) },
  { title: 'Polls per job', name: 'polls_per_job', value: ({ pollsPerJob }) => pollsPerJob, format: fixed(2) },
  { title: 'Predicted polls per job', value: ({ prediction }) => prediction.pollsPerJob, format: fixed(2) },
  { title: 'Poll period', name: 'period_ms', unit: 'ms', value: ({ periodMs }) => periodMs, format: fixed(0) },
  { title: 'Notified', name: 'notified', value: ({ notifiedCount }) => notifiedCount },
  { title: 'Late', name: 'late', value: ({ lateCount }) => lateCount },
  { title: 'Failed', name: 'failures', value: ({ failureCount }) => failureCount },
];

const CPU = 'Server CPU per job';

/** @param {boolean} isAs2018 are there figures of 2018 to compare with? @returns {Column<JobsRow>[]} */
const costColumns = (isAs2018) => [
  DELIVERY,
  { title: 'Bytes sent per job', value: ({ bytesFault, bytesPerJob }) => bytesFault ?? bytesPerJob?.up.toFixed(0) },
  { title: 'Bytes received per job', value: ({ bytesPerJob }) => bytesPerJob?.down, format: fixed(0) },
  { title: 'KiB per job', value: ({ bytesPerJob }) => bytesPerJob && bytesPerJob.both / 1024, format: fixed(2) },
  ...columnsOf2018(isAs2018, { title: 'KiB per job in 2018', value: ({ published }) => published?.kibPerJob }),
  { title: CPU, unit: 'ms', value: ({ cpuFault, cpuMsPerJob }) => cpuFault ?? cpuMsPerJob?.toFixed(3) },
  ...columnsOf2018(isAs2018, { title: `${CPU} in 2018`, unit: 'ms', value: ({ published }) => published?.cpuMsPerJob }),
];

/** @param {boolean} isShown @param {Column<JobsRow>} column */
const columnsOf2018 = (isShown, column) => (isShown ? [{ ...column, format: fixed(2) }] : []);

/** @param {readonly JobsRow[]} rows @returns {Report['tables']} */
export const tabulateJobs = (rows) => [
  { columns: SHORT, rows },
  { heading: 'Latency and polls', columns: LATENCIES, rows, isDetail: true },
  {
    heading: 'Bytes and server CPU',
    columns: costColumns(rows.some(({ published }) => published)),
    rows,
    isDetail: true,
  },
];

/** Latency against bytes, or requests where those are not known. @param {readonly JobsRow[]} rows @returns {Chart} */
function chartOf(rows) {
  const hasBytes = rows.every(({ bytesPerJob }) => bytesPerJob);
  const dots = rows.flatMap(({ delivery, intervalMs, lag, bytesPerJob, requestsPerJob }) => {
    const cost = bytesPerJob && hasBytes ? bytesPerJob.both / 1000 : requestsPerJob;
    if (cost === undefined || lag.meanMs === undefined) return [];
    const label = labelOfDelivery(delivery, intervalMs);
    return [{ label, colour: `delivery-${delivery}`, x: cost, y: lag.meanMs, interval: lag.interval }];
  });
  return {
    caption: 'Notification latency and cost. Lower left is better; both axes are logarithmic',
    x: { title: hasBytes ? 'kB per job' : 'Requests and messages per job', logBase: 10 },
    y: { title: 'Mean latency, ms, with 95% CI', logBase: 10 },
    values: [],
    lines: [],
    dots,
  };
}
