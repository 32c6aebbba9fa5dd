/** What is said of a run with messages in flight: the answer, a chart, two tables. */
import { DASH, formatWithInterval } from '../../base/format.js';
import { isBrowser } from '../../experiment/names.js';
import { describeFactors, describeTooFewBlocks, formatJudged, listOf } from '../../experiment/compare.js';
import { fixed } from '../../experiment/table.js';
import { labelOf } from '../../net/labels.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';

/**
 * @import { Judged } from '../../experiment/compare.js'
 * @import { Chart, Report } from '../../experiment/contract.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { DepthDocument } from './index.js'
 * @import { DepthRow, DepthSummary, TransportRow } from './summary.js'
 */

/** Where a round trip takes less, hardly any of it is waiting for the network. */
const NEAR_MS = 5;

/** @param {DepthSummary} summary @param {DepthDocument} document @returns {Report} */
export function report(summary, document) {
  const { rows, transports } = summary;
  const { plan, ending } = document;
  const limited = limitedByConnections(rows, document);
  return {
    heading: 'Throughput by concurrency',
    answer: ending ? undefined : answerOf(transports, plan.blocks),
    sentences: ending ? [] : describe(transports, limited),
    tables: [
      { columns: shortColumns(transports, ending !== undefined), rows: transports },
      { heading: 'By concurrency', isDetail: true, columns: COLUMNS, rows },
    ],
    charts: [chartOf(document, rows, limited)],
    method:
      'The rate counts from the first message to the last answer, after as many messages that are not counted. It is the geometric mean of the blocks, whose trials come in random order. Each ratio is taken block by block. Intervals are Student’s t of the logarithms. A round trip here includes the wait for a free connection.',
  };
}

/** @param {TransportRow} row */
const nameOf = ({ single: { transport } }) => labelOf(transport);

/** @param {readonly TransportRow[]} transports */
const baselineOf = (transports) => transports.find(({ isBaseline }) => isBaseline);

/** @param {readonly TransportRow[]} transports @param {number} blocks */
function answerOf(transports, blocks) {
  const [{ deepest }] = transports;
  if (deepest.depth === 1) return undefined;
  const factors = transports.map((row) => ({ name: nameOf(row), judged: row.deepest.gain }));
  const found = describeTooFewBlocks(blocks) ?? describeFactors(factors, 'the throughput');
  return `From 1 to ${deepest.depth} messages in flight: ${found}.`;
}

/** @param {readonly TransportRow[]} transports @param {readonly string[]} limited */
function describe(transports, limited) {
  const [{ deepest }] = transports;
  const baseline = baselineOf(transports);
  const factors = transports.flatMap((row) => (row.speedUp?.word ? [{ name: nameOf(row), judged: row.speedUp }] : []));
  const singleMs = Math.min(...transports.flatMap(({ single }) => single.p50Ms ?? []));
  return [
    baseline && factors.length > 0
      ? `Compared with ${nameOf(baseline)}, ${deepest.depth} in flight: ${describeFactors(factors, 'the throughput')}.`
      : '',
    limited.length > 0
      ? `Over HTTP/1.1 a browser opens ${HTTP1_CONNECTION_COUNT} connections to a server. Further messages by ${listOf(limited)} wait for a free one.`
      : '',
    singleMs < NEAR_MS
      ? `One round trip takes ${singleMs.toFixed(1)} ms here. To measure for your users, run this test from where they are.`
      : '',
  ].filter(Boolean);
}

/**
 * Only browsers have this limit.
 * @param {readonly DepthRow[]} rows @param {DepthDocument} document
 * @returns {string[]} the names of the transports that had more messages in flight than the browser has connections
 */
function limitedByConnections(rows, { environment: { userAgent } }) {
  if (!isBrowser(userAgent)) return [];
  const limited = rows.filter(
    ({ depth, protocols }) => depth > HTTP1_CONNECTION_COUNT && protocols.includes('http/1.1'),
  );
  return [...new Set(limited.map(({ transport }) => labelOf(transport)))];
}

/** @param {readonly TransportRow[]} transports @param {boolean} isEnded @returns {Column<TransportRow>[]} */
function shortColumns(transports, isEnded) {
  const [{ deepest }] = transports;
  const baseline = baselineOf(transports);
  /** @param {Judged} judged */
  const verdict = (judged) => formatJudged(isEnded ? undefined : judged);
  /** @param {number} depth @param {(row: TransportRow) => DepthRow} rowOf @returns {Column<TransportRow>} */
  const rateColumn = (depth, rowOf) => ({
    title: `${depth} in flight, messages/s (95% CI)`,
    value: (row) => formatWithInterval(rowOf(row).messagesPerSecond),
  });
  /** @type {Column<TransportRow>[]} */
  const columns = [
    { title: 'Transport', isText: true, isKey: true, value: nameOf },
    rateColumn(1, ({ single }) => single),
  ];
  if (deepest.depth > 1) {
    columns.push(
      rateColumn(deepest.depth, (row) => row.deepest),
      { title: `${deepest.depth} against 1`, isText: true, value: (row) => verdict(row.deepest.gain) },
    );
  }
  if (baseline && transports.length > 1) {
    columns.push({
      title: `${deepest.depth} against ${nameOf(baseline)}’s`,
      isText: true,
      value: ({ speedUp }) => (speedUp ? verdict(speedUp) : 'baseline'),
    });
  }
  return columns;
}

/** @type {readonly Column<DepthRow>[]} */
const COLUMNS = [
  { title: 'Transport', isText: true, isKey: true, value: ({ transport }) => labelOf(transport) },
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'In flight', name: 'in_flight', isKey: true, value: ({ depth }) => depth },
  {
    title: 'Messages/s (95% CI)',
    name: 'messages_per_second',
    value: ({ messagesPerSecond }) => formatWithInterval(messagesPerSecond),
  },
  {
    title: 'Ratio to 1 in flight (95% CI)',
    name: 'times_one_at_a_time',
    value: ({ gain: { ratio } }) => formatWithInterval(ratio, 1),
  },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(3) },
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/** @param {DepthDocument} document @param {readonly DepthRow[]} rows @param {readonly string[]} limited @returns {Chart} */
function chartOf({ plan: { transports, depths } }, rows, limited) {
  return {
    caption: 'Throughput by messages in flight, with its 95% CI',
    // Each step doubles the messages, and would double the rate.
    x: { title: 'messages in flight', logBase: 2 },
    y: { title: 'messages/s', logBase: 10 },
    values: depths,
    marks: limited.length > 0 ? [{ x: HTTP1_CONNECTION_COUNT, label: `${HTTP1_CONNECTION_COUNT} connections` }] : [],
    hasDirectLabels: true,
    lines: transports.map((transport) => {
      const rates = rows.filter((row) => row.transport === transport).map((row) => row.messagesPerSecond ?? null);
      return {
        label: labelOf(transport),
        colour: transport,
        hasPoints: true,
        values: rates.map((rate) => rate?.estimate ?? null),
        band: rates.map((rate) => rate && { low: rate.low, high: rate.high }),
      };
    }),
  };
}
