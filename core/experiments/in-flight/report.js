/**
 * What trials with messages in flight say: rates, words, a table.
 */
import { fixed } from '../../experiment/table.js';
import { DASH, formatNumber, formatWithInterval } from '../../base/format.js';
import { quantile } from '../../base/statistics/quantile.js';
import { ratioInterval } from '../../base/statistics/ratio-interval.js';
import { labelOf } from '../../net/echo/labels.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { Chart, Report } from '../../experiment/contract.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { DepthDocument } from './document.js'
 * @import { DepthTrial } from './measure.js'
 * @import { DepthPlan } from './plan.js'
 */

/** Where one message takes less than this, there is no distance to speak of. */
const NEAR_MS = 5;

/**
 * @typedef {object} DepthRow
 * @property {string} transport
 * @property {string[]} protocols
 * @property {number} depth
 * @property {Interval} [messagesPerSecond] geometric mean over the blocks; absent below two
 * @property {number} [p50Ms] of the round trips
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {number} blockCount with a rate
 * @property {Interval} [gain] how many times the rate of one message in flight, block by block; absent for that one,
 *   and below two blocks
 */

/**
 * @param {Pick<DepthPlan, 'transports' | 'depths'>} plan
 * @param {readonly DepthTrial[]} trials
 * @returns {DepthRow[]} by transport, then by depth
 */
export function summarizeDepths({ transports, depths }, trials) {
  return transports.flatMap((transport) => {
    const rows = depths.map((depth) =>
      summarizeDepth(
        transport,
        depth,
        trials.filter((trial) => trial.transport === transport && trial.depth === depth),
      ),
    );
    const own = trials.filter((trial) => trial.transport === transport);
    return rows.map((row) => ({ ...row, gain: row.depth === 1 ? undefined : gainOf(own, row.depth) }));
  });
}

/**
 * @param {string} transport
 * @param {number} depth
 * @param {readonly DepthTrial[]} trials
 * @returns {DepthRow}
 */
function summarizeDepth(transport, depth, trials) {
  const rates = trials.map(rateOf).filter((rate) => rate !== undefined);
  const roundTripMs = trials.flatMap((trial) => trial.roundTripMs).sort((a, b) => a - b);
  return {
    transport,
    protocols: [...new Set(trials.map(({ protocol }) => protocol).filter((protocol) => protocol !== undefined))],
    depth,
    messagesPerSecond: ratioInterval(rates),
    p50Ms: quantile(roundTripMs, 0.5),
    sampleCount: roundTripMs.length,
    failureCount: trials.reduce((sum, { failures }) => sum + failures.length, 0),
    blockCount: rates.length,
  };
}

/**
 * @param {readonly DepthTrial[]} trials of one transport
 * @param {number} depth
 * @returns {Interval | undefined} over the blocks in which both have a rate
 */
function gainOf(trials, depth) {
  const ratios = trials.flatMap((trial) => {
    const single = trials.find((one) => one.block === trial.block && one.depth === 1);
    const [rate, singleRate] = [rateOf(trial), single && rateOf(single)];
    return trial.depth === depth && rate && singleRate ? [rate / singleRate] : [];
  });
  return ratioInterval(ratios);
}

/**
 * From the first message sent to the last answer.
 *
 * @param {DepthTrial} trial
 * @returns {number | undefined} messages per second; absent where it did not finish, or the clock did not move
 */
function rateOf({ endedAtMs, iterations }) {
  const elapsedMs = endedAtMs[iterations - 1];
  return elapsedMs > 0 ? (iterations / elapsedMs) * 1000 : undefined;
}

/**
 * @param {readonly DepthRow[]} rows
 * @returns {string[]} sentences
 */
export function describeDepths(rows) {
  const transports = [...new Set(rows.map(({ transport }) => transport))];
  const sentences = transports.flatMap((transport) =>
    describeTransport(rows.filter((row) => row.transport === transport)),
  );
  return [...sentences, ...describeLatency(rows)];
}

/**
 * What the gain is made of: said only where it was measured.
 *
 * @param {readonly DepthRow[]} rows
 */
function describeLatency(rows) {
  const singles = rows.filter(({ depth, p50Ms }) => depth === 1 && p50Ms !== undefined);
  if (singles.length === 0) return [];
  const singleMs = Math.min(...singles.map(({ p50Ms }) => Number(p50Ms)));
  if (singleMs < NEAR_MS) {
    return [
      `A message by itself takes ${singleMs.toFixed(2)} ms here, so there is no distance to win back: what more in flight brings is that browser and server need not wait for each other.`,
    ];
  }
  const isGainReal = rows.some(({ gain }) => gain && gain.low > 1);
  return isGainReal ? ['It is latency that kills the back-to-back loop, not the socket or the request.'] : [];
}

/** @param {readonly DepthRow[]} rows of one transport */
function describeTransport(rows) {
  const [single] = rows;
  const best = rows.reduce(
    (most, row) => ((row.gain?.estimate ?? 1) > (most.gain?.estimate ?? 1) ? row : most),
    single,
  );
  const name = labelOf(single.transport);
  if (!single.messagesPerSecond || !best.messagesPerSecond) return [`${name}: too little was measured.`];
  const rate = (/** @type {DepthRow} */ row) => formatNumber(row.messagesPerSecond?.estimate, 1);
  const most =
    best === single
      ? 'and no more with others in flight'
      : `and ${rate(best)} with ${best.depth} in flight: ${formatWithInterval(best.gain, 1)} times as many`;
  const figures = `${name} carries ${rate(single)} messages/s one at a time, ${most}.`;
  const note = PROTOCOL_NOTES[single.protocols[0]];
  return note ? [figures, note(name)] : [figures];
}

/** @type {Record<string, (name: string) => string>} */
const PROTOCOL_NOTES = {
  'http/1.1': (name) =>
    `Over HTTP/1.1 a browser has six connections to a server, so ${name} never has more than six on their way: the others wait in the browser.`,
  h2: (name) => `Over HTTP/2 all requests share one connection, so ${name} is not held back by six of them.`,
};

/** @type {readonly Column<DepthRow>[]} */
const COLUMNS = [
  { title: 'Transport', isText: true, isKey: true, value: ({ transport }) => labelOf(transport) },
  { title: 'Protocol', isText: true, value: ({ protocols }) => protocols.join(', ') || DASH },
  { title: 'In flight', name: 'in_flight', isKey: true, value: ({ depth }) => depth },
  {
    title: 'Messages/s (95 % interval)',
    name: 'messages_per_second',
    value: ({ messagesPerSecond }) => formatWithInterval(messagesPerSecond),
  },
  { title: 'Against one at a time', name: 'times_one_at_a_time', value: ({ gain }) => formatWithInterval(gain, 1) },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ p50Ms }) => p50Ms, format: fixed(3) },
  { title: 'Samples', name: 'samples', value: ({ sampleCount }) => sampleCount },
  { title: 'Failures', name: 'failures', value: ({ failureCount }) => failureCount },
  { title: 'Blocks', name: 'blocks', value: ({ blockCount }) => blockCount },
];

/**
 * @param {DepthDocument} document
 * @returns {DepthRow[]}
 */
export const summarize = ({ plan, trials }) => summarizeDepths(plan, trials);

/**
 * @param {readonly DepthRow[]} rows
 * @param {DepthDocument} document
 * @returns {Report}
 */
export function report(rows, { plan, ending }) {
  return {
    heading: 'Throughput by messages in flight',
    sentences: ending ? [] : describeDepths(rows),
    tables: [{ columns: COLUMNS, rows }],
    charts: [chartOf(plan, rows)],
    method:
      'The rate counts from the first message to the last answer, after as many messages that are not counted. It is the geometric mean of the blocks, whose trials come in random order. Its interval, like that of the ratio to one at a time, is Student’s t of their logarithms. A round trip here includes the wait in the browser.',
  };
}

/**
 * @param {DepthPlan} plan
 * @param {readonly DepthRow[]} rows
 * @returns {Chart}
 */
function chartOf({ transports, depths }, rows) {
  return {
    caption: 'Messages per second by messages in flight',
    // Each step doubles the messages, and would double the rate.
    x: { title: 'messages in flight', logBase: 2 },
    y: { title: 'messages/s', logBase: 10 },
    values: depths,
    lines: transports.map((transport) => ({
      label: labelOf(transport),
      colour: transport,
      hasPoints: true,
      values: rows
        .filter((row) => row.transport === transport)
        .map(({ messagesPerSecond }) => messagesPerSecond?.estimate ?? null),
    })),
  };
}
