/**
 * What is said of trials at a fixed rate: words, a table, a chart.
 */
import { DASH, formatInterval, formatWithInterval } from '../../base/format.js';
import { fixed } from '../../experiment/table.js';
import { labelOf } from '../../net/echo/labels.js';
import { chartOf } from './chart.js';
import { MAX_UNANSWERED_COUNT } from './open-trial.js';
import { findOverload, measureSendDelays, openOf, sum, summarizeFixedRate, VIEWS } from './summary.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { FixedRateDocument } from './document.js'
 * @import { LoopTrial } from './measure.js'
 * @import { FixedRatePlan } from './plan.js'
 * @import { LatencyRow } from './summary.js'
 */

/**
 * @param {readonly LatencyRow[]} rows
 * @param {FixedRateDocument} document
 * @returns {Report}
 */
export function report(rows, { plan, trials, ending }) {
  return {
    heading: 'Latency at a fixed rate',
    sentences: ending ? [] : describeFixedRate(plan, trials, rows),
    notes: ending ? [] : [describeOmission(plan)],
    tables: [{ columns: COLUMNS, rows }],
    charts: [chartOf(plan, trials)],
    method:
      'Each block holds two trials of every transport, one at the fixed rate and one back-to-back of as many messages, in random order, each after a warm-up that is not counted. From the plan: counted from the time at which a message was due. From the send: counted from the time at which it left. A send is late if it left more than one interval after its time, and missed if it was never made. Percentiles are of the answered messages of all blocks together, a dash where there are too few samples. The interval is Student’s t over the blocks.',
  };
}

/**
 * @param {FixedRatePlan} plan
 * @param {readonly LoopTrial[]} trials
 * @param {readonly LatencyRow[]} [rows] where they are known
 * @returns {string[]} sentences
 */
export function describeFixedRate(plan, trials, rows = summarizeFixedRate(plan, trials)) {
  return [
    ...plan.transports.flatMap((transport) => [
      ...describeLatency(rows.filter((row) => row.transport === transport)),
      ...describeOverload(
        plan,
        trials.filter((trial) => trial.transport === transport),
      ),
    ]),
    ...describeMissed(trials),
    ...describeSendDelays(trials),
  ];
}

/** @param {readonly LatencyRow[]} rows of one transport, one for each view */
function describeLatency([closed, plan]) {
  const name = labelOf(plan.transport);
  if (plan.p50Ms === undefined || closed.p50Ms === undefined) return [`${name}: too little was measured.`];
  const tail = tailOf(plan);
  const closedTail = tailOf(closed);
  const most = tail && `, and ${tail.percent} % within ${formatMs(tail.ms)}`;
  const closedMost = closedTail && `, ${closedTail.percent} % within ${formatMs(closedTail.ms)}`;
  return [
    `${name}: half of the messages at a fixed rate were answered within ${formatMs(plan.p50Ms)} of their planned time${most ?? ''}; back-to-back half came within ${formatMs(closed.p50Ms)}${closedMost ?? ''}.`,
  ];
}

/**
 * @param {LatencyRow} row
 * @returns {{ percent: number, ms: number } | undefined} the highest percentile that it has; absent where none
 */
function tailOf({ p95Ms, p99Ms }) {
  if (p99Ms !== undefined) return { percent: 99, ms: p99Ms };
  return p95Ms === undefined ? undefined : { percent: 95, ms: p95Ms };
}

/** @param {number} ms */
const formatMs = (ms) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/**
 * @param {FixedRatePlan} plan
 * @param {readonly LoopTrial[]} own
 */
function describeOverload(plan, own) {
  const overload = findOverload(plan, own);
  if (!overload) return [];
  const { carriedPerSecond, mostUnansweredCount, connectionsCarryPerSecond, roundTripMs } = overload;
  const why =
    connectionsCarryPerSecond === undefined
      ? ''
      : `: six connections and a round trip of ${formatMs(Number(roundTripMs))} make at most ${connectionsCarryPerSecond.toFixed(0)}/s`;
  return [
    `${labelOf(own[0].transport)} carries at most about ${carriedPerSecond.estimate.toFixed(0)}/s here (${formatInterval(carriedPerSecond)})${why}; at ${plan.ratePerSecond}/s the queue grew to ${mostUnansweredCount} messages.`,
  ];
}

/** @param {readonly LoopTrial[]} trials */
function describeMissed(trials) {
  const open = openOf(trials);
  const unanswered = sum(open.map(({ missed }) => missed.unansweredCount));
  const ended = sum(open.map(({ missed }) => missed.endedCount));
  const parts = [
    ...(unanswered > 0 ? [`${unanswered} as ${MAX_UNANSWERED_COUNT} were unanswered at their time`] : []),
    ...(ended > 0 ? [`${ended} as their trial had ended`] : []),
  ];
  return parts.length === 0 ? [] : [`Messages never sent: ${parts.join(', ')}.`];
}

/** @param {readonly LoopTrial[]} trials */
function describeSendDelays(trials) {
  const { p50Ms, p99Ms } = measureSendDelays(trials);
  if (p50Ms === undefined) return [];
  const most = p99Ms === undefined ? '' : `, ${p99Ms.toFixed(2)} ms (p99)`;
  return [`Sends left ${p50Ms.toFixed(2)} ms (p50)${most} after their plan.`];
}

/**
 * @param {FixedRatePlan} plan
 * @returns {string} why there are two curves
 */
function describeOmission({ ratePerSecond }) {
  const delayed = ratePerSecond === 1 ? 'the one message' : `all ${ratePerSecond} messages`;
  return `Back-to-back, a stall of a second is one slow sample, as the messages that would have left meanwhile are left out (coordinated omission); by a plan of ${ratePerSecond}/s it is in ${delayed} due in that second.`;
}

/** @type {readonly Column<LatencyRow>[]} */
const COLUMNS = [
  { title: 'Transport', isText: true, isKey: true, value: ({ transport }) => labelOf(transport) },
  { title: 'Latency', isText: true, isKey: true, value: ({ view }) => VIEWS[view] },
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(2) },
  { title: 'p95', name: 'p95_ms', unit: 'ms', value: ({ p95Ms }) => p95Ms, format: fixed(2) },
  { title: 'p99', name: 'p99_ms', unit: 'ms', value: ({ p99Ms }) => p99Ms, format: fixed(2) },
  { title: 'Max', name: 'max_ms', unit: 'ms', value: ({ maxMs }) => maxMs, format: fixed(2) },
  {
    title: 'p50 above back-to-back’s, ms (95 % interval)',
    name: 'above_back_to_back_ms',
    value: ({ aboveClosedMs }) => formatWithInterval(aboveClosedMs),
  },
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Late sends', name: 'late_sends', value: ({ lateCount }) => lateCount },
  { title: 'Missed sends', name: 'missed_sends', value: ({ missedCount }) => missedCount },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];
