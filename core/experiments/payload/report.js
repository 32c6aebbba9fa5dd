/** The report of a run over sizes: an answer, a sentence for each direction, heat maps, a short table, all figures. */
import { DASH, formatFailures } from '../../base/format.js';
import { percentile } from '../../base/statistics/values.js';
import { labelOfTransfer } from '../../net/labels.js';
import { formatSize } from './format-size.js';
import { movedBytesOf } from './budget.js';
import { comparePayload, confidenceAt, payloadBaselineOf } from './comparison.js';
import { PUBLISHED_COLUMNS, sweepColumnsOf } from './columns.js';
import { figureOf, formatSignificant, hasInterval } from './figure.js';
import { heatMapsOf } from './heat-map.js';
import { DIRECTION_LABELS } from './plan.js';
import { BEST_OF_NOTE, describePublished, summarizePublished } from './published.js';
import { contestedBaselineOf, describeAnswer, describeDirection } from './verdicts.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { Table } from '../../experiment/table.js'
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadComparison } from './comparison.js'
 * @import { PayloadDocument } from './document.js'
 * @import { Figure } from './figure.js'
 * @import { PayloadFailure, PayloadTrial } from './measure.js'
 * @import { PayloadPlan, Sweep } from './plan.js'
 * @import { PublishedRow } from './published.js'
 */

/**
 * @typedef {object} PayloadRow
 * @property {Direction} direction
 * @property {number} size
 * @property {string} transport
 * @property {string[]} protocols
 * @property {Figure} [timeMs] of a message: geometric mean over the blocks; absent without one, and if the clock measured 0
 * @property {number} [p50Ms]
 * @property {Figure} [megabytesPerSecond] from that time, of an echo in both directions together; absent also for 0 bytes
 * @property {PayloadComparison} [comparison] with the baseline; absent for the baseline itself
 * @property {number} sampleCount
 * @property {PayloadFailure[]} failures
 */

/**
 * @param {Sweep} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {{ stepMs?: number }} [clock] its measured step
 * @returns {PayloadRow[]} by direction, then by size, then by transport
 */
export function summarizePayload(plan, trials, { stepMs } = {}) {
  const baseline = payloadBaselineOf(plan);
  const sizeCount = plan.sizes.length;
  return plan.directions.flatMap((direction) =>
    plan.sizes.flatMap((size) => {
      const own = trials.filter((trial) => trial.direction === direction && trial.size === size);
      return plan.transports.map((transport) => ({
        ...summarizeSize(
          { direction, size, transport },
          own.filter((trial) => trial.transport === transport),
        ),
        comparison:
          baseline === undefined || transport === baseline
            ? undefined
            : comparePayload({ trials: own, direction, size, transport, baseline, stepMs, sizeCount }),
      }));
    }),
  );
}

/**
 * @param {{ direction: Direction, size: number, transport: string }} place
 * @param {readonly PayloadTrial[]} own
 * @returns {PayloadRow}
 */
function summarizeSize(place, own) {
  const times = own.map(({ durationMs }) => durationMs).filter((ms) => ms !== undefined);
  times.sort((a, b) => a - b);
  const timeMs = times[0] > 0 ? figureOf(times) : undefined;
  return {
    ...place,
    protocols: [...new Set(own.map(({ protocol }) => protocol).filter((protocol) => protocol !== undefined))],
    timeMs,
    p50Ms: percentile(times, 50),
    megabytesPerSecond: timeMs && rateOf(movedBytesOf(place.direction, place.size), timeMs),
    sampleCount: times.length,
    failures: own.map(({ failure }) => failure).filter((failure) => failure !== undefined),
  };
}

/**
 * @param {number} movedBytes
 * @param {Figure} timeMs
 * @returns {Figure | undefined} absent for 0 bytes
 */
function rateOf(movedBytes, timeMs) {
  if (movedBytes === 0) return undefined;
  const rate = (/** @type {number} */ ms) => movedBytes / ms / 1000;
  const estimate = rate(timeMs.estimate);
  return hasInterval(timeMs) ? { estimate, low: rate(timeMs.high), high: rate(timeMs.low) } : { estimate };
}

/**
 * @param {PayloadPlan} plan
 * @param {readonly PayloadTrial[]} trials
 * @returns {string[]} a sentence for each transport that failed
 */
function describeFailures({ transports }, trials) {
  return transports.flatMap((transport) => {
    const failed = trials.filter((trial) => trial.transport === transport && trial.failure);
    if (failed.length === 0) return [];
    const places = new Set(failed.map(({ size, direction }) => `${formatSize(size)} ${direction}`));
    const kinds = formatFailures(failed.map(({ failure }) => /** @type {PayloadFailure} */ (failure)));
    return [`${labelOfTransfer(transport)} failed (${kinds}) at ${[...places].join(', ')}.`];
  });
}

/**
 * @param {PayloadPlan} plan
 * @returns {string} how to read the figures
 */
export function describeReading(plan) {
  if (plan.preset) return BEST_OF_NOTE;
  const { length } = plan.sizes;
  const confidence = `${Number((100 * confidenceAt(length)).toFixed(1))}%`;
  return [
    ...(contestedBaselineOf(plan) !== undefined && length > 1
      ? [
          `The ${length} sizes share the 5% error of a transport’s verdicts in a direction (Bonferroni), so a verdict needs a ${confidence} CI, wider than that of the table.`,
        ]
      : []),
    'MB/s of an echo counts both directions.',
  ].join(' ');
}

/**
 * @param {PayloadDocument} document
 * @returns {(PayloadRow | PublishedRow)[]}
 */
export function summarize({ plan, trials, environment }) {
  return plan.preset ? summarizePublished(plan, trials) : summarizePayload(plan, trials, environment);
}

/**
 * @param {readonly any[]} rows
 * @param {PayloadDocument} document
 * @returns {Report}
 */
export function report(rows, { plan, trials, ending }) {
  const answer = ending || plan.preset ? undefined : describeAnswer(plan, rows);
  const all = { heading: 'All figures', isDetail: true, columns: columnsOf(plan), rows };
  return {
    heading: 'Time by payload size',
    answer,
    sentences: ending ? [] : [...describeFindings(plan, rows), ...describeFailures(plan, trials)],
    notes: ending ? [] : [describeReading(plan)],
    tables: ending ? [all] : [...heatMapsOf(plan, rows), ...(plan.preset ? [] : [endsOf(plan, rows)]), all],
    charts: [],
    method:
      'The time of a message runs from the call that sends it until the page has the whole answer: the server’s receipt of an upload, the message of a download or an echo. Creating the message and checking each of its bytes are not timed; a wrong byte is a failure. Connections are kept. In interleaved blocks each transport first sends an uncounted message of each size.',
  };
}

/** @param {PayloadPlan} plan @param {readonly any[]} rows */
function describeFindings(plan, rows) {
  if (plan.preset) return describePublished(rows);
  // Of a single direction the answer says it all.
  if (contestedBaselineOf(plan) === undefined || plan.directions.length === 1) return [];
  return plan.directions.map((direction) => describeDirection(plan, rows, direction));
}

/** @param {PayloadPlan} plan @returns {Table<any>['columns']} */
function columnsOf(plan) {
  return plan.preset ? PUBLISHED_COLUMNS : sweepColumnsOf(contestedBaselineOf(plan));
}

/** @typedef {{ name: string, texts: Map<string, string> }} EndRow `texts`: by transport */

/**
 * The time of the smallest message, which the round-trip time dominates, and the rate of the largest, which the bandwidth
 * dominates.
 *
 * @param {Sweep} plan
 * @param {readonly PayloadRow[]} rows
 * @returns {Report['tables'][number]}
 */
function endsOf({ directions, sizes, transports }, rows) {
  const [smallest, largest] = [sizes[0], sizes[sizes.length - 1]];
  const rowOf = (/** @type {Direction} */ direction, /** @type {'timeMs' | 'megabytesPerSecond'} */ figure) => {
    const size = figure === 'timeMs' ? smallest : largest;
    const own = rows.filter((row) => row.direction === direction && row.size === size);
    return {
      name: `${DIRECTION_LABELS[direction]} ${formatSize(size)}, ${figure === 'timeMs' ? 'ms' : 'MB/s'}`,
      texts: new Map(own.map((row) => [row.transport, formatSignificant(row[figure]?.estimate)])),
    };
  };
  return {
    heading: 'Smallest and largest message',
    columns: [
      { title: 'Message', isText: true, isKey: true, value: (/** @type {EndRow} */ { name }) => name },
      ...transports.map((transport) => ({
        title: labelOfTransfer(transport),
        value: (/** @type {EndRow} */ { texts }) => texts.get(transport) ?? DASH,
      })),
    ],
    rows: directions.flatMap((direction) => [
      rowOf(direction, 'timeMs'),
      ...(largest > smallest ? [rowOf(direction, 'megabytesPerSecond')] : []),
    ]),
  };
}
