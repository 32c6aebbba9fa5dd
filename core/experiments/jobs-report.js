/**
 * What poll or push says: words, a table.
 */
import { DASH, formatInterval, formatNumber, formatSigned, formatWithInterval } from '../format.js';
import { labelOfWay, labelWithin } from '../ways/labels.js';
import { formatExperimentMarkdown } from './experiment-markdown.js';
import { formatJobsPlan } from './jobs-plan.js';
import { describeSharing } from './jobs-sharing.js';
import { roundTripOf, summarizeJobs, TOO_SMALL } from './jobs-summary.js';
import { PUBLISHED_NOTES } from './published-2018.js';

export { sortedLags, summarizeJobs } from './jobs-summary.js';

/**
 * @typedef {import('./jobs-summary.js').JobsRow} JobsRow
 * @typedef {import('./jobs-summary.js').JobsDocument} JobsDocument
 * @typedef {import('./jobs-summary.js').Measured} Measured
 */

/** Nearer than this nobody calls it more or less. */
const ALIKE_RATIO = 1.05;

/**
 * @param {Measured & Partial<Pick<JobsDocument, 'environment'>>} measured where it is not known by what, no more is said of it
 * @returns {string[]} sentences
 */
export function describeJobs({ environment, ...measured }) {
  const rows = summarizeJobs(measured);
  const faults = rows.flatMap((row) => describeFaults(row, measured.plan));
  if (rows.every(({ toldCount }) => toldCount === 0)) return ['No job was told of.', ...faults];
  const baseline = rows.find(({ isBaseline, toldCount }) => isBaseline && toldCount > 0);
  return [
    ...rows.flatMap((row) => {
      if (!baseline) return describeAlone(row);
      if (row === baseline) return rows.length === 1 ? describeAlone(row) : [];
      return row.way === 'poll' ? describePolling(row, baseline) : describeOther(row, baseline);
    }),
    ...describeSocketPerJob(rows),
    ...(environment ? describeSharing({ ...measured, environment }) : []),
    ...faults,
    ...describeMissing(rows),
  ];
}

/**
 * @param {Measured} measured
 * @returns {string} the verdict in a few words
 */
export function headlineOfJobs(measured) {
  const rows = summarizeJobs(measured);
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  const poll = rows.find(({ way, ratios }) => way === 'poll' && ratios?.lagMs);
  const lagMs = poll?.ratios?.lagMs;
  if (!baseline || !poll || !lagMs || lagMs.low <= 0) return `Poll or push: ${rows.map(nameOf).join(', ')}`;
  return `${nameOf(baseline)}: ${formatMs(lagMs.estimate)} sooner than ${inSentence(poll)}`;
}

/** @param {Pick<JobsRow, 'way' | 'intervalMs'>} row */
const nameOf = ({ way, intervalMs }) => labelOfWay(way, intervalMs);

/** @param {Pick<JobsRow, 'way' | 'intervalMs'>} row */
const inSentence = ({ way, intervalMs }) => labelWithin(way, intervalMs);

/**
 * The verdict.
 *
 * @param {JobsRow} poll
 * @param {JobsRow} baseline
 */
function describePolling(poll, baseline) {
  const { lagMs, bytes, requests, cpu } = poll.ratios ?? {};
  if (!lagMs) return describeAlone(poll);
  const name = nameOf(baseline);
  const sooner = `tells of a finished job ${describeSooner(lagMs)} ${inSentence(poll)}`;
  const means = `mean lag ${formatMean(baseline)} against ${formatMean(poll)}; ${describeJobCounts(baseline, poll)}`;
  const saved = [timesFewer(bytes, 'bytes'), timesFewer(requests, 'requests and messages')]
    .filter(Boolean)
    .join(' and ');
  const cpuWords = cpu === undefined ? '' : `; server CPU ${timesLess(cpu)}`;
  return [`${name} ${sooner} (${means})${saved && `, with ${saved}`}${cpuWords}.`];
}

/**
 * @param {import('./jobs-summary.js').Interval} lagMs of polling above the baseline
 * @returns {string} with the word that the other's name follows
 */
function describeSooner(lagMs) {
  if (lagMs.low > 0) return `${formatMs(lagMs.estimate)} sooner than`;
  if (lagMs.high < 0) return `${formatMs(-lagMs.estimate)} later than`;
  return 'as soon, as far as can be told, as';
}

/** @param {JobsRow} one @param {JobsRow} other */
function describeJobCounts(one, other) {
  if (one.toldCount === other.toldCount) return `${one.toldCount} jobs each`;
  return `${one.toldCount} and ${other.toldCount} jobs`;
}

/**
 * @param {JobsRow} row neither polling nor the baseline
 * @param {JobsRow} baseline
 */
function describeOther(row, baseline) {
  const { lagMs, bytes, requests, cpu } = row.ratios ?? {};
  if (!lagMs) return describeAlone(row);
  const name = inSentence(baseline);
  const than =
    lagMs.low > 0 || lagMs.high < 0
      ? `${formatMs(Math.abs(lagMs.estimate))} ${lagMs.low > 0 ? 'more' : 'less'} than ${name}’s (${formatInterval(lagMs)} ms)`
      : `no different from ${name}’s, as far as can be told`;
  const costs = [timesOf(bytes, 'bytes'), timesOf(requests, 'requests and messages'), timesOf(cpu, 'server CPU')];
  const cost = costs.filter(Boolean).join(', ');
  return [`${nameOf(row)}: mean lag ${formatMean(row)}, ${than}${cost && `; it takes ${cost}`}.`];
}

/** @param {JobsRow} row without one to set it against */
function describeAlone(row) {
  const { lag, requestsPerJob, bytesPerJob, cpuMsPerJob } = row;
  if (!lag.meanMs) return [`${nameOf(row)}: too little was measured.`];
  const parts = [
    `mean lag ${formatMean(row)} (${formatInterval(lag.meanMs)})`,
    requestsPerJob === undefined ? '' : `${formatCount(requestsPerJob)} requests and messages a job`,
    bytesPerJob && `${Math.round(bytesPerJob.both)} bytes a job`,
    cpuMsPerJob === undefined ? '' : `${formatMs(cpuMsPerJob)} of server CPU a job`,
  ];
  return [`${nameOf(row)}: ${parts.filter(Boolean).join(', ')}; ${row.toldCount} jobs.`];
}

/**
 * The socket of 2018 beside polling: it is told of each job at once, but it is not cheap.
 *
 * @param {readonly JobsRow[]} rows
 */
function describeSocketPerJob(rows) {
  const socket = rows.find(({ way }) => way === 'socket-per-job');
  const cpuMs = socket?.cpuMsPerJob;
  if (cpuMs === undefined) return [];
  return rows.flatMap((row) => {
    if (row.way !== 'poll' || row.cpuMsPerJob === undefined) return [];
    const ratio = row.cpuMsPerJob / cpuMs;
    if (ratio >= ALIKE_RATIO)
      return [`A WebSocket per job takes ${times(ratio)} times less server CPU than ${inSentence(row)}.`];
    const isAlike = ratio > 1 / ALIKE_RATIO;
    const share = isAlike ? 'about as much server CPU as' : `${times(1 / ratio)} times the server CPU of`;
    const cost = isAlike ? 'about as much as' : 'more than';
    return [
      `A WebSocket per job takes ${share} ${inSentence(row)}: each job opens a connection of its own, which costs the server ${cost} the ${formatCount(Number(row.pollsPerJob))} polls that it saves.`,
    ];
  });
}

/**
 * @param {JobsRow} row
 * @param {{ limitMs: number }} plan
 */
function describeFaults({ lateCount, failureCount, openCount, jobCount, ...row }, { limitMs }) {
  const parts = [
    ...(lateCount > 0 ? [`${lateCount} of ${jobCount} jobs were late, not told of within ${limitMs / 1000} s`] : []),
    ...(failureCount > 0 ? [`${failureCount} of ${jobCount} jobs failed`] : []),
    ...(openCount > 0 ? [`${openCount} of ${jobCount} jobs were open when the run ended`] : []),
  ];
  if (parts.length === 0) return [];
  return [`${nameOf(row)}: ${parts.join('; ')}. They are not in its lag.`];
}

/**
 * @param {readonly JobsRow[]} rows
 * @returns {string[]} what was not measured, and why, in one sentence where all rows say the same
 */
function describeMissing(rows) {
  return [
    ...describeMissingOf('Bytes', rows, ({ bytesFault }) => bytesFault),
    ...describeMissingOf('Server CPU', rows, ({ cpuFault }) => cpuFault),
  ];
}

/**
 * @param {string} what
 * @param {readonly JobsRow[]} rows
 * @param {(row: JobsRow) => string | undefined} faultOf
 */
function describeMissingOf(what, rows, faultOf) {
  const reasons = [...new Set(rows.map(faultOf).filter((fault) => fault !== undefined))];
  return reasons.map((reason) => {
    const own = rows.filter((row) => faultOf(row) === reason);
    const names = own.length === rows.length ? '' : ` (${own.map(nameOf).join(', ')})`;
    return `${what}${names}: ${reason}.`;
  });
}

/** @param {number} ms */
const formatMs = (ms) => `${formatSigned(ms, Math.abs(ms) < 100 ? 1 : 0)} ms`;

/** @param {JobsRow} row that has a mean */
const formatMean = ({ lag }) => (lag.meanMs ? `${formatSigned(lag.meanMs.estimate, 1)} ms` : DASH);

/** @param {number} count */
const formatCount = (count) => count.toFixed(count < 10 ? 1 : 0);

/** @param {number} ratio */
const times = (ratio) => ratio.toFixed(ratio < 10 ? 1 : 0);

/**
 * @param {number | undefined} ratio of the other to this
 * @param {string} what can be counted
 */
function timesFewer(ratio, what) {
  if (ratio === undefined) return '';
  if (ratio >= ALIKE_RATIO) return `${times(ratio)} times fewer ${what}`;
  return ratio > 1 / ALIKE_RATIO ? `about as many ${what}` : `${times(1 / ratio)} times as many ${what}`;
}

/** @param {number} ratio of the other to this */
function timesLess(ratio) {
  if (ratio >= ALIKE_RATIO) return `${times(ratio)} times less`;
  return ratio > 1 / ALIKE_RATIO ? 'about as much' : `${times(1 / ratio)} times as much`;
}

/**
 * @param {number | undefined} ratio of this to the baseline
 * @param {string} what
 */
function timesOf(ratio, what) {
  if (ratio === undefined) return '';
  const isAlike = ratio < ALIKE_RATIO && ratio > 1 / ALIKE_RATIO;
  return isAlike ? `about the same ${what}` : `${ratio < 0.1 ? ratio.toFixed(2) : times(ratio)} times the ${what}`;
}

/**
 * How the figures came about, and what they cannot say.
 *
 * @param {Measured} measured
 * @returns {string[]} sentences
 */
export function describeClocks(measured) {
  const roundTripMs = roundTripOf(measured);
  const { plan } = measured;
  const rows = summarizeJobs(measured);
  const half = roundTripMs === undefined ? '' : `, here ${(roundTripMs / 2).toFixed(2)} ms`;
  const hasCpu = rows.some(({ cpuMsPerJob, cpuFault }) => cpuMsPerJob !== undefined || cpuFault === TOO_SMALL);
  return [
    ...(roundTripMs === undefined ? ['No round trip could be measured, so no lag can be told.'] : []),
    `Lag is the time from done to known. No clocks need to agree: a creation answer was half a round trip on its way, so a job is done its duration after that, less the half; by how much later than the soonest the other answers of a trial were read is known from when the server says it made each job. Its error is at most half a round trip${half}, and the millisecond to which the server keeps time.`,
    `Each way had one trial of the same ${plan.users * plan.jobs} jobs: the interval of a mean lag is over the jobs; ratios of bytes, requests and CPU have none.`,
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

export const TITLES = Object.freeze([
  'Way',
  'Protocol',
  'Lag p50, ms',
  'Lag p95, ms',
  'Lag max, ms',
  'Mean lag, ms (95 % interval)',
  'Mean lag predicted, ms',
  'Mean lag above the baseline’s, ms (95 % interval)',
  'Polls a job',
  'Polls a job predicted',
  'Requests and messages a job',
  'Bytes up a job',
  'Bytes down a job',
  'kB a job',
  'kB a job in 2018',
  'Bytes, times the baseline’s',
  'Server CPU a job, ms',
  'Server CPU a job in 2018, ms',
  'CPU, times the baseline’s',
  'Told',
  'Late',
  'Failed',
]);

/** @param {number} column of {@link TITLES} */
export const isTextColumn = (column) => column < 2;

/**
 * @param {JobsRow} row
 * @returns {string[]} a cell for each of {@link TITLES}
 */
export function formatJobsRow(row) {
  const { lag, ratios = {}, bytesPerJob, prediction, published, isBaseline } = row;
  const against = (/** @type {string} */ cell) => (isBaseline ? 'baseline' : cell);
  return [
    nameOf(row),
    row.protocol ?? DASH,
    ...[lag.p50Ms, lag.p95Ms, lag.maxMs].map((ms) => formatLag(ms)),
    formatWithInterval(lag.meanMs),
    formatLag(prediction.meanLagMs),
    against(formatWithInterval(ratios.lagMs)),
    formatNumber(row.pollsPerJob, 2),
    formatNumber(prediction.pollsPerJob, 2),
    formatNumber(row.requestsPerJob, 2),
    formatNumber(bytesPerJob?.up, 0),
    formatNumber(bytesPerJob?.down, 0),
    formatNumber(bytesPerJob && bytesPerJob.both / 1000, 2),
    formatNumber(published?.kBPerJob, 2),
    against(formatNumber(ratios.bytes, 2)),
    row.cpuFault ?? formatNumber(row.cpuMsPerJob, 3),
    formatNumber(published?.cpuMsPerJob, 2),
    against(formatNumber(ratios.cpu, 2)),
    ...[row.toldCount, row.lateCount, row.failureCount].map(String),
  ];
}

/** @param {number | undefined} ms */
const formatLag = (ms) => (ms === undefined ? DASH : formatSigned(ms, 2));

/**
 * @param {Measured} measured
 * @returns {readonly string[]} what to know of the figures of 2018; none where none stand beside these
 */
export function describePublished(measured) {
  return summarizeJobs(measured).some(({ published }) => published) ? PUBLISHED_NOTES : [];
}

/**
 * @param {JobsDocument} document
 * @returns {string}
 */
export function formatJobsMarkdown(document) {
  const { plan } = document;
  return formatExperimentMarkdown({
    heading: `SockShootout, poll or push: ${plan.users} x ${plan.jobs} jobs`,
    titles: TITLES,
    isTextColumn,
    rows: summarizeJobs(document).map(formatJobsRow),
    sentences: [...describeJobs(document), ...describeClocks(document), ...describePublished(document)],
    query: formatJobsPlan(plan),
    document,
  });
}
