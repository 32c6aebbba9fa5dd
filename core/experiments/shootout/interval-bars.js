/** Draws the speed of each transport against the baseline as an interval. */
import { formatFailures, formatRange, formatRatio } from '../../base/format.js';
import { logScale, logTicks, node } from '../../picture/svg.js';
import { nameVerdict } from '../../experiment/answer/verdict.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Row } from './summary.js'
 */

const MIN_REACH = 1.25;
/** The minimum gap between two ticks, so that their texts do not touch on a phone. */
const MIN_GAP_PERCENT = 13;
/** A text nearer to an end begins or ends at its tick, so that it stays within the picture. */
const END_PERCENT = 5;
/** The part of the axis, from its middle to either end, that has ticks: one at an end would look like its bound. */
const TICKED_SHARE = 0.98;

/** Draws the ratio of each transport with its interval, or says why there is none. @param {readonly Row[]} rows */
export function createIntervalBars(rows) {
  const candidates = rows.filter(({ comparison }) => comparison);
  const ratios = candidates.flatMap(({ comparison }) => comparison?.speedRatio ?? []);
  const reach = Math.max(MIN_REACH, ...ratios.flatMap(({ low, high }) => [1 / low, high])) * 1.05;
  const domain = { low: 1 / reach, high: reach };
  const at = logScale(domain, [0, 100]);
  return {
    bars: candidates.map((row) => {
      const { transport, comparison } = row;
      const ratio = comparison?.speedRatio;
      return { transport, words: describe(row), picture: ratio && drawBar(transport, ratio, at) };
    }),
    axis: drawAxis(domain, at),
  };
}

/** @param {Row} row */
function describe({ comparison, failures }) {
  const failed = failures.length > 0 ? `; failures: ${formatFailures(failures)}` : '';
  const { speedRatio: ratio, verdict, isTooCoarse } = comparison ?? {};
  if (!ratio || !verdict) return `${isTooCoarse ? 'clock too coarse' : 'not enough samples'}${failed}`;
  const factor = verdict === 'unclear' ? '' : `: ${formatRatio(ratio)}`;
  return `${nameVerdict({ verdict, ratio }, { isBrief: true })}${factor} (${formatRange(ratio)})${failed}`;
}

/** @param {string} transport @param {Interval} ratio @param {(ratio: number) => number} at */
function drawBar(transport, { low, estimate, high }, at) {
  const colour = `var(--${transport})`;
  return node(
    'svg',
    { class: 'bar-interval', height: 28, width: '100%', 'aria-hidden': 'true' },
    node('line', { class: 'one', x1: '50%', x2: '50%', y1: 0, y2: 28 }),
    node('line', { class: 'interval', stroke: colour, x1: percent(at(low)), x2: percent(at(high)), y1: 14, y2: 14 }),
    node('circle', { cx: percent(at(estimate)), cy: 14, r: 6, fill: colour }),
  );
}

/** @param {{ low: number, high: number }} domain @param {(ratio: number) => number} at */
function drawAxis(domain, at) {
  // The most important ticks come first, and others if there is room.
  const within = { low: domain.low ** TICKED_SHARE, high: domain.high ** TICKED_SHARE };
  const ticks = [...new Set([1, ...logTicks(within, [[1], [1, 2, 5], [1, 1.1, 1.2, 1.5, 2, 5, 7, 8, 9]])])];
  /** @type {number[]} */
  const kept = [];
  for (const tick of ticks)
    if (kept.every((other) => Math.abs(middleOf(at(other)) - middleOf(at(tick))) >= MIN_GAP_PERCENT)) kept.push(tick);
  return node(
    'svg',
    { class: 'bar-axis', height: 20, width: '100%', 'aria-hidden': 'true' },
    ...kept.map((ratio) =>
      node('text', { class: 'tick', x: percent(at(ratio)), y: 12, 'text-anchor': anchorOf(at(ratio)) }, `${ratio}x`),
    ),
  );
}

/** @param {number} share of the picture @returns {number} where the middle of its text is */
const middleOf = (share) => Math.min(100 - END_PERCENT, Math.max(END_PERCENT, share));

/** @param {number} share */
const anchorOf = (share) => (share === middleOf(share) ? 'middle' : share < END_PERCENT ? 'start' : 'end');

/** @param {number} share */
const percent = (share) => `${share.toFixed(2)}%`;
