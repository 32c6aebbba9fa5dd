/** What polling or push says in words: the answer, then how each delivery method did. */
import { formatInterval, formatSigned } from '../../base/format.js';
import { labelOfWay, labelWithin } from '../../net/delivery/labels.js';
import { formatDuration } from './plan.js';
import { describePeriods, describeSharing } from './sharing.js';
import { roundTripOf, summarizeJobs } from './summary.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { JobsRow, Measured, Ratios } from './summary.js'
 */

/** Nearer than this nobody calls it more or less. */
const ALIKE_RATIO = 1.05;

/** So many kinds of failures are told one by one. */
const MOST_REASONS = 3;

/**
 * @param {Measured} measured
 * @param {readonly JobsRow[]} [rows] where they are known
 * @returns {string} the answer, in a sentence
 */
export function headlineOfJobs({ ending, ...measured }, rows = summarizeJobs(measured)) {
  if (ending) return `Invalid: ${ending.reason}`;
  if (rows.every(({ toldCount }) => toldCount === 0)) return 'No client found out about a job.';
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  const poll = rows.find(({ way, ratios }) => way === 'poll' && ratios?.lagMs);
  if (baseline && poll) return answerOf(poll, baseline);
  const [first] = [baseline, ...rows].filter((row) => row?.lag.meanMs);
  if (!first) return 'Too little was measured to tell how soon clients find out.';
  const name = first.isBaseline ? pushNameOf(first) : nameOf(first);
  return `${name}: clients find out ${formatMean(first)} after a job is done, on average.`;
}

/** @param {JobsRow} poll whose lag was set against the baseline's @param {JobsRow} baseline */
function answerOf(poll, baseline) {
  const { lagMs, bytes } = /** @type {Ratios} */ (poll.ratios);
  const { estimate, low, high } = /** @type {Interval} */ (lagMs);
  const than = `by ${inSentence(poll)}`;
  const ms = formatMs(Math.abs(estimate), poll.lagDecimals);
  const share = shareOfBytes(bytes);
  const name = pushNameOf(baseline);
  if (low > 0) return `${name}: clients find out ${ms} sooner than ${than}${share}.`;
  if (high < 0) return `${name}: clients find out ${ms} later than ${than}${share}.`;
  return `${name}: this run does not show whether clients find out sooner than ${than}.`;
}

/** @param {JobsRow} row */
const pushNameOf = ({ way }) => (way === 'sockjs' ? 'Push by SockJS' : 'Push');

/**
 * @param {number | undefined} ratio of polling's bytes to the baseline's
 * @returns {string} '' where it was not measured
 * @example shareOfBytes(14.2) // ', with 93% fewer bytes'
 */
function shareOfBytes(ratio) {
  if (ratio === undefined) return '';
  if (ratio <= 1 / ALIKE_RATIO) return `, with ${times(1 / ratio)} times the bytes`;
  if (ratio < ALIKE_RATIO) return ', with about as many bytes';
  return `, with ${percentLess(ratio)} fewer bytes`;
}

/**
 * @param {Measured} measured where it is not known by what, no more is said of it
 * @param {readonly JobsRow[]} [rows] where they are known
 * @returns {string[]} sentences; of a run that ended early no verdict, only what each way did until then
 */
export function describeJobs(measured, rows = summarizeJobs(measured)) {
  const { environment, plan, trials, ending } = measured;
  const faults = [...rows.flatMap((row) => describeFaults(row, plan)), ...describeMissing(rows)];
  const isNothingTold = rows.every(({ toldCount }) => toldCount === 0);
  if (isNothingTold && !ending) return faults;
  const { userAgent } = environment ?? {};
  const seen = { plan, roundTripMs: roundTripOf(measured), userAgent };
  return [
    ...(ending ? rows.map(describeAlone) : describeAgainstBaseline(rows)),
    ...describePeriods(rows, seen),
    ...(userAgent === undefined ? [] : describeSharing({ plan, trials, environment: { userAgent } })),
    ...faults,
  ];
}

/** @param {readonly JobsRow[]} rows @returns {string[]} sentences that name each way */
function describeAgainstBaseline(rows) {
  const baseline = rows.find(({ isBaseline, lag }) => isBaseline && lag.meanMs);
  const others = rows.filter((row) => row !== baseline);
  // What the others are set against is in their sentences.
  const isNamed = others.some(({ ratios }) => ratios?.lagMs ?? ratios?.aboveMs !== undefined);
  return [
    ...(baseline && !isNamed ? [describeAlone(baseline)] : []),
    ...others.map((row) => {
      if (!baseline) return describeAlone(row);
      return row.way === 'poll' ? describePolling(row, baseline) : describeOther(row, baseline);
    }),
    ...describeSocketPerJob(rows),
  ];
}

/** @param {Pick<JobsRow, 'way' | 'intervalMs'>} row */
const nameOf = ({ way, intervalMs }) => labelOfWay(way, intervalMs);

/** @param {Pick<JobsRow, 'way' | 'intervalMs'>} row */
const inSentence = ({ way, intervalMs }) => labelWithin(way, intervalMs);

/** The verdict. @param {JobsRow} poll @param {JobsRow} baseline */
function describePolling(poll, baseline) {
  const { lagMs, bytes, requests, cpu } = poll.ratios ?? {};
  if (!lagMs) return describeAlone(poll);
  const sooner = `notifies clients ${describeSooner(lagMs, poll.lagDecimals)} ${inSentence(poll)}`;
  const means = `mean latency ${formatMean(baseline)} and ${formatMean(poll)}; ${describeJobCounts(baseline, poll)}`;
  const saved = [timesFewer(bytes, 'bytes'), timesFewer(requests, 'requests and messages')]
    .filter(Boolean)
    .join(' and ');
  const cpuWords = cpu === undefined ? '' : `; server CPU ${timesLess(cpu)}`;
  return `${nameOf(baseline)} ${sooner} (${means})${saved && `, with ${saved}`}${cpuWords}.`;
}

/**
 * @param {Interval} lagMs of polling above the baseline @param {number} decimals
 * @returns {string} with the word that the other's name follows
 */
function describeSooner({ estimate, low, high }, decimals) {
  if (low > 0)
    return `${formatMs(estimate, decimals)} (${formatInterval({ estimate, low, high }, 0, decimals)}) sooner than`;
  if (high < 0) {
    const later = { estimate: -estimate, low: -high, high: -low };
    return `${formatMs(-estimate, decimals)} (${formatInterval(later, 0, decimals)}) later than`;
  }
  return 'as soon, within the uncertainty of this run, as';
}

/** @param {JobsRow} one @param {JobsRow} other */
function describeJobCounts(one, other) {
  if (one.toldCount === other.toldCount) return `${one.toldCount} jobs each`;
  return `${one.toldCount} and ${other.toldCount} jobs`;
}

/**
 * A stall delays all jobs that it meets, so their spread tells nothing of how sure one trial's mean is: both means, and no
 * verdict.
 * @param {JobsRow} row neither polling nor the baseline @param {JobsRow} baseline
 */
function describeOther(row, baseline) {
  const { aboveMs, bytes, requests, cpu } = row.ratios ?? {};
  if (aboveMs === undefined) return describeAlone(row);
  const costs = [timesOf(bytes, 'bytes'), timesOf(requests, 'requests and messages'), timesOf(cpu, 'server CPU')];
  const cost = costs.filter(Boolean).join(', ');
  const means = `mean latency ${formatMean(row)}, and ${formatMean(baseline)} by ${inSentence(baseline)}`;
  return `${nameOf(row)}: ${means} (one trial each: a difference of this size may be chance)${cost && `; it needs ${cost}`}.`;
}

/** @param {JobsRow} row without one to set it against */
function describeAlone(row) {
  const { lag, requestsPerJob, bytesPerJob, cpuMsPerJob, toldCount, jobCount } = row;
  if (toldCount === 0) return `${nameOf(row)}: no client was notified.`;
  if (!lag.meanMs) return `${nameOf(row)}: ${toldCount} of ${jobCount} jobs notified, too few for a latency.`;
  const interval = row.way === 'poll' ? ` (${formatInterval(lag.meanMs, 0, row.lagDecimals)})` : '';
  const parts = [
    `mean latency ${formatMean(row)}${interval}`,
    requestsPerJob === undefined ? '' : `${formatCount(requestsPerJob)} requests and messages per job`,
    bytesPerJob && `${Math.round(bytesPerJob.both)} bytes per job`,
    cpuMsPerJob === undefined ? '' : `${formatMs(cpuMsPerJob)} of server CPU per job`,
  ];
  return `${nameOf(row)}: ${parts.filter(Boolean).join(', ')}; ${toldCount} jobs.`;
}

/**
 * The socket of 2018 beside polling: it is told of each job at once, but it is not cheap.
 * @param {readonly JobsRow[]} rows
 */
function describeSocketPerJob(rows) {
  const socket = rows.find(({ way }) => way === 'socket-per-job');
  const cpuMs = socket?.cpuMsPerJob;
  if (cpuMs === undefined) return [];
  return rows.flatMap((row) => {
    const { pollsPerJob, cpuMsPerJob } = row;
    if (row.way !== 'poll' || cpuMsPerJob === undefined || pollsPerJob === undefined) return [];
    const ratio = cpuMsPerJob / cpuMs;
    if (ratio >= ALIKE_RATIO)
      return [`A WebSocket per job needs about ${percentLess(ratio)} less server CPU than ${inSentence(row)}.`];
    const isAlike = ratio > 1 / ALIKE_RATIO;
    const share = isAlike ? 'about as much server CPU as' : `about ${times(1 / ratio)} times the server CPU of`;
    const cost = isAlike ? 'about as much as' : 'more than';
    return [
      `A WebSocket per job needs ${share} ${inSentence(row)}: each job opens a connection, which costs the server ${cost} the ${formatCount(pollsPerJob)} polls it replaces.`,
    ];
  });
}

/** @param {JobsRow} row @param {{ limitMs: number }} plan */
function describeFaults({ lateCount, failureCount, failureReasons, openCount, jobCount, ...row }, { limitMs }) {
  const late = `${lateCount} of ${jobCount} jobs were late: no notification within ${formatDuration(limitMs)}`;
  const failed = `${failureCount} of ${jobCount} jobs failed: ${describeReasons(failureReasons)}`;
  const parts = [
    ...(lateCount > 0 ? [late] : []),
    ...(failureCount > 0 ? [failed] : []),
    ...(openCount > 0 ? [`${openCount} of ${jobCount} jobs were open when the run ended`] : []),
  ];
  if (parts.length === 0) return [];
  return [`${nameOf(row)}: ${parts.join('; ')}. They are not in its latency.`];
}

/** @param {JobsRow['failureReasons']} reasons @returns {string} */
function describeReasons(reasons) {
  const otherCount = reasons.slice(MOST_REASONS).reduce((sum, [, count]) => sum + count, 0);
  const said = reasons.slice(0, MOST_REASONS).map(([reason, count]) => `${reason.replace(/\.$/, '')} (${count})`);
  return [...said, ...(otherCount > 0 ? [`others (${otherCount})`] : [])].join(', ');
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

/** @param {string} what @param {readonly JobsRow[]} rows @param {(row: JobsRow) => string | undefined} faultOf */
function describeMissingOf(what, rows, faultOf) {
  const reasons = [...new Set(rows.map(faultOf).filter((fault) => fault !== undefined))];
  return reasons.map((reason) => {
    const own = rows.filter((row) => faultOf(row) === reason);
    const names = own.length === rows.length ? '' : ` (${own.map(nameOf).join(', ')})`;
    return `${what}${names}: ${reason}.`;
  });
}

/** @param {number} ms @param {number} [decimals] */
const formatMs = (ms, decimals = 1) => `${formatSigned(ms, Math.abs(ms) < 100 ? decimals : 0)} ms`;

/** @param {JobsRow} row that has a mean */
const formatMean = ({ lag, lagDecimals }) => `${formatSigned(Number(lag.meanMs?.estimate), lagDecimals)} ms`;

/** @param {number} count */
const formatCount = (count) => count.toFixed(count < 10 ? 1 : 0);

/** @param {number} ratio */
const times = (ratio) => ratio.toFixed(ratio < 10 ? 1 : 0);

/**
 * @param {number} ratio of the other to this, above 1
 * @returns {string} how much less this is
 * @example percentLess(14.2) // '93%'
 */
function percentLess(ratio) {
  const percent = 100 * (1 - 1 / ratio);
  return `${percent > 99 ? Math.floor(10 * percent) / 10 : Math.round(percent)}%`;
}

/** @param {number | undefined} ratio of the other to this @param {string} what can be counted */
function timesFewer(ratio, what) {
  if (ratio === undefined) return '';
  if (ratio >= ALIKE_RATIO) return `${percentLess(ratio)} fewer ${what}`;
  return ratio > 1 / ALIKE_RATIO ? `about as many ${what}` : `${times(1 / ratio)} times as many ${what}`;
}

/** @param {number} ratio of the other to this */
function timesLess(ratio) {
  if (ratio >= ALIKE_RATIO) return `about ${percentLess(ratio)} less`;
  return ratio > 1 / ALIKE_RATIO ? 'about as much' : `about ${times(1 / ratio)} times as much`;
}

/** @param {number | undefined} ratio of this to the baseline @param {string} what */
function timesOf(ratio, what) {
  if (ratio === undefined) return '';
  const isAlike = ratio < ALIKE_RATIO && ratio > 1 / ALIKE_RATIO;
  return isAlike ? `about the same ${what}` : `${ratio < 0.1 ? ratio.toFixed(2) : times(ratio)} times the ${what}`;
}
