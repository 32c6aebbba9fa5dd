/** The distance curve of a matrix: the speed-up over the round-trip time, with a dot for each place. */
import { formatRtt } from '../base/format.js';
import { SAME_PERCENT, SAME_RATIO } from '../experiment/answer/verdict.js';
import { drawLogChart } from '../picture/log-chart.js';
import { labelOf } from '../experiment/answer/labels.js';

/**
 * @import { SvgNode } from '../picture/svg.js'
 * @import { Dot } from '../picture/plot.js'
 * @import { Overhead } from '../experiment/answer/answer.js'
 * @import { MatrixColumn } from './cells.js'
 * @import { MatrixRow } from './index.js'
 */

/** More dots with their names would hide each other. */
const MAX_DOTS = 12;
const STEP_COUNT = 60;
/** The round-trip times that are always shown, ms: from one's own machine to the other side of the earth. */
const SCALE_MS = Object.freeze({ low: 0.2, high: 400 });
/** A clock may have seen no time pass, which has no logarithm. */
const MIN_MS = 0.01;

/**
 * @param {{ rows: readonly MatrixRow[], columns: readonly MatrixColumn[] }} matrix
 * @param {{ width: number, height: number }} size in CSS pixels
 * @returns {SvgNode | undefined} absent if no place has a speed-up
 */
export function drawMatrixCurve({ rows, columns }, size) {
  const index = columns.findIndex(({ topic }) => topic === 'sending');
  const placed = index < 0 ? [] : rows.filter(({ rttMs, cells }) => rttMs && cells[index].value !== undefined);
  const overhead = placed.find((row) => row.cells[index].overhead)?.cells[index].overhead;
  if (!overhead) return undefined;
  const shown = [...placed].sort((a, b) => b.runCount - a.runCount).slice(0, MAX_DOTS);
  return drawLogChart(
    chartOf(
      overhead,
      shown.map((row) => dotOf(row, index, overhead)),
    ),
    size,
  );
}

/** @param {MatrixRow} row @param {number} index of the column @param {Overhead} overhead @returns {Dot} */
function dotOf({ name, rttMs, cells }, index, { transport }) {
  const { value, low, high } = cells[index];
  const y = Number(value);
  const interval = low === undefined || high === undefined ? undefined : { estimate: y, low, high };
  return { label: name, colour: transport, x: Math.max(MIN_MS, Number(rttMs)), y, ...(interval && { interval }) };
}

/** @param {Overhead} overhead @param {readonly Dot[]} dots */
function chartOf({ transport, baselineMs, messageMs }, dots) {
  const low = Math.min(SCALE_MS.low, ...dots.map(({ x }) => x / 1.5));
  const high = Math.max(SCALE_MS.high, ...dots.map(({ x }) => x * 1.5));
  const values = Array.from({ length: STEP_COUNT + 1 }, (_, step) => low * (high / low) ** (step / STEP_COUNT));
  const ratios = values.map((ms) => Math.max(ms + baselineMs, MIN_MS) / Math.max(ms + messageMs, MIN_MS));
  const ends = dots.flatMap(({ y, interval }) => [y, ...(interval ? [interval.low, interval.high] : [])]);
  const all = [...ratios, ...ends, SAME_RATIO ** 2, SAME_RATIO ** -2].filter((ratio) => ratio > MIN_MS);
  return {
    x: { title: 'Round-trip time, ms', logBase: /** @type {const} */ (10), range: pair(low, high), format: formatRtt },
    y: {
      title: 'Times as fast',
      logBase: /** @type {const} */ (10),
      range: pair(Math.min(...all) / 1.05, Math.max(...all) * 1.15),
      format: (/** @type {number} */ ratio) => `${ratio}x`,
    },
    values,
    lines: [{ label: labelOf(transport), colour: transport, values: ratios }],
    dots,
    marks: [],
    same: { low: 1 / SAME_RATIO, high: SAME_RATIO },
  };
}

/** @param {number} low @param {number} high @returns {[number, number]} */
const pair = (low, high) => [low, high];

/** What the curve shows. */
export const CURVE_CAPTION = `Sending a message: the speed-up that the nearest place predicts for any round-trip time, and the median of each place, of at most ${MAX_DOTS}. Grey: the same within ${SAME_PERCENT}%.`;
