/**
 * The answer in words, with its interval and the counts behind it.
 */
import { SAME_PERCENT, SAME_RATIO } from './compare.js';
import { decimalsOf, formatInterval, formatNumber, formatSigned } from './format.js';
import { baselineOf, MIN_BLOCKS } from './plan.js';
import { isFallback, labelOf } from './transports/labels.js';

/** Who is asked about, the first that the run has; else its last. */
const CHALLENGERS = ['sockjs', 'websocket'];

/** From this share on, distance is what a message's time is made of. */
const MOSTLY_PERCENT = 80;

/**
 * @typedef {object} Verdict
 * @property {'same' | 'faster' | 'slower' | 'unclear' | 'none'} word `none` where nothing may be concluded
 * @property {string} headline a few words
 * @property {string} detail the figures behind them
 * @property {string} advice what it means
 */

/**
 * @param {import('./plan.js').Plan} plan
 * @returns {string} the transport that the verdict is about
 */
export function challengerOf({ transports }) {
  const baseline = baselineOf({ transports });
  const last = transports.filter((name) => name !== baseline).at(-1);
  return CHALLENGERS.find((name) => transports.includes(name)) ?? String(last);
}

/**
 * @param {object} measured
 * @param {import('./result.js').Result} measured.result
 * @param {readonly import('./report.js').Row[]} measured.rows
 * @param {number} [measured.floorMs]
 * @returns {Verdict}
 */
export function createVerdict({ result: { plan, ending }, rows, floorMs }) {
  const transport = challengerOf(plan);
  const row = /** @type {import('./report.js').Row} */ (rows.find((one) => one.transport === transport));
  const base = /** @type {import('./report.js').Row} */ (rows.find((one) => one.transport === baselineOf(plan)));
  const comparison = /** @type {import('./compare.js').Comparison} */ (row.comparison);
  const name = nameOf(row);
  const figures = formatFigures(comparison, name, floorMs);
  const counts = formatCounts(comparison, plan, [base, row]);

  if (ending) {
    return {
      word: 'none',
      headline: ending.kind === 'invalid' ? 'This run is not valid' : 'Cancelled: no verdict',
      detail: join(ending.reason, counts),
      advice:
        ending.kind === 'invalid'
          ? 'What was measured until then is shown below, but must not be relied on. Start again.'
          : 'What was measured until then is shown below. A run that was stopped early gives no verdict: the moment of stopping may favour one side.',
    };
  }
  if (!comparison.word || !comparison.savingMs) return withoutComparison(comparison, name, counts, [base, row]);
  return {
    word: comparison.word,
    headline: HEADLINES[comparison.word](name),
    detail: join(figures, counts),
    advice: adviceOf(comparison, { name, rows, row, floorMs }),
  };
}

/** @type {Record<'same' | 'faster' | 'slower' | 'unclear', (name: string) => string>} */
const HEADLINES = {
  same: () => `Same within ${SAME_PERCENT} % from here`,
  faster: (name) => `${name} is faster from here`,
  slower: (name) => `${name} is slower from here`,
  unclear: () => 'Cannot tell from here',
};

/**
 * A fallback is never called what it is not; one that was asked for has its own name.
 *
 * @param {import('./report.js').Row} row
 */
function nameOf({ transport, protocols }) {
  return transport === 'sockjs' && protocols.some((protocol) => isFallback(transport, protocol))
    ? `${labelOf(transport)} over ${protocols.join(' and ')}`
    : labelOf(transport);
}

/**
 * @param {import('./compare.js').Comparison} comparison
 * @param {string} name
 * @param {number | undefined} floorMs
 */
function formatFigures({ baseline, savingMs, speedRatio, statistic }, name, floorMs) {
  if (!savingMs || !speedRatio) return '';
  const isSaving = savingMs.estimate >= 0;
  const amount = isSaving ? savingMs : { estimate: -savingMs.estimate, low: -savingMs.high, high: -savingMs.low };
  const place = floorMs === undefined ? '' : ` at your ${formatFloor(floorMs)} ms`;
  const means = statistic === 'mean' ? ' (of means, as the clock is too coarse for single round trips)' : '';
  return (
    `${name} ${isSaving ? 'saves' : 'costs'} ${formatSigned(amount.estimate, decimalsOf(amount))} ms` +
    ` (95 % interval ${formatInterval(amount)})${isSaving ? '' : ' more'} a message${means},` +
    ` ${formatRatio(speedRatio, baseline)}${place}.`
  );
}

/**
 * @param {import('./compare.js').Interval} ratio
 * @param {string} baseline
 */
function formatRatio(ratio, baseline) {
  return `${formatNumber(ratio.estimate, decimalsOf(ratio, 1))}x the speed of ${labelOf(baseline)} (${formatInterval(ratio, 1)})`;
}

/** @param {number} floorMs the smallest round trip */
function formatFloor(floorMs) {
  return formatNumber(floorMs, floorMs < 10 ? 1 : 0);
}

/**
 * @param {import('./compare.js').Comparison} comparison
 * @param {import('./plan.js').Plan} plan
 * @param {readonly import('./report.js').Row[]} rows
 */
function formatCounts({ blockCount }, { blocks, iterations }, rows) {
  const made = blockCount === blocks ? `${blocks} blocks` : `${blockCount} of ${blocks} blocks`;
  const failing = rows
    .filter(({ failures }) => failures.length > 0)
    .map(({ transport, failures }) => `${failures.length} of ${labelOf(transport)}`);
  return `${made} of ${iterations}, order random${failing.length > 0 ? `; failures: ${failing.join(', ')}` : ''}.`;
}

/**
 * @param {import('./compare.js').Comparison} comparison
 * @param {string} name
 * @param {string} counts
 * @param {readonly import('./report.js').Row[]} rows
 * @returns {Verdict}
 */
function withoutComparison({ baseline, blockCount, isTooCoarse }, name, counts, rows) {
  const failed = rows.find(({ summary }) => summary.sampleCount === 0);
  if (failed) {
    return {
      word: 'none',
      headline: `${labelOf(failed.transport)} did not work from here`,
      detail: join(failed.failures[0]?.message ?? '', counts),
      advice: 'There is nothing to compare it by; the table below has what was measured, and what failed.',
    };
  }
  if (isTooCoarse) {
    return {
      word: 'none',
      headline: 'The clock is too coarse to tell',
      detail: `A whole trial takes only some steps of this browser’s clock. ${counts}`,
      advice: 'Take a browser without protection against fingerprinting, or a plan with more iterations.',
    };
  }
  return {
    word: 'none',
    headline: 'Too little to tell',
    detail: `${name} and ${labelOf(baseline)} both have samples in ${blockCount} blocks; ${MIN_BLOCKS} are needed. ${counts}`,
    advice: 'The table below has what was measured, and what failed. Start again.',
  };
}

/**
 * @param {import('./compare.js').Comparison} comparison with a word
 * @param {{ name: string, rows: readonly import('./report.js').Row[], row: import('./report.js').Row, floorMs?: number }} context
 */
function adviceOf(comparison, { name, rows, row, floorMs }) {
  return join(fallbackAdvice(row, rows), wordAdvice(comparison, { name, rows, floorMs }));
}

/**
 * @param {import('./report.js').Row} row
 * @param {readonly import('./report.js').Row[]} rows
 */
function fallbackAdvice({ transport, protocols }, rows) {
  if (transport !== 'sockjs' || !protocols.some((protocol) => isFallback(transport, protocol))) return '';
  const webSocket = rows.find((row) => row.transport === 'websocket');
  const reason =
    protocols.includes('websocket') || (webSocket && webSocket.summary.sampleCount > 0)
      ? 'SockJS fell back, although WebSockets can be opened from here'
      : 'No WebSocket could be opened from here';
  return `${reason}, so these are figures of a fallback; its client waits 25 ms after each message it sends, which is part of them.`;
}

/**
 * @param {import('./compare.js').Comparison} comparison with a word
 * @param {{ name: string, rows: readonly import('./report.js').Row[], floorMs?: number }} context
 */
function wordAdvice({ baseline, word, speedRatio, neededBlocks }, { name, rows, floorMs }) {
  const { low, high } = /** @type {import('./compare.js').Interval} */ (speedRatio);
  const waiting = `For messages that wait for each other, moving to ${name}`;
  switch (word) {
    case 'same':
      return join(distanceAdvice(rows, baseline, floorMs), `${waiting} would not be noticed.`);
    case 'faster':
      return low >= SAME_RATIO
        ? `${waiting} pays from here.`
        : `${waiting} saves time from here, but it may be less than ${SAME_PERCENT} %.`;
    case 'slower':
      return high <= 1 / SAME_RATIO
        ? `${waiting} would cost time from here.`
        : `${waiting} costs time from here, but it may be less than ${SAME_PERCENT} %.`;
    default:
      return `The interval leaves open whether there is a difference that matters. About ${neededBlocks} blocks would tell, should things stay as they are; the plan’s link sets their number.`;
  }
}

/**
 * @param {readonly import('./report.js').Row[]} rows
 * @param {string} baseline
 * @param {number | undefined} floorMs
 */
function distanceAdvice(rows, baseline, floorMs) {
  const p50Ms = rows.find(({ transport }) => transport === baseline)?.summary.p50Ms;
  if (floorMs === undefined || p50Ms === undefined) return '';
  const percent = Math.floor((100 * floorMs) / p50Ms);
  if (percent < MOSTLY_PERCENT) return '';
  return `Distance is ${percent} % of a message’s time by ${labelOf(baseline)} here, and no transport shortens it.`;
}

/** @param {...string} sentences */
function join(...sentences) {
  return sentences.filter(Boolean).join(' ');
}
