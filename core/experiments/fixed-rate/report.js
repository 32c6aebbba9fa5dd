/** Reports trials at a fixed rate: the conclusion, a chart, two tables. */
import { DASH, formatRateWithRange, formatWithInterval, formatWithRange, listOf } from '../../base/format.js';
import { mean, quantile, sumOf, ratioInterval } from '../../base/statistics.js';
import { concludeTooFew, describeTooFewBlocks } from '../../experiment/answer/compare.js';
import { describeFactors, formatJudged } from '../../experiment/answer/verdict.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { transportColumn, fixed } from '../../experiment/report/table.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import { MAX_UNANSWERED_COUNT } from './open-trial.js';
import { measureSendDelays, openOf, sortedLatencies, VIEWS } from './summary.js';

/**
 * @import { Chart, Line } from '../../picture/plot.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { FixedRatePlan } from './plan.js'
 * @import { FixedRateDocument, LoopTrial } from './schema.js'
 * @import { FixedRateSummary, LatencyRow, TransportRow } from './summary.js'
 */

const STEPS_PER_TENTH = 20;

/**
 * Reports the latencies at a fixed rate beside those of the back-to-back loop.
 * @param {FixedRateSummary} summary @param {FixedRateDocument} document @returns {OwnReport}
 */
export function report({ rows, transports }, { plan, trials, ending }) {
  return {
    heading: 'Latency at a fixed rate',
    ...(!ending && conclude(plan, transports)),
    sentences: ending
      ? []
      : [
          ...describeOthers(plan, transports),
          describeSpeed(transports),
          ...describeOverloads(plan, transports),
          describeMissed(trials),
        ].filter(Boolean),
    notes: ending ? [] : [describeSendDelays(trials), describeOmission(plan)].filter(Boolean),
    tables: [
      { columns: shortColumns(transports, plan, ending !== undefined), rows: transports },
      { heading: 'Latency by percentile', isDetail: true, columns: COLUMNS, rows },
    ],
    charts: [chartOf(plan, trials)],
    method:
      'In each block, every transport runs two trials in random order: fixed rate and back-to-back. Each has as many messages, after a warm-up. Latency “from the plan” counts from when a message was due, and “from the send” from when it left; the chart and the verdicts use latency from the plan. A send is late if it left more than one interval after it was due. A missed message was never sent. Percentiles are over the answered messages of all blocks; a dash means too few samples. Intervals are Student’s t over the blocks, of the logarithms for times and ratios.',
  };
}

/** @param {FixedRatePlan} plan @param {readonly TransportRow[]} transports */
const conclude = ({ ratePerSecond, blocks }, transports) => ({
  conclusion: `At ${ratePerSecond.toLocaleString('en')} messages/s, ${describeOutcomes(transports)[0]}.`,
  ...concludeTooFew(describeTooFewBlocks(blocks)),
});

/**
 * Describes which transports kept up: the most important clause first, which is the conclusion.
 * @param {readonly TransportRow[]} transports
 */
function describeOutcomes(transports) {
  const [behind, carried, unclear] = /** @type {const} */ (['behind', 'carried', 'unclear']).map((one) =>
    transports.filter(({ outcome }) => outcome === one),
  );
  const who = carried.length > 2 && carried.length === transports.length ? 'all' : namesOf(carried);
  return [
    behind.length > 0 && `${namesOf(behind)} did not keep up (${listOf(behind.map(formatRate))})`,
    carried.length > 0 && `${who} kept up`,
    unclear.length > 0 && `${namesOf(unclear)} may not have kept up`,
  ].filter((clause) => clause !== false);
}

/** @param {FixedRatePlan} plan @param {readonly TransportRow[]} transports @returns {string[]} sentences */
function describeOthers({ blocks }, transports) {
  if (describeTooFewBlocks(blocks)) return [];
  return describeOutcomes(transports)
    .slice(1)
    .map((clause) => `${clause}.`);
}

/** @param {TransportRow} row */
const nameOf = ({ transport }) => labelOf(transport);

/** @param {readonly TransportRow[]} transports */
const namesOf = (transports) => listOf(transports.map(nameOf));

/** @param {TransportRow} row */
const formatRate = ({ overload, answersPerSecond }) =>
  `${overload ? 'at most ' : ''}${Math.round(Number(answersPerSecond?.estimate)).toLocaleString('en')}/s`;

/** @param {readonly TransportRow[]} transports @returns {string} a sentence, if latencies were compared */
function describeSpeed(transports) {
  const baseline = transports.find(({ isBaseline }) => isBaseline);
  const factors = transports.flatMap((row) =>
    row.speedUp?.verdict ? [{ name: nameOf(row), judged: row.speedUp }] : [],
  );
  if (!baseline || factors.length === 0) return '';
  return `By median latency, ${describeFactors(factors, { verb: 'is', what: 'as fast', more: 'faster', less: 'slower', baseline: nameOf(baseline) })}.`;
}

/** @param {number} ms */
const formatMs = (ms) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/** @param {FixedRatePlan} plan @param {readonly TransportRow[]} transports @returns {string[]} */
function describeOverloads({ ratePerSecond }, transports) {
  return transports.map((row) => {
    if (!row.overload) return '';
    const { maxUnansweredCount, connectionsCarryPerSecond: max, roundTripMs: ms = 0 } = row.overload;
    const why = ` Its ${HTTP1_CONNECTION_COUNT} connections, with a round trip of ${formatMs(ms)}, carry at most ${Math.round(Number(max)).toLocaleString('en')}/s.`;
    return `At ${ratePerSecond.toLocaleString('en')}/s, ${nameOf(row)} had up to ${maxUnansweredCount} unanswered messages at once.${max === undefined ? '' : why}`;
  });
}

/** @param {readonly LoopTrial[]} trials */
function describeMissed(trials) {
  const open = openOf(trials);
  const unanswered = sumOf(open, ({ missed }) => missed.unansweredCount);
  const ended = sumOf(open, ({ missed }) => missed.endedCount);
  const parts = [
    unanswered > 0 ? `${unanswered} because ${MAX_UNANSWERED_COUNT} were unanswered` : '',
    ended > 0 ? `${ended} because the trial had ended` : '',
  ].filter(Boolean);
  return parts.length === 0 ? '' : `Messages not sent: ${parts.join(', ')}.`;
}

/** @param {readonly LoopTrial[]} trials */
function describeSendDelays(trials) {
  const { p50Ms, p99Ms } = measureSendDelays(trials);
  if (p50Ms === undefined) return '';
  const p99 = p99Ms === undefined ? '' : `, p99 ${p99Ms.toFixed(2)} ms`;
  return `Send delay after the planned time: p50 ${p50Ms.toFixed(2)} ms${p99}.`;
}

/** @param {FixedRatePlan} plan */
function describeOmission({ ratePerSecond }) {
  const delayed = ratePerSecond === 1 ? 'the one message' : `all ${ratePerSecond.toLocaleString('en')} messages`;
  return `Back-to-back, a stall of one second is one slow sample: the messages that would have left during it are missing (coordinated omission). At ${ratePerSecond.toLocaleString('en')}/s, the same stall delays ${delayed} due in that second.`;
}

/** @param {TransportRow} row @returns {string} its blocks may have too few messages for it, though not for a median */
const formatP99 = ({ p50Ms, p99Ms }) => (p50Ms && !p99Ms ? 'too few messages' : formatWithRange(p99Ms));

/** @param {readonly TransportRow[]} transports @param {FixedRatePlan} plan @param {boolean} isEnded @returns {Column<TransportRow>[]} */
function shortColumns(transports, { ratePerSecond, blocks }, isEnded) {
  // No conclusion says it.
  const asked = describeTooFewBlocks(blocks) ? ` (planned: ${ratePerSecond.toLocaleString('en')})` : '';
  const baseline = transports.find(({ isBaseline }) => isBaseline);
  /** @type {Column<TransportRow>[]} */
  const columns = [
    { title: 'Transport', isText: true, isKey: true, value: nameOf },
    {
      title: `Rate reached${asked}, messages/s (95% CI)`,
      value: ({ overload, answersPerSecond }) =>
        `${overload ? 'at most ' : ''}${formatRateWithRange(answersPerSecond)}`,
    },
    { title: 'p50, ms (95% CI)', value: ({ p50Ms }) => formatWithRange(p50Ms) },
    { title: 'p99, ms (95% CI)', value: formatP99 },
  ];
  if (baseline && !isEnded && transports.some(({ speedUp }) => speedUp?.verdict)) {
    columns.push({
      title: `Speed-up over ${nameOf(baseline)}`,
      isText: true,
      value: (row) => (row === baseline ? 'baseline' : formatJudged(row.speedUp)),
      judgedOf: ({ speedUp }) => speedUp,
    });
  }
  return columns;
}

/** @type {readonly Column<LatencyRow>[]} */
const COLUMNS = [
  transportColumn(),
  { title: 'Latency', isText: true, isKey: true, value: ({ view }) => VIEWS[view] },
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'p50 of all', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(2) },
  { title: 'p95 of all', name: 'p95_ms', unit: 'ms', value: ({ p95Ms }) => p95Ms, format: fixed(2) },
  { title: 'p99 of all', name: 'p99_ms', unit: 'ms', value: ({ p99Ms }) => p99Ms, format: fixed(2) },
  { title: 'Max', name: 'max_ms', unit: 'ms', value: ({ maxMs }) => maxMs, format: fixed(2) },
  {
    title: 'p50 minus back-to-back p50, ms (95% CI)',
    name: 'above_back_to_back_ms',
    value: ({ aboveClosedMs }) => formatWithInterval(aboveClosedMs),
  },
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Late sends', name: 'late_sends', value: ({ lateCount }) => lateCount },
  { title: 'Missed sends', name: 'missed_sends', value: ({ missedCount }) => missedCount },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/** @param {readonly (readonly number[])[]} blocks at least one @returns {number} the answers that each of them has */
const countIn = (blocks) => Math.min(...blocks.map(({ length }) => length));

/**
 * Draws the latency by percentile; each step to the right has a tenth of the messages before: transports differ in the
 * slowest few.
 * @param {FixedRatePlan} plan @param {readonly LoopTrial[]} trials @returns {Chart}
 */
function chartOf({ transports }, trials) {
  const blocksOf = transports.map((transport) =>
    openOf(trials)
      .filter((trial) => trial.transport === transport)
      .map((trial) => sortedLatencies([trial], 'plan')),
  );
  // The axis ends where the longest line does: that of the most answers in each of its blocks.
  const most = Math.max(2, ...blocksOf.filter(({ length }) => length > 0).map(countIn));
  const stepCount = Math.ceil(Math.log10(most) * STEPS_PER_TENTH);
  // Each number N stands for the slowest of N messages: 1 is the fastest of all, 100 the 99th percentile.
  const oneOf = Array.from({ length: stepCount + 1 }, (_, i) => Math.min(most, 10 ** (i / STEPS_PER_TENTH)));
  return {
    caption: 'Latency since each message was due, by percentile',
    bandName: '95% CI',
    x: { title: 'Percentile', logBase: 10, ticks: TICKS, format: formatPercent },
    y: { title: 'ms', logBase: 10 },
    values: oneOf,
    marks: [{ x: 2, label: 'p50' }],
    hasDirectLabels: true,
    lines: transports.map((transport, i) => ({
      label: labelOf(transport),
      colour: transport,
      ...lineOf(oneOf, blocksOf[i]),
    })),
  };
}

/**
 * @param {number[]} oneOf @param {readonly (readonly number[])[]} blocks
 * @returns {{ values: Line['values'], band?: Line['band'] }}
 */
function lineOf(oneOf, blocks) {
  const atEach = oneOf.map((one) => {
    // The slowest of more messages than were sent is unknown; with a coarse clock some are 0, which has no logarithm.
    const ms = blocks.map((latencies) => (one > latencies.length ? 0 : (quantile(latencies, 1 - 1 / one) ?? 0)));
    return ms.every((value) => value > 0) ? ms : [];
  });
  return {
    values: atEach.map((ms) => (ms.length > 0 ? Math.exp(Number(mean(ms.map(Math.log)))) : null)),
    band: atEach.map((ms) => ratioInterval(ms) ?? null),
  };
}

/** The percentiles beneath the chart, as the slowest of so many messages: the most first. */
const TICKS = [
  [1, 2, 4, 10, 20, 50, 100, 200, 500, 1000, 2000, 10_000],
  [1, 10, 100, 1000, 10_000],
];

/** Formats a percentile, as in '99.9'. @param {number} one */
const formatPercent = (one) => String(Number((100 - 100 / one).toFixed(4)));
