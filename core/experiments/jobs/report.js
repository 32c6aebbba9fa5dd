/** Reports polling or push: the conclusion, a chart of latency and cost, tables, and notes. */
import { formatSigned, percentLess } from '../../base/format.js';
import { negate, sumOf } from '../../base/statistics.js';
import { concludeTooFew, describeTooFewBlocks } from '../../experiment/answer/compare.js';
import { describeMost, isLittle, nameVerdict, SAME_PERCENT, VERDICT_LABELS } from '../../experiment/answer/verdict.js';
import { labelWithin, nameOfPush } from '../../experiment/answer/labels.js';
import { ruleOf } from '../../experiment/plan/blocks.js';
import { ELSEWHERE_RTT_MS } from '../../experiment/run/scope.js';
import { describePrediction } from './elsewhere.js';
import { describeClocks, describeRun, describeSharing, nameOf } from './notes.js';
import { formatDuration } from './plan.js';
import { PUBLISHED_NOTES } from './published.js';
import { decimalsFor, formatEnds, tabulateJobs } from './tables.js';
import { roundTripOf } from './trial.js';

/**
 * @import { Chart } from '../../picture/plot.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { JobsDocument } from './schema.js'
 * @import { JobsRow } from './summary.js'
 * @typedef {JobsRow & { comparison: { differenceInterval: Interval } }} ComparedPolling polling beside a push
 */

const LATENCY = 'Latency: from the job’s end until the client is notified (push: one way).';
const PREDICTION = 'Predicted for users elsewhere: half a polling period plus the rest of the measured difference.';
/** The maximum number of failure messages that are listed. */
const MAX_REASONS = 3;

/**
 * @param {readonly JobsRow[]} rows @param {JobsDocument} document
 * @returns {OwnReport} of a run that ended early no verdict
 */
export function report(rows, document) {
  const { ending, plan } = document;
  const faults = rows.flatMap((row) => describeFaults(row, plan));
  const headlines = ending ? {} : headlinesOf(rows, plan);
  const isLost = ending?.kind === 'invalid';
  const published = rows.some((row) => row.published) ? PUBLISHED_NOTES : [];
  return {
    heading: 'Notification latency and cost',
    counted: 'job',
    ...headlines,
    // All jobs that were open when a run was lost failed for the reason of its ending.
    sentences: isLost ? [] : faults,
    notes: [
      describeRun(document),
      ...(isLost ? faults : []),
      ...(ending
        ? []
        : [
            ...describeCost(rows, plan),
            LATENCY,
            ...(headlines.elsewhere?.evidence ? [PREDICTION] : []),
            ...describePeriods(rows, document),
            ...describeSharing(document),
            ...describeClocks(document, rows),
            ...published,
          ]),
    ],
    tables: tabulateJobs(rows),
    charts: [chartOf(rows)],
  };
}

/**
 * @param {readonly JobsRow[]} rows @param {{ blocks?: number }} plan
 * @returns {Pick<OwnReport, 'conclusion' | 'elsewhere' | 'wantedBlocks'>}
 */
function headlinesOf(rows, plan) {
  const conclusion = describeConclusion(rows);
  // That nothing could be measured is said wherever it was.
  const isEmpty = rows.every(({ lag }) => lag.meanMs === undefined);
  if (isEmpty) return { conclusion, elsewhere: { headline: conclusion } };
  const [poll, push] = [findPolling(rows), rows.find(({ isSubject }) => isSubject)];
  const tooFew = poll && !poll.comparison.latency.verdict && describeTooFewBlocks(plan.blocks ?? 1);
  if (tooFew) return concludeTooFew(tooFew);
  return { conclusion, elsewhere: poll && push && describePrediction({ poll, push, rttMs: ELSEWHERE_RTT_MS }) };
}

const TIME_LABELS = Object.freeze({
  ...VERDICT_LABELS,
  'little-faster': 'a little sooner',
  'little-slower': 'a little later',
});

/** Names a method within a sentence. @param {{ delivery: string, intervalMs?: number }} row */
const nameWithin = ({ delivery, intervalMs }) => labelWithin(delivery, intervalMs);

/**
 * A push compared with polling at its longest interval.
 * @param {readonly JobsRow[]} rows @returns {string}
 */
function describeConclusion(rows) {
  if (rows.every(({ notifiedCount }) => notifiedCount === 0)) return 'No client was notified of any job.';
  const push = rows.find(({ isSubject }) => isSubject);
  const poll = findPolling(rows);
  if (!push || !poll) return describeFirst(push ? [push, ...rows] : rows);
  const { latency, bytes, differenceInterval: interval } = poll.comparison;
  const [name, polling] = [nameOfPush(push.delivery), nameWithin(poll)];
  if (latency.verdict === 'same') {
    return `${name} and ${polling} show news equally soon, within ${SAME_PERCENT}%.`;
  }
  const { estimate, low, high } = interval;
  if (latency.verdict === 'unclear' || (!latency.verdict && low <= 0 && high >= 0)) {
    return `It is not clear whether ${name} shows news sooner than ${polling}.`;
  }
  const ci = estimate > 0 ? interval : negate(interval);
  const decimals = decimalsFor(ci, poll);
  const ms = formatSigned(ci.estimate, ci.estimate < 100 ? decimals : 0);
  const share = bytes.verdict ? `, with ${describeFactor(bytes, 'bytes per job')}` : '';
  const when = estimate > 0 ? 'sooner' : 'later';
  const what = isLittle(latency)
    ? `${nameVerdict(latency, { labels: TIME_LABELS, than: ` than ${polling}`, isBrief: true })}: ${ms} ms`
    : `${ms} ms ${when} than ${polling}`;
  return `${name} shows news ${what} (95% CI ${formatEnds(ci, decimals)} ms)${share}.`;
}

/** @param {JobsRow} row @returns {row is ComparedPolling} */
const isComparedPolling = (row) => row.delivery === 'poll' && row.comparison?.differenceInterval !== undefined;

/** @param {readonly JobsRow[]} rows @returns {ComparedPolling | undefined} */
const findPolling = (rows) => rows.find(isComparedPolling);

/** @param {readonly JobsRow[]} rows none of them polling beside a push, which would be the first */
function describeFirst(rows) {
  const row = rows.find(({ lag }) => lag.meanMs !== undefined);
  if (!row) return 'The notification latency could not be measured.';
  return `${nameOf(row)} notified clients ${formatSigned(Number(row.lag.meanMs), row.lagDecimals)} ms after a job was done, on average.`;
}

/**
 * @param {readonly JobsRow[]} rows @param {{ blocks?: number }} plan
 * @returns {string[]} what the conclusion has no room for
 */
function describeCost(rows, plan) {
  const poll = findPolling(rows);
  const push = rows.find(({ isSubject }) => isSubject);
  if (!poll || !push) return [];
  const { latency, requests } = poll.comparison;
  if (!latency.verdict) {
    // The headline says that there were to be fewer.
    if (describeTooFewBlocks(plan.blocks ?? 1)) return [];
    return [`A verdict needs ${ruleOf(plan).minBlocks} complete blocks; this run has fewer.`];
  }
  const { verdict, ratio } = requests;
  if (!verdict || !ratio) return [];
  const ci =
    verdict === 'faster' ? ` (95% CI ${percentLess(ratio.low).replace('%', '')}–${percentLess(ratio.high)})` : '';
  const factor = describeFactor(requests, 'requests and messages per job');
  return [`Compared with ${nameWithin(poll)}, ${nameWithin(push)} has ${factor}${ci}.`];
}

/** @param {Judged} factor that has a verdict @param {string} what @returns {string} the push's part */
function describeFactor({ ratio, verdict }, what) {
  const { estimate, high } = /** @type {Interval} */ (ratio);
  if (verdict === 'little-faster') return `at most ${percentLess(high)} fewer ${what}`;
  if (verdict === 'little-slower') return `${describeMost([/** @type {Interval} */ (ratio)])} more ${what}`;
  if (verdict === 'faster') return `${percentLess(estimate)} fewer ${what}`;
  if (verdict === 'slower') return `${(1 / estimate).toFixed(1)} times as many ${what}`;
  return verdict === 'same' ? `the same ${what} within ${SAME_PERCENT}%` : `no clear difference in ${what}`;
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

/** Timers and answers that come late stay below this. */
const KEPT_RATIO = 1.05;

/**
 * Describes intervals that were not kept.
 * @param {readonly JobsRow[]} rows @param {{ roundTripMs: readonly number[] }} run
 */
function describePeriods(rows, run) {
  const roundTripMs = roundTripOf(run) ?? 0;
  return rows.flatMap(({ periodMs = 0, ...row }) => {
    if (periodMs === 0 || periodMs <= (Number(row.intervalMs) + roundTripMs) * KEPT_RATIO) return [];
    return `${nameOf(row)}: polled every ${Math.round(periodMs)} ms on average, because requests waited or answers were late.`;
  });
}

/**
 * Draws latency against bytes, or against requests if the bytes are not known.
 * @param {readonly JobsRow[]} rows @returns {Chart}
 */
function chartOf(rows) {
  const hasBytes = rows.every(({ bytesPerJob }) => bytesPerJob);
  const dots = rows.flatMap(({ delivery, intervalMs, lag, bytesPerJob, requestsPerJob }) => {
    const cost = bytesPerJob && hasBytes ? bytesPerJob.both / 1000 : requestsPerJob;
    if (cost === undefined || lag.meanMs === undefined) return [];
    const label = nameOf({ delivery, intervalMs });
    return [{ label, colour: `delivery-${delivery}`, x: cost, y: lag.meanMs, interval: lag.interval }];
  });
  return {
    caption: 'Notification latency and cost: lower left is better',
    x: { title: hasBytes ? 'kB per job' : 'Requests and messages per job', logBase: 10 },
    y: { title: 'Mean latency, ms, with 95% CI', logBase: 10 },
    values: [],
    lines: [],
    dots,
  };
}
