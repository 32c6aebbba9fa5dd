/** What stands inside a chart of lines: the names at their ends, and vertical lines with theirs. */
import { colour } from './chart.js';

/**
 * @import { Chart, Line } from '../../../core/experiment/contract.js'
 * @import uPlot from 'uplot'
 */

const FONT = 'system-ui';
const SIZE_PX = 14;
const LINE_PX = 18;
const GAP_PX = 8;
/** Names that need more of the chart's width stand in its legend. */
const MAX_SHARE = 0.35;

/**
 * @param {readonly Line[]} lines
 * @param {number} widthPx of the chart
 * @returns {number | undefined} what their names need beside them; absent where there is no room for that
 */
export function labelRoomPx(lines, widthPx) {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return undefined;
  context.font = `${SIZE_PX}px ${FONT}`;
  const longestPx = Math.max(...lines.map(({ label }) => context.measureText(label).width));
  const roomPx = Math.ceil(longestPx) + 2 * GAP_PX;
  return roomPx <= MAX_SHARE * widthPx ? roomPx : undefined;
}

/** @param {uPlot} chart @param {readonly Line[]} lines */
export function drawLabels(chart, lines) {
  const ends = lines.flatMap(({ label, colour: name, values }) => {
    const last = values.findLastIndex((value) => value !== null);
    if (last < 0) return [];
    const [x, y] = [chart.valToPos(chart.data[0][last], 'x', true), chart.valToPos(Number(values[last]), 'y', true)];
    return [{ label, name, x, y }];
  });
  draw(chart, (context, ratio) => {
    const { top, height } = chart.bbox;
    const rows = spread(
      ends.sort((a, b) => a.y - b.y),
      LINE_PX * ratio,
      top + height,
    );
    context.textAlign = 'left';
    for (const { label, name, x, y } of rows) {
      context.fillStyle = colour(`--${name}`);
      context.fillText(label, x + GAP_PX * ratio, y);
    }
  });
}

/** @param {uPlot} chart @param {NonNullable<Chart['marks']>} marks */
export function drawMarks(chart, marks) {
  const { left, top, width, height } = chart.bbox;
  draw(chart, (context, ratio) => {
    for (const { x: value, label } of marks) {
      const x = chart.valToPos(value, 'x', true);
      if (!(x >= left && x <= left + width)) continue;
      context.strokeStyle = context.fillStyle = colour('--chart-text');
      context.setLineDash([2 * ratio, 3 * ratio]);
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, top + height);
      context.stroke();
      const isLeft = x - left > width / 2;
      context.textAlign = isLeft ? 'right' : 'left';
      context.fillText(label, x + (isLeft ? -GAP_PX : GAP_PX) * ratio, top + (LINE_PX / 2) * ratio);
    }
  });
}

/** @param {uPlot} chart @param {(context: CanvasRenderingContext2D, ratio: number) => void} paint in pixels of the canvas */
function draw({ ctx }, paint) {
  const ratio = window.devicePixelRatio;
  ctx.save();
  ctx.font = `${SIZE_PX * ratio}px ${FONT}`;
  ctx.textBaseline = 'middle';
  ctx.lineWidth = ratio;
  paint(ctx, ratio);
  ctx.restore();
}

/**
 * Moves what would overlap apart, downwards first, and up again from the bottom.
 *
 * @template {{ y: number }} T
 * @param {T[]} rows from top to bottom
 * @param {number} gap between two of them, at least
 * @param {number} bottom
 * @returns {T[]}
 */
function spread(rows, gap, bottom) {
  for (const [i, row] of rows.entries()) row.y = Math.max(row.y, i > 0 ? rows[i - 1].y + gap : -Infinity);
  let limit = bottom;
  for (const row of rows.toReversed()) {
    row.y = Math.min(row.y, limit);
    limit = row.y - gap;
  }
  return rows;
}
