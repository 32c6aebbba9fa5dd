/** What polling or push comes to: the answer, a chart of latency and cost, a short table, and the rest as details. */
import { formatInterval, formatSigned } from '../../base/format.js';
import { sumOf } from '../../base/statistics/sum.js';
import { MIN_BLOCKS, SAME_PERCENT } from '../../experiment/compare.js';
import { labelOfDelivery, labelWithin } from '../../net/delivery/labels.js';
import { describeClocks, describePeriods, describePublished, describeRun, describeSharing } from './notes.js';
import { formatDuration } from './plan.js';
import { chartOf, tabulateJobs } from './tables.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { Report } from '../../experiment/contract.js'
 * @import { JobsDocument } from './document.js'
 * @import { Factor, JobsRow } from './summary.js'
 */

/** So many kinds of failures are listed one by one. */
const MAX_REASONS = 3;

/** @param {readonly JobsRow[]} rows @param {JobsDocument} document @returns {Report} of a run that ended early no verdict */
export function report(rows, document) {
  const { ending, plan } = document;
  const faults = rows.flatMap((row) => describeFaults(row, plan));
  const isLost = ending?.kind === 'invalid';
  return {
    heading: 'Notification latency and cost',
    answer: ending ? undefined : describeAnswer(rows),
    sentences: [
      ...(ending ? [] : [...describeCost(rows, plan), ...describePeriods(rows, document)]),
      // All that were open when a run was lost failed for the reason of its ending.
      ...(isLost ? [] : faults),
    ],
    notes: [
      describeRun(document),
      ...(isLost ? faults : []),
      ...(ending ? [] : [...describeSharing(document), ...describeClocks(document, rows), ...describePublished(rows)]),
    ],
    tables: tabulateJobs(rows),
    charts: [chartOf(rows)],
  };
}

/** @param {Pick<JobsRow, 'delivery' | 'intervalMs'>} row */
const nameOf = ({ delivery, intervalMs }) => labelOfDelivery(delivery, intervalMs);

/** @param {readonly JobsRow[]} rows @returns {string} a sentence: the baseline compared with polling at its longest interval */
function describeAnswer(rows) {
  if (rows.every(({ notifiedCount }) => notifiedCount === 0)) return 'No client was notified of any job.';
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  const poll = findPolling(rows);
  if (!baseline || !poll) return describeFirst(baseline ? [baseline, ...rows] : rows);
  const { latency, bytes, differenceInterval: interval } = poll.comparison;
  const [push, polling] = [nameOf(baseline), labelWithin(poll.delivery, poll.intervalMs)];
  if (latency?.verdict === 'same') {
    return `${push} and ${polling} have the same notification latency, within ${SAME_PERCENT}%.`;
  }
  const isClear = latency?.verdict ? latency.verdict !== 'unclear' : interval.low > 0 || interval.high < 0;
  if (!isClear)
    return `This run shows no clear difference in notification latency between ${polling} and ${lower(push)}.`;
  const isSooner = interval.estimate > 0;
  const { estimate, low, high } = interval;
  const ci = isSooner ? interval : { estimate: -estimate, low: -high, high: -low };
  const ms = formatSigned(ci.estimate, ci.estimate < 100 ? poll.lagDecimals : 0);
  const share = bytes?.verdict ? `, with ${describeFactor(bytes, 'bytes')}` : '';
  return `${push} notified clients ${ms} ms ${isSooner ? 'sooner' : 'later'} than ${polling} (95% CI ${formatInterval(ci, 0, poll.lagDecimals).replace(' to ', '–')} ms)${share}.`;
}

/** @typedef {NonNullable<JobsRow['comparison']> & { differenceInterval: Interval }} Compared */

/** @param {readonly JobsRow[]} rows @returns {(JobsRow & { comparison: Compared }) | undefined} */
const findPolling = (rows) =>
  /** @type {any} */ (rows.find(({ delivery, comparison }) => delivery === 'poll' && comparison?.differenceInterval));

/** @param {readonly JobsRow[]} rows of which none is polling beside a baseline; that is the first, if there is one */
function describeFirst(rows) {
  const row = rows.find(({ lag }) => lag.meanMs !== undefined);
  if (!row) return 'The notification latency could not be measured.';
  return `${nameOf(row)} notified clients ${formatSigned(Number(row.lag.meanMs), row.lagDecimals)} ms after a job was done, on average.`;
}

/** @param {string} name that is a product's, or not */
const lower = (name) => name[0].toLowerCase() + name.slice(1);

/** @param {readonly JobsRow[]} rows @param {{ blocks?: number }} plan @returns {string[]} what the answer does not say */
function describeCost(rows, { blocks = 1 }) {
  const poll = findPolling(rows);
  const { latency, requests } = poll?.comparison ?? {};
  if (poll && !latency?.verdict) {
    const count = blocks > 1 ? `${blocks} blocks are` : 'One trial each is';
    return [`${count} too little for a verdict on costs: that needs ${MIN_BLOCKS} blocks.`];
  }
  if (!requests?.verdict) return [];
  const { low, high } = requests.ratio;
  const ci = requests.verdict === 'faster' ? ` (95% CI ${percentLess(low)}–${percentLess(high)})` : '';
  return [`It needed ${describeFactor(requests, 'requests and messages')}${ci}.`];
}

/** @param {Factor} factor that has a verdict @param {string} what @returns {string} of the baseline */
function describeFactor({ ratio, verdict }, what) {
  if (verdict === 'faster') return `${percentLess(ratio.estimate)} fewer ${what}`;
  if (verdict === 'slower') return `${(1 / ratio.estimate).toFixed(1)} times as many ${what}`;
  return verdict === 'same' ? `the same ${what} within ${SAME_PERCENT}%` : `no clear difference in ${what}`;
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
    ...(lateCount > 0 ? [`${lateCount} of ${jobCount} jobs were late, after ${formatDuration(limitMs)}`] : []),
    ...(failureCount > 0 ? [`${failureCount} of ${jobCount} jobs failed: ${reasons.join(', ')}`] : []),
    ...(openCount > 0 ? [`${openCount} of ${jobCount} jobs were open when the run ended`] : []),
  ];
  return parts.length === 0 ? [] : [`${nameOf(row)}: ${parts.join('; ')}. They are not in its latency.`];
}
