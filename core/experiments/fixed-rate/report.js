/** What is said of trials at a fixed rate: the answer, a chart, two tables. */
import { DASH, formatWithInterval } from '../../base/format.js';
import { sumOf } from '../../base/statistics/sum.js';
import { isBrowser } from '../../experiment/names.js';
import { describeFactors, describeTooFewBlocks, formatJudged, listOf } from '../../experiment/compare.js';
import { fixed } from '../../experiment/table.js';
import { labelOf } from '../../net/echo/labels.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http1-connections.js';
import { chartOf } from './chart.js';
import { MAX_UNANSWERED_COUNT } from './open-trial.js';
import { measureSendDelays, openOf, summarizeFixedRate, VIEWS } from './summary.js';
import { summarizeTransports } from './transports.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { FixedRateDocument } from './document.js'
 * @import { LoopTrial } from './measure.js'
 * @import { FixedRatePlan } from './plan.js'
 * @import { LatencyRow } from './summary.js'
 * @import { TransportRow } from './transports.js'
 */

/**
 * @param {FixedRateDocument} document
 * @returns {{ rows: LatencyRow[], transports: TransportRow[] }}
 */
export function summarize({ plan, trials, environment }) {
  const where = { isInBrowser: isBrowser(environment.userAgent) };
  return { rows: summarizeFixedRate(plan, trials), transports: summarizeTransports(plan, trials, where) };
}

/**
 * @param {ReturnType<typeof summarize>} summary
 * @param {FixedRateDocument} document
 * @returns {Report}
 */
export function report({ rows, transports }, { plan, trials, ending }) {
  return {
    heading: 'Latency at a fixed rate',
    answer: ending ? undefined : answerOf(plan, transports),
    sentences: ending
      ? []
      : [...describeSpeed(transports), ...describeOverloads(plan, transports), ...describeMissed(trials)],
    notes: ending ? [] : [...describeSendDelays(trials), describeOmission(plan)],
    tables: [
      { columns: shortColumns(transports, ending !== undefined), rows: transports },
      { heading: 'Latency by percentile', isDetail: true, columns: COLUMNS, rows },
    ],
    charts: [chartOf(plan, trials)],
    method:
      'Each block holds two trials of every transport, one at the fixed rate and one back-to-back of as many messages, in random order, each after a warm-up that is not counted. From the plan: counted from the time at which a message was due. From the send: counted from the time at which it left. A send is late if it left more than one interval after its time, and missed if it was never made. Percentiles are of the answered messages of all blocks together, a dash where there are too few samples. Intervals are Student’s t over the blocks; those of times and ratios are of their logarithms.',
  };
}

/** @param {FixedRatePlan} plan @param {readonly TransportRow[]} transports */
function answerOf({ ratePerSecond, blocks }, transports) {
  const tooFew = describeTooFewBlocks(blocks);
  if (tooFew) return `At ${ratePerSecond} messages/s: ${tooFew}.`;
  const [carried, behind, unclear] = ['carried', 'behind', 'unclear'].map((one) =>
    transports.filter(({ outcome }) => outcome === one),
  );
  const rates = behind.map(
    (row) => `${nameOf(row)} ${row.overload ? 'at most ' : ''}${row.answersPerSecond?.estimate.toFixed(0)}`,
  );
  const clauses = [
    ...(carried.length > 0 ? [`${listOf(carried.map(nameOf))} carried all`] : []),
    ...(rates.length > 0 ? [`${listOf(rates)} per second`] : []),
    ...(unclear.length > 0 ? [`not clear for ${listOf(unclear.map(nameOf))}`] : []),
  ];
  return `Of ${ratePerSecond} messages/s: ${clauses.join('; ')}.`;
}

/** @param {TransportRow} row */
const nameOf = ({ transport }) => labelOf(transport);

/** @param {readonly TransportRow[]} transports @returns {string[]} */
function describeSpeed(transports) {
  const baseline = transports.find(({ isBaseline }) => isBaseline);
  const factors = transports.flatMap((row) => (row.speedUp?.word ? [{ name: nameOf(row), judged: row.speedUp }] : []));
  if (!baseline || factors.length === 0) return [];
  return [`Latency from the planned time, compared with ${nameOf(baseline)}: ${describeFactors(factors, 'as fast')}.`];
}

/** @param {FixedRatePlan} plan @param {readonly TransportRow[]} transports */
function describeOverloads({ ratePerSecond }, transports) {
  return transports.flatMap((row) => {
    if (!row.overload) return [];
    const { mostUnansweredCount, connectionsCarryPerSecond, roundTripMs } = row.overload;
    const queue = `At ${ratePerSecond}/s up to ${mostUnansweredCount} messages waited for an answer by ${nameOf(row)}`;
    return [
      connectionsCarryPerSecond === undefined
        ? `${queue}.`
        : `${queue}: ${HTTP1_CONNECTION_COUNT} connections and a round trip of ${formatMs(Number(roundTripMs))} carry at most ${connectionsCarryPerSecond.toFixed(0)}/s.`,
    ];
  });
}

/** @param {number} ms */
const formatMs = (ms) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/** @param {readonly LoopTrial[]} trials */
function describeMissed(trials) {
  const open = openOf(trials);
  const unanswered = sumOf(open, ({ missed }) => missed.unansweredCount);
  const ended = sumOf(open, ({ missed }) => missed.endedCount);
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
  return [`Messages left ${p50Ms.toFixed(2)} ms (p50)${most} after their planned time.`];
}

/** @param {FixedRatePlan} plan */
function describeOmission({ ratePerSecond }) {
  const delayed = ratePerSecond === 1 ? 'the one message' : `all ${ratePerSecond} messages`;
  return `Back-to-back, a stall of a second is one slow sample: the messages that would have left during it are left out (coordinated omission). On a schedule of ${ratePerSecond}/s it is in ${delayed} due in that second.`;
}

/** @param {readonly TransportRow[]} transports @param {boolean} isEnded @returns {Column<TransportRow>[]} */
function shortColumns(transports, isEnded) {
  const baseline = transports.find(({ isBaseline }) => isBaseline);
  /** @type {Column<TransportRow>[]} */
  const columns = [
    { title: 'Transport', isText: true, isKey: true, value: nameOf },
    {
      title: 'Carried, messages/s (95% CI)',
      value: ({ overload, answersPerSecond }) => `${overload ? 'at most ' : ''}${formatWithInterval(answersPerSecond)}`,
    },
    {
      title: 'p50 from the planned time, ms (95% CI)',
      value: ({ p50Ms }) => formatWithInterval(p50Ms),
    },
  ];
  if (baseline && transports.some(({ speedUp }) => speedUp)) {
    columns.push({
      title: `Speed against ${nameOf(baseline)}`,
      isText: true,
      value: (row) => (row === baseline ? 'baseline' : formatJudged(isEnded ? undefined : row.speedUp)),
    });
  }
  return columns;
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
    title: 'p50 above back-to-back’s, ms (95% CI)',
    name: 'above_back_to_back_ms',
    value: ({ aboveClosedMs }) => formatWithInterval(aboveClosedMs),
  },
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Late sends', name: 'late_sends', value: ({ lateCount }) => lateCount },
  { title: 'Missed sends', name: 'missed_sends', value: ({ missedCount }) => missedCount },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];
