/** The answer in words, with its interval and the counts behind it. */
import { decimalsOf, formatInterval, formatRange, formatRatio, formatSigned } from '../../base/format.js';
import { MIN_BLOCKS, SAME_PERCENT, SAME_RATIO } from '../../experiment/compare.js';
import { isFallback, labelOf } from '../../net/labels.js';
import { formatRtt } from './distance-model.js';
import { baselineOf } from './plan.js';

/**
 * @import { Interval } from '../../experiment/contract.js'
 * @import { Comparison, Word } from '../../experiment/compare.js'
 * @import { Result } from './index.js'
 * @import { Plan } from './plan.js'
 * @import { Row, Scope } from './report.js'
 * @typedef {object} Verdict
 * @property {Word | 'none'} word `none` where nothing may be concluded
 * @property {string} headline a few words
 * @property {string} detail the figures behind them; of a run that ended early, why
 * @property {string} counts of blocks, messages and failures, the last sentence of the detail
 * @property {string} advice what it means
 */

/** Who is asked about, the first that the run has; else its last. */
export const CHALLENGERS = ['sockjs', 'websocket'];

/** From this share on, distance is what a message's time is made of. */
const MOSTLY_PERCENT = 80;

/** @param {{ transports: readonly string[] }} plan @returns {string} the transport that the verdict is about */
export function challengerOf({ transports }) {
  const baseline = baselineOf({ transports });
  const last = transports.filter((name) => name !== baseline).at(-1);
  return CHALLENGERS.find((name) => transports.includes(name)) ?? String(last);
}

/**
 * @param {Pick<Row, 'transport' | 'protocols'>} row
 * @returns {boolean} did SockJS do without a WebSocket, although nobody asked for that?
 */
export function didFallBack({ transport, protocols }) {
  return transport === 'sockjs' && protocols.some((protocol) => isFallback(transport, protocol));
}

/** A fallback is never called what it is not; one that was asked for has its own name. @param {Row} row @returns {string} */
export function nameOf(row) {
  const label = labelOf(row.transport);
  return didFallBack(row) ? `${label} over ${row.protocols.join(' and ')}` : label;
}

/** What is said of a run that ended early: a headline, and advice. */
const ENDINGS = Object.freeze({
  invalid: ['This run is not valid', 'The figures measured until then are for diagnosis only. Measure again.'],
  cancelled: [
    'Stopped: no verdict',
    'A stopped run gives no verdict, because the moment of stopping may favor one side.',
  ],
});

/** @param {{ result: Result, rows: readonly Row[], floorMs?: number, scope: Scope }} measured @returns {Verdict} */
export function createVerdict({ result: { plan, ending }, rows, floorMs, scope }) {
  const [base, row] = [baselineOf(plan), challengerOf(plan)].map(
    (name) => /** @type {Row} */ (rows.find(({ transport }) => transport === name)),
  );
  const comparison = /** @type {Comparison} */ (row.comparison);
  const name = nameOf(row);
  const counts = formatCounts(comparison, plan, [base, row]);
  const { word, savingMs, speedRatio } = comparison;
  if (ending || !word || !savingMs || !speedRatio) {
    const [headline, advice, reason] = ending
      ? [...ENDINGS[ending.kind], ending.reason]
      : withoutComparison(comparison, name, [base, row]);
    return { word: 'none', headline, detail: join(reason, counts), counts, advice };
  }
  return {
    word,
    headline: describeOutcome({ name, baseline: comparison.baseline, speedRatio, word }),
    detail: join(formatFigures(comparison, name, { floorMs, scope }), counts),
    counts,
    advice: join(fallbackAdvice(row, rows), wordAdvice(comparison, { rows, floorMs, scope })),
  };
}

/**
 * A ratio says by itself which of the two is faster.
 * @param {{ name: string, baseline: string, speedRatio: Interval, word: Word }} found `name`: of what is set against `baseline`
 * @returns {string} without its full stop, like 'SockJS and AJAX are the same within 10% (1.07x)'
 */
export function describeOutcome({ name, baseline, speedRatio, word }) {
  const [ratio, other] = [formatRatio(speedRatio), labelOf(baseline)];
  if (word === 'same') return `${name} and ${other} are the same within ${SAME_PERCENT}% (${ratio})`;
  if (word === 'unclear') return `${name} and ${other} show no clear difference (${ratio})`;
  return `${name} ${ratio} as fast as ${other}`;
}

/** @param {Comparison} comparison @param {string} name @param {{ floorMs?: number, scope: Scope }} where */
function formatFigures({ baseline, savingMs, speedRatio, statistic }, name, { floorMs, scope }) {
  if (!savingMs || !speedRatio) return '';
  const isFaster = savingMs.estimate >= 0;
  const amount = isFaster ? savingMs : { estimate: -savingMs.estimate, low: -savingMs.high, high: -savingMs.low };
  const means = statistic === 'mean' ? ' (by means: the clock is too coarse for single round trips)' : '';
  return [
    `${name} was ${formatSigned(amount.estimate, decimalsOf(amount))} ms ${isFaster ? 'faster' : 'slower'} per message`,
    ` (95% CI ${formatInterval(amount)} ms)${means}. It was ${formatRatio(speedRatio)} as fast as ${labelOf(baseline)}`,
    ` (95% CI ${formatRange(speedRatio)}), one message at a time${PLACES[scope]}`,
    `${floorMs === undefined ? '' : `, at a round-trip time of ${formatRtt(floorMs)} ms`}.`,
  ].join('');
}

const PLACES = Object.freeze({ machine: ', on one machine', network: ', on one network', path: '' });

/** @param {Comparison} comparison @param {Plan} plan @param {readonly Row[]} rows */
function formatCounts({ blockCount }, { blocks, iterations }, rows) {
  const made = blockCount === blocks ? `${blocks} blocks` : `${blockCount} of ${blocks} blocks`;
  const failing = rows
    .filter(({ failures }) => failures.length > 0)
    .map(({ transport, failures }) => `${failures.length} of ${labelOf(transport)}`);
  return `${made} of ${iterations} messages, in random order${failing.length > 0 ? `; failures: ${failing.join(', ')}` : ''}.`;
}

/** @param {Comparison} comparison @param {string} name @param {readonly Row[]} rows @returns {string[]} headline, advice, reason */
function withoutComparison({ baseline, blockCount, isTooCoarse }, name, rows) {
  const failed = rows.find(({ summary }) => summary.sampleCount === 0);
  if (failed) {
    const headline = `${labelOf(failed.transport)} did not work from here`;
    return [headline, 'There is nothing to compare. See Latency by transport.', failed.failures[0]?.message ?? ''];
  }
  if (isTooCoarse) {
    return [
      'The clock is too coarse to tell',
      'Use a browser without fingerprinting protection, or more iterations.',
      'A whole trial takes only a few steps of this browser’s clock.',
    ];
  }
  return [
    'Too few blocks to tell',
    'See Latency by transport, then measure again.',
    `${name} and ${labelOf(baseline)} both have samples in ${blockCount} blocks; ${MIN_BLOCKS} are needed.`,
  ];
}

/** @param {Row} row @param {readonly Row[]} rows */
function fallbackAdvice(row, rows) {
  if (!didFallBack(row)) return '';
  const webSocket = rows.find(({ transport }) => transport === 'websocket');
  const couldOpen = row.protocols.includes('websocket') || (webSocket && webSocket.summary.sampleCount > 0);
  const reason = couldOpen
    ? 'SockJS fell back, although WebSockets can be opened from here'
    : 'No WebSocket could be opened from here';
  return `${reason}: these are the figures of a fallback. Its client waits 25 ms after each message it sends, and the figures include that.`;
}

/** @param {Comparison} comparison with a word @param {{ rows: readonly Row[], floorMs?: number, scope: Scope }} context */
function wordAdvice({ baseline, word, speedRatio, neededBlocks }, { rows, floorMs, scope }) {
  const { low, high } = /** @type {Interval} */ (speedRatio);
  if (word === 'unclear') {
    return `This run cannot tell whether there is a difference that matters. About ${neededBlocks} blocks could, under the same conditions.`;
  }
  // Of users elsewhere a run on one machine says nothing by itself.
  if (scope !== 'path') return 'To measure for your users, run this test from where they are.';
  if (word === 'same') return distanceAdvice(rows, baseline, floorMs);
  const isSmall = word === 'faster' ? low < SAME_RATIO : high > 1 / SAME_RATIO;
  return isSmall ? `The difference may be below ${SAME_PERCENT}%.` : '';
}

/** @param {readonly Row[]} rows @param {string} baseline @param {number | undefined} floorMs */
function distanceAdvice(rows, baseline, floorMs) {
  const p50Ms = rows.find(({ transport }) => transport === baseline)?.summary.p50Ms;
  if (floorMs === undefined || p50Ms === undefined) return '';
  const percent = Math.floor((100 * floorMs) / p50Ms);
  if (percent < MOSTLY_PERCENT) return '';
  return `The network takes ${percent}% of each ${labelOf(baseline)} round trip. No transport can reduce that.`;
}

/** @param {...string} sentences */
const join = (...sentences) => sentences.filter(Boolean).join(' ');
