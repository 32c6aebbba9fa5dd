/**
 * What a run over sizes says: times and rates, who is ahead where, what SockJS's framing costs, a table, words.
 */
import { labelOfTransfer } from '../../net/transfer/labels.js';
import { formatFailures } from '../../base/format.js';
import { percentile } from '../../base/statistics/quantile.js';
import { formatSize } from './format-size.js';
import { movedBytesOf } from './budget.js';
import { chartOf } from './chart.js';
import { comparePayload, payloadBaselineOf } from './comparison.js';
import { PUBLISHED_COLUMNS, sweepColumnsOf } from './columns.js';
import { figureOf, formatFigure, hasInterval } from './figure.js';
import { DIRECTION_LABELS } from './plan.js';
import { BEST_OF_NOTE, describePublished, summarizePublished } from './published.js';
import { confidenceAt, describeContest, findContests, hasContest } from './winner.js';

/**
 * @import { Report } from '../../experiment/contract.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { PayloadComparison } from './comparison.js'
 * @import { PayloadDocument } from './document.js'
 * @import { PayloadFailure, PayloadTrial } from './measure.js'
 * @import { PayloadPlan, Sweep } from './plan.js'
 * @import { PublishedRow } from './published.js'
 */

/** SockJS's framing, and the WebSocket library beneath it on the server, are between these two. */
const FRAMED = 'sockjs';
const UNFRAMED = 'websocket-text';

/**
 * @typedef {import('./figure.js').Figure} Figure its interval absent below 6 blocks
 * @typedef {{ stepMs?: number }} Clock its measured step
 *
 * @typedef {object} PayloadRow
 * @property {Direction} direction
 * @property {number} size
 * @property {string} transport
 * @property {string[]} protocols
 * @property {Figure} [timeMs] of a message: geometric mean over the blocks; absent without one, and where the clock saw no
 *   time pass
 * @property {number} [p50Ms]
 * @property {Figure} [megabytesPerSecond] made of that time; of an echo to and fro; absent also for 0 bytes
 * @property {PayloadComparison} [comparison] with AJAX; absent for AJAX itself
 * @property {number} sampleCount
 * @property {PayloadFailure[]} failures
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
 * @returns {Figure | undefined} absent where nothing moved
 */
function rateOf(movedBytes, timeMs) {
  if (movedBytes === 0) return undefined;
  const rate = (/** @type {number} */ ms) => movedBytes / ms / 1000;
  const estimate = rate(timeMs.estimate);
  return hasInterval(timeMs) ? { estimate, low: rate(timeMs.high), high: rate(timeMs.low) } : { estimate };
}

/**
 * @typedef {object} FramingRow
 * @property {Direction} direction
 * @property {number} size
 * @property {Figure} timeRatio how many times the time of WebSocket text SockJS takes
 * @property {boolean} isSurelyLonger as surely as somebody is called ahead: the sizes share the doubt
 */

/**
 * What SockJS takes beside a WebSocket: its framing (each message as JSON in JSON), and the library by which its server reads
 * and writes the WebSocket beneath, which is another than that of the WebSocket itself.
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
      const place = { trials, direction, size, transport: UNFRAMED, baseline: FRAMED, stepMs };
      const { speedRatio: timeRatio } = comparePayload(place);
      if (!timeRatio) return [];
      const { speedRatio: sure } = comparePayload({ ...place, confidence: confidenceAt(sizes) });
      return [{ direction, size, timeRatio, isSurelyLonger: (sure?.low ?? 0) > 1 }];
    }),
  );
}

/**
 * @param {readonly FramingRow[]} rows of one direction
 * @returns {string[]} one sentence, with figures only of the sizes at which it surely takes longer; none of no rows
 */
export function describeFraming(rows) {
  if (rows.length === 0) return [];
  const [framed, unframed] = [FRAMED, UNFRAMED].map(labelOfTransfer);
  const figures = rows
    .filter(({ isSurelyLonger }) => isSurelyLonger)
    .map(({ size, timeRatio }) => `${formatFigure(timeRatio, 1)} times as long at ${formatSize(size)}`);
  return figures.length === 0
    ? [`${framed} is slower than ${unframed} at no size.`]
    : [
        `${framed} (its framing, and the WebSocket library beneath it on the server) takes longer than ${unframed}: ${figures.join(', ')}.`,
      ];
}

/**
 * @param {PayloadPlan} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {Clock} [clock]
 * @returns {string[]} sentences
 */
export function describePayload(plan, trials, clock) {
  if (plan.preset) return [...describePublished(summarizePublished(plan, trials)), ...describeFailures(plan, trials)];
  const found = plan.directions.flatMap((direction) =>
    describeFindings(plan, trials, { direction, clock }).map((words) => `${DIRECTION_LABELS[direction]}, ${words}`),
  );
  return [...(hasContest(plan) ? [] : [NO_CONTEST]), ...found, ...describeFailures(plan, trials)];
}

const NO_CONTEST = 'Nobody’s lead can be told: that needs AJAX or fetch, and a socket beside it.';

/**
 * The same of one direction, which a heading names.
 *
 * @param {Sweep} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {{ direction: Direction, clock?: Clock }} options
 * @returns {string[]} sentences
 */
export function describeDirection(plan, trials, { direction, clock }) {
  const own = trials.filter((trial) => trial.direction === direction);
  return [
    ...(hasContest(plan) ? [] : [NO_CONTEST]),
    ...describeFindings(plan, own, { direction, clock }),
    ...describeFailures(plan, own),
  ];
}

/**
 * @param {Sweep} plan
 * @param {readonly PayloadTrial[]} trials
 * @param {{ direction: Direction, clock?: Clock }} options
 * @returns {string[]} sentences that do not name the direction
 */
function describeFindings(plan, trials, { direction, clock }) {
  const own = { ...plan, directions: [direction] };
  return [
    ...findContests(own, trials, clock).map(describeContest),
    ...describeFraming(summarizeFraming(own, trials, clock)),
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
    const kinds = formatFailures(failed.map(({ failure }) => /** @type {PayloadFailure} */ (failure)));
    return [`${labelOfTransfer(transport)} failed (${kinds}) at ${[...places].join(', ')}.`];
  });
}

/**
 * @param {PayloadPlan} plan
 * @returns {string} how the figures are to be read
 */
export function describeReading(plan) {
  if (plan.preset) return BEST_OF_NOTE;
  const { length } = plan.sizes;
  const sure =
    length === 1
      ? 'where the whole 95 % interval is on one side, and more than 10 % may be between them'
      : `the ${length} sizes of a sentence share the 5 % in which it may be wrong, so it asks for more than the 95 % interval of the table`;
  return [
    ...(hasContest(plan) ? [`“Ahead” is said only where it is sure: ${sure}.`] : []),
    'MB/s of an echo counts both ways.',
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
export function report(rows, { plan, trials, environment, ending }) {
  /** @param {Direction} direction */
  const sentencesOf = (direction) =>
    ending || plan.preset ? [] : describeDirection(plan, trials, { direction, clock: environment });
  return {
    heading: 'Time by payload size',
    // A sweep's are many: each direction has its own.
    sentences: plan.preset && !ending ? describePayload(plan, trials, environment) : [],
    notes: ending ? [] : [describeReading(plan)],
    tables: [{ columns: columnsOf(plan), rows }],
    charts: plan.directions.map((direction) => chartOf(direction, { plan, rows, sentences: sentencesOf(direction) })),
    method:
      'The time of a message runs from the call that sends it until the page has the whole answer: up, the server’s receipt; down, the message; echo, the message that comes back. Making the message and checking each of its bytes are not in the time; a wrong byte is a failure. Connections are kept; in interleaved blocks each has had a message of the size before. A size of 0 B is not in the charts.',
  };
}

/**
 * @param {PayloadPlan} plan
 * @returns {readonly Column<any>[]}
 */
function columnsOf(plan) {
  if (plan.preset) return PUBLISHED_COLUMNS;
  return sweepColumnsOf(plan.transports.length > 1 ? payloadBaselineOf(plan) : undefined);
}
