/**
 * What a run over sizes says: times and rates, who is ahead where, what SockJS's framing costs, a table, words.
 */
import { CARRIER_LABELS, labelOfCarrier } from '../carriers/labels.js';
import { DASH, formatFailures, formatNumber, formatWithInterval } from '../format.js';
import { percentile } from '../statistics/quantile.js';
import { ratioInterval } from '../statistics/ratio-interval.js';
import { formatExperimentMarkdown } from './experiment-markdown.js';
import { formatSize } from './format-size.js';
import { movedBytesOf } from './payload-budget.js';
import { comparePayload, payloadBaselineOf } from './payload-comparison.js';
import { DIRECTION_LABELS, formatPayloadPlan } from './payload-plan.js';
import {
  BEST_OF_NOTE,
  describePublished,
  formatPublishedRow,
  PUBLISHED_TITLES,
  summarizePublished,
} from './payload-published.js';
import { describeContest, findContests } from './payload-winner.js';

/** SockJS's framing is what is between these two. */
const FRAMED = 'sockjs';
const UNFRAMED = 'websocket-text';

/**
 * @typedef {import('./payload-plan.js').PayloadPlan} PayloadPlan
 * @typedef {import('./payload-plan.js').Sweep} Sweep
 * @typedef {import('./payload-plan.js').Direction} Direction
 * @typedef {import('./payload.js').PayloadTrial} PayloadTrial
 * @typedef {import('../statistics/mean-interval.js').Interval} Interval
 * @typedef {{ stepMs?: number }} Clock its measured step
 *
 * @typedef {object} PayloadRow
 * @property {Direction} direction
 * @property {number} size
 * @property {string} transport
 * @property {string[]} protocols
 * @property {Interval} [timeMs] of a message: geometric mean over the blocks; absent below two, and where the clock saw no
 *   time pass
 * @property {number} [p50Ms]
 * @property {Interval} [megabytesPerSecond] made of that time; of an echo to and fro; absent also for 0 bytes
 * @property {import('./payload-comparison.js').PayloadComparison} [comparison] with AJAX; absent for AJAX itself
 * @property {number} sampleCount
 * @property {import('./payload.js').PayloadFailure[]} failures
 */

/**
 * @param {Sweep} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {Clock} [clock]
 * @returns {PayloadRow[]} by direction, then by size, then by transport
 */
export function summarizePayload(plan, trials, { stepMs } = {}) {
  const baseline = payloadBaselineOf(plan);
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
            : comparePayload({ trials: own, direction, size, transport, baseline, stepMs }),
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
  const timeMs = times[0] > 0 ? ratioInterval(times) : undefined;
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
 * @param {Interval} timeMs
 * @returns {Interval | undefined} absent where nothing moved
 */
function rateOf(movedBytes, { estimate, low, high }) {
  if (movedBytes === 0) return undefined;
  const rate = (/** @type {number} */ ms) => movedBytes / ms / 1000;
  return { estimate: rate(estimate), low: rate(high), high: rate(low) };
}

/**
 * @typedef {object} FramingRow
 * @property {Direction} direction
 * @property {number} size
 * @property {Interval} timeRatio how many times the time of WebSocket text SockJS takes
 */

/**
 * What SockJS's framing (each message as JSON in JSON) costs apart from the WebSocket that carries it.
 *
 * @param {Sweep} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {Clock} [clock]
 * @returns {FramingRow[]} of the sizes at which both were measured
 */
export function summarizeFraming({ directions, sizes, transports }, trials, { stepMs } = {}) {
  if (![FRAMED, UNFRAMED].every((name) => transports.includes(name))) return [];
  return directions.flatMap((direction) =>
    sizes.flatMap((size) => {
      // As many times as fast as SockJS: so many times its time SockJS takes.
      const { speedRatio: timeRatio } = comparePayload({
        trials,
        direction,
        size,
        transport: UNFRAMED,
        baseline: FRAMED,
        stepMs,
      });
      return timeRatio ? [{ direction, size, timeRatio }] : [];
    }),
  );
}

/**
 * @param {readonly FramingRow[]} rows
 * @returns {string[]} a sentence for each direction
 */
export function describeFraming(rows) {
  const directions = [...new Set(rows.map(({ direction }) => direction))];
  return directions.map((direction) => {
    const figures = rows
      .filter((row) => row.direction === direction)
      .map(({ size, timeRatio }) => `${formatWithInterval(timeRatio, 1)} at ${formatSize(size)}`);
    return `${DIRECTION_LABELS[direction]}, SockJS’s framing makes the time of ${labelOfCarrier(UNFRAMED)} so many times as long: ${figures.join(', ')}.`;
  });
}

/**
 * @param {PayloadPlan} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {Clock} [clock]
 * @returns {string[]} sentences
 */
export function describePayload(plan, trials, clock) {
  const failures = describeFailures(plan, trials);
  if (plan.preset) return [...describePublished(summarizePublished(plan, trials)), ...failures];
  const contests = findContests(plan, trials, clock);
  return [
    ...(contests.length > 0
      ? contests.map(describeContest)
      : ['Nobody’s lead can be told: that needs AJAX or fetch, and a socket beside it.']),
    ...describeFraming(summarizeFraming(plan, trials, clock)),
    ...failures,
  ];
}

/**
 * @param {PayloadPlan} plan
 * @param {readonly PayloadTrial[]} trials
 */
function describeFailures({ transports }, trials) {
  return transports.flatMap((transport) => {
    const failed = trials.filter((trial) => trial.transport === transport && trial.failure);
    if (failed.length === 0) return [];
    const places = new Set(failed.map(({ size, direction }) => `${formatSize(size)} ${direction}`));
    const kinds = formatFailures(
      failed.map(({ failure }) => /** @type {import('./payload.js').PayloadFailure} */ (failure)),
    );
    return [`${labelOfCarrier(transport)} failed (${kinds}) at ${[...places].join(', ')}.`];
  });
}

/**
 * @param {PayloadPlan} plan
 * @returns {string} how the figures are to be read
 */
export function describeReading(plan) {
  if (plan.preset) return BEST_OF_NOTE;
  return `“Ahead” is said only where it is sure: the ${plan.sizes.length} sizes of a sentence share the 5 % in which it may be wrong, so it asks for more than the 95 % interval of the table. MB/s of an echo counts both ways.`;
}

const SWEEP_TITLES = Object.freeze([
  'Direction',
  'Size',
  'Transport',
  'Protocol',
  'Time, ms (95 % interval)',
  'p50, ms',
  'MB/s (95 % interval)',
  'Times as fast as AJAX (95 % interval)',
  'Samples',
  'Failures',
]);

/** Of both tables. */
const TEXT_COLUMNS = 4;
/** @param {number} column */
const isTextColumn = (column) => column < TEXT_COLUMNS;

/**
 * @param {PayloadPlan} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {Clock} [clock]
 * @returns {{ titles: readonly string[], isTextColumn: (column: number) => boolean, rows: string[][] }}
 */
export function tabulatePayload(plan, trials, clock) {
  if (plan.preset) {
    return { titles: PUBLISHED_TITLES, isTextColumn, rows: summarizePublished(plan, trials).map(formatPublishedRow) };
  }
  const baseline = labelOfCarrier(payloadBaselineOf(plan) ?? 'ajax');
  return {
    titles: SWEEP_TITLES.map((title) => title.replace(CARRIER_LABELS.ajax, baseline)),
    isTextColumn,
    rows: summarizePayload(plan, trials, clock).map(formatPayloadRow),
  };
}

/**
 * @param {PayloadRow} row
 * @returns {string[]} a cell for each of the sweep's titles
 */
export function formatPayloadRow(row) {
  return [
    DIRECTION_LABELS[row.direction],
    formatSize(row.size),
    labelOfCarrier(row.transport),
    row.protocols.join(', ') || DASH,
    formatWithInterval(row.timeMs),
    formatNumber(row.p50Ms, 2),
    formatWithInterval(row.megabytesPerSecond),
    formatWithInterval(row.comparison?.speedRatio, 1),
    String(row.sampleCount),
    formatFailures(row.failures),
  ];
}

/**
 * @param {import('../measure-document.js').ExperimentDocument<PayloadPlan, PayloadTrial>} document
 * @returns {string}
 */
export function formatPayloadMarkdown(document) {
  const { plan, trials, environment } = document;
  return formatExperimentMarkdown({
    heading: plan.preset ? 'SockShootout, payload as published' : 'SockShootout, payload',
    ...tabulatePayload(plan, trials, environment),
    sentences: [...describePayload(plan, trials, environment), describeReading(plan)],
    query: formatPayloadPlan(plan),
    document,
  });
}
