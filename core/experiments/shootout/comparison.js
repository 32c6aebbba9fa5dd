/** Shared shootouts side by side; the first is the baseline. Nothing is averaged over places. */
import { escape } from '../../base/foreign-text.js';
import { DASH, formatFailures, formatWithInterval } from '../../base/format.js';
import { describeDifference, findDifferences, itemsOf, toPage } from '../../experiment/compare-reports.js';
import { compareTransports } from '../../experiment/compare.js';
import { titlesOf, formatBeside } from '../../experiment/names.js';
import { linesOfTable } from '../../experiment/report.js';
import { fixed, words, toCsv, turn } from '../../experiment/table.js';
import { labelOf } from '../../net/labels.js';
import { createDistanceModel, describeDeviation, predictSpeedRatio, describeSameDistance } from './distance-model.js';
import { baselineOf, isComparable } from './plan.js';
import { summarize } from './summary.js';
import { challengerOf } from './verdict.js';

/**
 * @import { Column, Table } from '../../experiment/contract.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { ListedRun } from '../../experiment/names.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { Result } from './index.js'
 * @import { Plan } from './plan.js'
 * @import { Row } from './summary.js'
 * @typedef {ListedRun & { number: number, document: Result }} WholeRun `number` is how the page counts it
 * @typedef {{ baseline: string, transport: string }} Pair what is set against what, the same in all places
 * @typedef {ReturnType<typeof createSide> & ReturnType<typeof predict>} Side one place
 * @typedef {ReturnType<typeof createPlaceComparison>} PlaceComparison
 */

/** @param {readonly WholeRun[]} runs of shootouts, one or more */
export function createPlaceComparison(runs) {
  const pair = pairOf(runs.map(({ document: { plan } }) => plan));
  const titles = titlesOf(runs);
  const sides = runs.map((run, index) => createSide(run, { title: titles[index], pair }));
  const [{ report, comparison }] = sides;
  const model = createDistanceModel(report.floorMs, comparison);
  return {
    pair,
    sides: sides.map((side, index) => ({ ...side, ...predict(side, index > 0 ? model : undefined) })),
    model,
    differences: findDifferences(listFacts(sides)),
    warnings: [
      ...sides.flatMap((side) => listFaults(side, pair)),
      ...sides.flatMap(({ number, title, report }) => report.notes.map((note) => `${number}. ${title}: ${note}`)),
    ],
  };
}

/** What all have, if that can be compared; else of the first. @param {readonly Plan[]} plans @returns {Pair} */
function pairOf(plans) {
  const [first] = plans;
  const common = first.transports.filter((name) => plans.every(({ transports }) => transports.includes(name)));
  const transports = isComparable(common) ? common : first.transports;
  return { baseline: baselineOf({ transports }), transport: challengerOf({ ...first, transports }) };
}

/**
 * Its rows are absent where the plan lacks them, and its comparison where the run ended early: when it suited.
 * @param {WholeRun} run @param {{ title: string, pair: Pair }} options
 */
function createSide(run, { title, pair }) {
  const report = summarize(run.document);
  const { trials, environment, ending } = report.result;
  const [base, other] = [pair.baseline, pair.transport].map((name) =>
    report.rows.find(({ transport }) => transport === name),
  );
  const isCompared = base && other && !ending;
  const comparison = isCompared ? compareTransports({ trials, ...pair, stepMs: environment.stepMs }) : undefined;
  return { number: run.number, title, run, report, base, other, comparison };
}

/**
 * What speed a model predicts here, and how far this run is from it.
 * @param {ReturnType<typeof createSide>} side @param {DistanceModel} [model]
 * @returns {{ predicted?: Interval, deviation?: string }}
 */
function predict({ report: { floorMs }, comparison }, model) {
  if (!model || floorMs === undefined) return {};
  const predicted = predictSpeedRatio(model, floorMs);
  const speedRatio = comparison?.speedRatio;
  return { predicted, deviation: speedRatio && describeDeviation(model, { floorMs, speedRatio }) };
}

/** A preset fits the iterations to the round-trip time. @param {readonly ReturnType<typeof createSide>[]} sides */
function listFacts(sides) {
  const plans = sides.map(({ report }) => report.result.plan);
  const isOnePlan = plans.every(
    ({ blocks, warmUpCount }) => blocks === plans[0].blocks && warmUpCount === plans[0].warmUpCount,
  );
  return sides.map(({ number, run: { digest, document: result } }) => ({
    number,
    facts: {
      Baseline: labelOf(baselineOf(result.plan)),
      Transports: result.plan.transports.map(labelOf).join(', '),
      ...(!isOnePlan && { Plan: formatBlocks(result.plan) }),
      Payload: `${result.plan.payloadBytes} bytes`,
      'Server version': digest.version,
      'User agent': result.environment.userAgent,
      'Page loaded from': result.environment.pageOrigin ?? 'the measured server',
    },
  }));
}

/** @param {Plan} plan @returns {string} like '10 blocks of 50, after 3 for warm-up' */
export function formatBlocks({ blocks, iterations, warmUpCount }) {
  return `${blocks} blocks of ${iterations}, after ${warmUpCount} for warm-up`;
}

/** @param {ReturnType<typeof createSide>} side @param {Pair} pair @returns {string[]} why it cannot be set beside the others */
function listFaults({ number, title, run: { document }, comparison }, pair) {
  const who = `${number}. ${title}`;
  const { ending, plan } = document;
  if (ending) {
    return [`${who} ${ending.kind === 'invalid' ? 'is invalid' : 'was stopped'}: no verdict. ${ending.reason}`];
  }
  if (!comparison) {
    const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
    return [`${who} did not measure both ${name} and ${baseline}.`];
  }
  if (plan.payloadBytes > 0) {
    return [`${who} has a payload, so it has no RTT and no prediction.`];
  }
  if (comparison.isTooCoarse) return [`${who} cannot be compared: the clock was too coarse even for whole trials.`];
  return comparison.speedRatio ? [] : [`${who} has too few blocks in which both transports have samples.`];
}

/** One place as 2012 had it. @param {Side} side @returns {Table<Row>} */
export function tabulateRates({ report: { baseline, rows, result } }) {
  return {
    columns: [
      words('Transport', ({ transport }) => labelOf(transport)),
      { title: 'Messages/s', value: ({ summary }) => summary.messagesPerSecond, format: fixed(3) },
      {
        title: `Ratio to ${labelOf(baseline)} (95% CI)`,
        value: ({ comparison }) =>
          comparison ? formatWithInterval(result.ending ? undefined : comparison.speedRatio, 1) : 'baseline',
      },
    ],
    rows,
  };
}

/** What stands above a place's column. @param {Side} side */
export const headOfSide = ({ number, title }) => `${number}. ${title}`;

/** @param {PlaceComparison} comparison @returns {Table<Side>} all places, to stand side by side */
export function tabulateSides({ pair, sides, model }) {
  /** @type {Column<Side>} */
  const prediction = {
    title: 'Predicted speed-up',
    explanation: `from run ${sides[0].number}’s overheads and this run’s round-trip time`,
    value: ({ predicted }) => formatWithInterval(predicted, 1),
  };
  const predictions = model && sides.length > 1 ? [prediction] : [];
  return {
    columns: [...PLACE, ...figureColumns(pair), ...predictions, ...runColumns(pair)],
    rows: sides,
  };
}

/** @type {readonly Column<Side>[]} */
const PLACE = [
  words('Label', ({ run }) => run.label),
  words('Visitor’s place', ({ run }) => run.place?.name),
  words('Server', ({ run: { digest } }) => [digest.server, digest.location].filter(Boolean).join(', ')),
  {
    title: 'Round-trip time',
    unit: 'ms',
    explanation: 'the smallest of the run',
    value: ({ report }) => report.floorMs,
    format: fixed(3),
  },
];

/**
 * The same of both transports; `meaning` stands after the transport's name.
 * @param {Pair} pair @param {string} title @param {(row: Row | undefined, side: Side) => any} valueOf
 * @param {Partial<Column<Side>>} more @param {string} [meaning] @returns {Column<Side>[]}
 */
function both(pair, title, valueOf, more, meaning) {
  return /** @type {const} */ (['base', 'other']).map((key) => {
    const label = labelOf(key === 'base' ? pair.baseline : pair.transport);
    const explanation = meaning && `${label}${meaning}`;
    return { title: `${label} ${title}`, explanation, value: (side) => valueOf(side[key], side), ...more };
  });
}

/** @param {Pair} pair @returns {Column<Side>[]} */
function figureColumns(pair) {
  const [baseline, name] = [pair.baseline, pair.transport].map(labelOf);
  const ms = { unit: 'ms', format: fixed(3) };
  return [
    ...both(pair, 'messages/s', (row) => row?.summary.messagesPerSecond, { format: fixed(3) }),
    ...both(pair, 'p50', (row) => row?.summary.p50Ms, ms),
    ...both(pair, 'overhead', (row, { report }) => overheadOf(row, report), ms, '’s p50 minus the round-trip time'),
    {
      title: `Difference to ${baseline}`,
      unit: 'ms',
      explanation: `of ${name}, 95% CI; below 0: slower`,
      value: ({ comparison }) => formatWithInterval(comparison?.savingMs),
    },
    {
      title: `Speed-up over ${baseline}`,
      explanation: `of ${name}, 95% CI`,
      value: ({ comparison }) => formatWithInterval(comparison?.speedRatio, 1),
    },
  ];
}

/** @param {Pair} pair @returns {Column<Side>[]} */
function runColumns(pair) {
  return [
    words('Verdict', ({ report }) => report.verdict.headline),
    words('Valid', ({ report: { result } }) => (result.ending ? `no: ${result.ending.reason}` : 'yes')),
    {
      title: 'Blocks compared',
      value: ({ comparison, report: { result } }) => `${comparison?.blockCount ?? 0} of ${result.plan.blocks}`,
    },
    {
      title: 'Samples',
      value: ({ base, other }) => [base, other].map((row) => row?.summary.sampleCount ?? 0).join(' + '),
    },
    {
      title: 'Failures',
      value: ({ base, other }) => formatFailures([base, other].flatMap((row) => row?.failures ?? [])),
    },
    ...both(pair, 'protocol', (row) => row?.protocols.join(', ') || DASH, { isText: true }),
    words('Plan', ({ report: { result } }) => formatBlocks(result.plan)),
    { title: 'Payload', unit: 'bytes', value: ({ report: { result } }) => result.plan.payloadBytes },
    words('Server version', ({ run }) => run.digest.version),
    words('Browser', ({ report: { result } }) => result.environment.userAgent),
    words('Started', ({ report: { result } }) => result.startedAt),
  ];
}

/** What a transport adds to the distance. @param {Row | undefined} row @param {{ floorMs?: number }} report */
function overheadOf(row, { floorMs }) {
  const p50Ms = row?.summary.p50Ms;
  return p50Ms === undefined || floorMs === undefined ? undefined : p50Ms - floorMs;
}

/** @param {PlaceComparison} comparison @param {string} link to the page that shows it @returns {string} */
export function formatMarkdown(comparison, link) {
  const { sides, differences, warnings } = comparison;
  const found = [...differences.map(describeDifference), ...warnings];
  const lines = [
    ...sides.flatMap((side) => [
      `**${escape(headOfSide(side))}.** ${escape(side.report.verdict.headline)}. ${escape(side.report.verdict.detail)}`,
      '',
      ...linesOfTable(tabulateRates(side)),
    ]),
    ...(found.length > 0 ? ['Differences and warnings:', '', ...itemsOf(found), ''] : []),
    ...linesOfTable(turn(tabulateSides(comparison), headOfSide)),
    ...itemsOf(listSentences(comparison)),
  ];
  return toPage(formatBeside(sides.map(({ title }) => title)), lines, link);
}

/** How each run fits the prediction of the first one. @param {PlaceComparison} comparison */
export function listSentences({ sides, model }) {
  return [
    ...(model ? [describeSameDistance(model)] : []),
    ...sides
      .filter(({ deviation }) => deviation)
      .map(({ number, title, deviation }) => `${number}. ${title}: ${deviation}`),
  ];
}

/** @type {Record<string, (side: Side, pair: Pair) => string | number | undefined>} */
const COLUMNS = {
  number: ({ number }) => number,
  id: ({ run }) => run.id,
  title: ({ title }) => title,
  label: ({ run }) => run.label,
  place: ({ run }) => run.place?.name,
  server: ({ run }) => run.digest.server,
  server_location: ({ run }) => run.digest.location,
  valid: ({ report }) => (report.result.ending ? 'no' : 'yes'),
  floor_ms: ({ report }) => report.floorMs,
  baseline: (_, pair) => pair.baseline,
  transport: (_, pair) => pair.transport,
  baseline_protocols: ({ base }) => base?.protocols.join(' '),
  transport_protocols: ({ other }) => other?.protocols.join(' '),
  baseline_messages_per_second: ({ base }) => base?.summary.messagesPerSecond,
  transport_messages_per_second: ({ other }) => other?.summary.messagesPerSecond,
  baseline_p50_ms: ({ base }) => base?.summary.p50Ms,
  transport_p50_ms: ({ other }) => other?.summary.p50Ms,
  baseline_adds_ms: ({ base, report }) => overheadOf(base, report),
  transport_adds_ms: ({ other, report }) => overheadOf(other, report),
  saving_ms: ({ comparison }) => comparison?.savingMs?.estimate,
  saving_low_ms: ({ comparison }) => comparison?.savingMs?.low,
  saving_high_ms: ({ comparison }) => comparison?.savingMs?.high,
  ratio: ({ comparison }) => comparison?.speedRatio?.estimate,
  ratio_low: ({ comparison }) => comparison?.speedRatio?.low,
  ratio_high: ({ comparison }) => comparison?.speedRatio?.high,
  predicted_ratio: ({ predicted }) => predicted?.estimate,
  predicted_low: ({ predicted }) => predicted?.low,
  predicted_high: ({ predicted }) => predicted?.high,
  blocks_compared: ({ comparison }) => comparison?.blockCount,
  blocks: ({ report: { result } }) => result.plan.blocks,
  iterations: ({ report: { result } }) => result.plan.iterations,
  payload_bytes: ({ report: { result } }) => result.plan.payloadBytes,
  baseline_samples: ({ base }) => base?.summary.sampleCount,
  transport_samples: ({ other }) => other?.summary.sampleCount,
  baseline_failures: ({ base }) => base?.failures.length,
  transport_failures: ({ other }) => other?.failures.length,
  server_version: ({ run }) => run.digest.version,
  user_agent: ({ report: { result } }) => result.environment.userAgent,
  started_at: ({ report: { result } }) => result.startedAt,
};

/** @param {PlaceComparison} comparison @returns {string} with a header, a line for each, and figures not rounded for people */
export function formatCsv({ pair, sides }) {
  const columns = Object.entries(COLUMNS).map(([title, valueOf]) => ({
    title,
    value: (/** @type {Side} */ side) => valueOf(side, pair),
    // No clock tells a millionth of a millisecond.
    format: (/** @type {string | number} */ cell) => String(typeof cell === 'number' ? Number(cell.toFixed(6)) : cell),
  }));
  return toCsv({ columns, rows: sides });
}
