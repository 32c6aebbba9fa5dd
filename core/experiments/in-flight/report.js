/**
 * The report of a run with messages in flight: a conclusion, how rates grow with the concurrency, a chart, all figures.
 */
import { DASH, formatMs, formatRateWithRange, formatWithRange, listOf, formatCount } from '../../base/format.js';
import { concludeTooFew, describeTooFewBlocks } from '../../experiment/answer/compare.js';
import { describeFactors, formatJudged, RATE_LABELS } from '../../experiment/answer/verdict.js';
import { isBrowser } from '../../experiment/run/names.js';
import { labelOf, labelOfProtocol } from '../../experiment/answer/labels.js';
import { transportColumn } from '../../experiment/report/table.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';

/**
 * @import { Environment } from '../../experiment/contract.js'
 * @import { Chart } from '../../picture/plot.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { DepthDocument } from './schema.js'
 * @import { DepthRow, DepthSummary, TransportRow } from './summary.js'
 */

/**
 * Reports the throughput of each transport at each depth.
 * @param {DepthSummary} summary @param {DepthDocument} document @returns {OwnReport}
 */
export function report(summary, document) {
  const { rows, transports } = summary;
  const { plan, ending } = document;
  const conclusion = ending ? undefined : conclusionOf(transports);
  const tooFew = conclusion && describeTooFewBlocks(plan.blocks);
  return {
    heading: 'Throughput by concurrency',
    conclusion,
    ...concludeTooFew(tooFew),
    sentences: ending ? [] : describe(summary, document, conclusion),
    tables: [
      { columns: shortColumns(transports, ending !== undefined), rows: transports },
      { heading: 'By concurrency', isDetail: true, columns: COLUMNS, rows },
    ],
    charts: [chartOf(document, rows)],
    method:
      'A rate is measured from the first counted message to the last answer, after a warm-up that opens the connections. It is the geometric mean over the blocks. Each ratio is taken block by block. Intervals are Student’s t of the logarithms. A round trip here includes the wait for a free connection.',
  };
}

const CARRIES = { verb: 'carries', what: 'as many messages/s', more: 'more', less: 'less' };

/** @param {TransportRow} row */
const nameOf = ({ single: { transport } }) => labelOf(transport);

/** @param {readonly TransportRow[]} transports */
const baselineOf = (transports) => transports.find(({ isBaseline }) => isBaseline);

/** @param {readonly TransportRow[]} transports @returns {string | undefined} a sentence */
function conclusionOf(transports) {
  const baseline = baselineOf(transports);
  const factors = transports.flatMap((row) => (row.speedUp ? { name: nameOf(row), judged: row.speedUp } : []));
  if (!baseline || factors.length === 0) return describeGrowth(transports);
  const { depth } = transports[0].deepest;
  const where = `With ${formatCount(depth, 'message')} in flight`;
  return `${where}, ${describeFactors(factors, { ...CARRIES, baseline: nameOf(baseline) })}.`;
}

/** @param {readonly TransportRow[]} transports @returns {string | undefined} absent if there is only one depth */
function describeGrowth(transports) {
  const { depth } = transports[0].deepest;
  if (depth === 1) return undefined;
  const factors = transports.map((row) => ({ name: nameOf(row), judged: row.deepest.gain }));
  const where = `With ${depth} messages in flight instead of 1`;
  return `${where}, ${describeFactors(factors, CARRIES)}.`;
}

/** @param {DepthSummary} summary @param {DepthDocument} document @param {string} [conclusion] is not repeated */
function describe({ rows, transports }, { plan: { blocks }, environment }, conclusion) {
  const growth = describeTooFewBlocks(blocks) ? undefined : describeGrowth(transports);
  return [
    growth !== conclusion && growth,
    ...['http/1.1', 'h2', 'h3'].flatMap((protocol) => describeConnections(protocol, rows, environment)),
  ].filter((sentence) => typeof sentence === 'string');
}

/**
 * @param {string} protocol over HTTP @param {readonly DepthRow[]} rows @param {Environment} environment
 * @returns {string[]}
 */
function describeConnections(protocol, rows, environment) {
  const names = crowdedOver(protocol, rows, environment);
  if (names.length === 0) return [];
  const effect =
    protocol === 'http/1.1'
      ? `a browser opens ${HTTP1_CONNECTION_COUNT} connections to a server, so further ${listOf(names)} requests wait`
      : `${listOf(names)} requests share one connection, so none waits for a free one`;
  return [`This run used ${labelOfProtocol(protocol)}: ${effect}.`];
}

/**
 * Transports with more in flight than a browser has connections.
 * @param {string} protocol @param {readonly DepthRow[]} rows @param {Environment} environment
 */
function crowdedOver(protocol, rows, { userAgent }) {
  if (!isBrowser(userAgent)) return [];
  const crowded = rows.filter(({ depth, protocols }) => depth > HTTP1_CONNECTION_COUNT && protocols.includes(protocol));
  return [...new Set(crowded.map(({ transport }) => labelOf(transport)))];
}

/** @param {readonly TransportRow[]} transports @param {boolean} isEnded @returns {Column<TransportRow>[]} */
function shortColumns(transports, isEnded) {
  const [{ deepest }] = transports;
  const baseline = baselineOf(transports);
  /** @param {Judged} judged */
  const verdict = (judged) => formatJudged(isEnded ? undefined : judged, RATE_LABELS);
  /** @param {Judged} [judged] */
  const judgedIn = (judged) => (isEnded ? undefined : judged);
  /** @param {(row: TransportRow) => Judged | undefined} judgedOf @returns {boolean} a column without any would have only dashes */
  const hasVerdict = (judgedOf) => transports.some((row) => judgedIn(judgedOf(row))?.verdict);
  /** @param {number} depth @param {(row: TransportRow) => DepthRow} rowOf @returns {Column<TransportRow>} */
  const rateColumn = (depth, rowOf) => ({
    title: `${depth} in flight, messages/s (95% CI)`,
    value: (row) => formatRateWithRange(rowOf(row).messagesPerSecond),
  });
  /** @type {Column<TransportRow>[]} */
  const columns = [
    { title: 'Transport', isText: true, isKey: true, value: nameOf },
    rateColumn(1, ({ single }) => single),
  ];
  if (deepest.depth > 1) columns.push(rateColumn(deepest.depth, (row) => row.deepest));
  if (deepest.depth > 1 && hasVerdict(({ deepest: { gain } }) => gain)) {
    columns.push({
      title: `${deepest.depth} in flight, compared with 1`,
      isText: true,
      value: (row) => verdict(row.deepest.gain),
      judgedOf: (row) => judgedIn(row.deepest.gain),
    });
  }
  if (baseline && hasVerdict(({ speedUp }) => speedUp)) {
    columns.push({
      title: `${deepest.depth} in flight, compared with ${nameOf(baseline)}`,
      isText: true,
      value: ({ speedUp }) => (speedUp ? verdict(speedUp) : 'baseline'),
      judgedOf: ({ speedUp }) => judgedIn(speedUp),
    });
  }
  return columns;
}

/** @type {readonly Column<DepthRow>[]} */
const COLUMNS = [
  transportColumn(),
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'In flight', name: 'in_flight', isKey: true, value: ({ depth }) => depth },
  {
    title: 'Messages/s (95% CI)',
    name: 'messages_per_second',
    value: ({ messagesPerSecond }) => formatRateWithRange(messagesPerSecond),
  },
  {
    title: 'Ratio to 1 in flight (95% CI)',
    name: 'times_one_at_a_time',
    value: ({ gain: { ratio } }) => formatWithRange(ratio, 1),
  },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: formatMs },
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/** @param {readonly number[]} depths @returns {(readonly number[])[]} ticks where something was measured; fewer where there is no room */
const ticksAt = (depths) => [depths, depths.filter((_, i) => i % 2 === 0), [Math.min(...depths), Math.max(...depths)]];

/** @param {DepthDocument} document @param {readonly DepthRow[]} rows @returns {Chart} */
function chartOf({ plan: { transports, depths }, environment }, rows) {
  const isLimited = crowdedOver('http/1.1', rows, environment).length > 0;
  return {
    caption: 'Throughput by messages in flight',
    bandName: '95% CI',
    // Each step doubles the messages, and ideally the rate.
    x: { title: 'messages in flight', logBase: 2, ticks: ticksAt(depths) },
    y: { title: 'messages/s', logBase: 10 },
    values: depths,
    marks: isLimited ? [{ x: HTTP1_CONNECTION_COUNT, label: `${HTTP1_CONNECTION_COUNT} connections` }] : [],
    hasDirectLabels: true,
    lines: transports.map((transport) => {
      const rates = rows.filter((row) => row.transport === transport).map((row) => row.messagesPerSecond ?? null);
      return {
        label: labelOf(transport),
        colour: transport,
        hasPoints: true,
        values: rates.map((rate) => rate?.estimate ?? null),
        band: rates,
      };
    }),
  };
}
