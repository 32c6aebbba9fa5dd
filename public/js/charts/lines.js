/** Charts of lines, which a report has as data, with names at their ends. */
import { axis, colour, drawChart } from './chart.js';

/** @import uPlot from 'uplot' */
/** @import { Axis, Chart, Line } from '../../../core/experiment/contract.js' */
/** @import { UPlot } from './chart.js' */

/** Room for the figures beside the y axis. */
const Y_AXIS_PX = 70;
/** Of a band beneath its line: two hexadecimal digits. */
const BAND_OPACITY = '2e';
const END_OF_BAND = Object.freeze({ width: 0, stroke: 'transparent', points: { show: false }, class: 'band-end' });

const FONT = 'system-ui';
const SIZE_PX = 14;
const LINE_PX = 18;
const GAP_PX = 8;
/** Names that need more of the chart's width stand in its legend. */
const MAX_SHARE = 0.35;

/** @param {UPlot} uPlot @param {HTMLElement} place @param {Omit<Chart, 'caption'>} chart @returns {{ destroy(): void }} */
export function drawLines(uPlot, place, { x, y, values, lines, marks = [], hasDirectLabels = false }) {
  const bands = lines.filter(({ band }) => band);
  const labelPx = hasDirectLabels ? labelRoomPx(lines, place.clientWidth) : undefined;
  /** @param {uPlot} chart */
  const drawWords = (chart) => {
    drawMarks(chart, marks);
    if (labelPx !== undefined) drawLabels(chart, lines);
  };
  return drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false, ...scaleOf(x) }, y: scaleOf(y) },
      // After the lines, the two invisible ends of each band.
      series: [{}, ...lines.map(seriesOf), ...bands.flatMap(() => [END_OF_BAND, END_OF_BAND])],
      bands: bands.map(({ colour: name }, i) => ({
        series: [1 + lines.length + 2 * i, 2 + lines.length + 2 * i],
        fill: () => `${colour(`--${name}`)}${BAND_OPACITY}`,
      })),
      axes: [axis(x.title, ticksOf(x)), axis(y.title, { size: Y_AXIS_PX, ...ticksOf(y) })],
      hooks: { draw: [drawWords] },
      ...(labelPx !== undefined && { padding: [null, labelPx, null, null] }),
      // A band has no name of its own.
      ...((labelPx !== undefined || bands.length > 0) && { legend: { show: labelPx === undefined, live: false } }),
    },
    [[...values], ...lines.map((line) => [...line.values]), ...bands.flatMap(endsOf)],
  );
}

/** @param {Line} line @returns {(number | null)[][]} its upper ends, its lower ones */
const endsOf = ({ band = [] }) => [
  band.map((interval) => interval?.high ?? null),
  band.map((interval) => interval?.low ?? null),
];

/** @param {Axis} axis */
const scaleOf = ({ logBase, range }) => ({
  ...(logBase && { distr: /** @type {const} */ (3), log: logBase }),
  ...(range && { range }),
});

/** @param {Axis} axis */
function ticksOf({ format }) {
  if (!format) return {};
  /** @param {unknown} _ @param {(number | null)[]} ticks */
  const values = (_, ticks) => ticks.map((tick) => (tick === null ? '' : format(tick)));
  return { values };
}

/** @param {Line} line */
function seriesOf({ label, colour: name, dash, hasPoints = false }) {
  // Asked for whenever it is drawn: the visitor may turn the lights off.
  const stroke = () => colour(`--${name}`);
  return {
    label,
    stroke,
    width: 2,
    dash: dash && [...dash],
    points: { show: hasPoints, size: 8, fill: stroke },
    // What was measured is seen by its points, also where another run of the chart has more of them.
    spanGaps: hasPoints,
  };
}

/**
 * @param {readonly Line[]} lines @param {number} widthPx of the chart
 * @returns {number | undefined} what their names need beside them; absent where there is no room for that
 */
function labelRoomPx(lines, widthPx) {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return undefined;
  context.font = `${SIZE_PX}px ${FONT}`;
  const longestPx = Math.max(...lines.map(({ label }) => context.measureText(label).width));
  const roomPx = Math.ceil(longestPx) + 2 * GAP_PX;
  return roomPx <= MAX_SHARE * widthPx ? roomPx : undefined;
}

/** @param {uPlot} chart @param {readonly Line[]} lines */
function drawLabels(chart, lines) {
  const ends = lines.flatMap(({ label, colour: name, values }) => {
    const last = values.findLastIndex((value) => value !== null);
    if (last < 0) return [];
    const [x, y] = [chart.valToPos(chart.data[0][last], 'x', true), chart.valToPos(Number(values[last]), 'y', true)];
    return [{ label, name, x, y }];
  });
  draw(chart, (context, ratio) => {
    ends.sort((a, b) => a.y - b.y);
    spread(ends, LINE_PX * ratio, chart.bbox.top + chart.bbox.height);
    context.textAlign = 'left';
    for (const { label, name, x, y } of ends) {
      context.fillStyle = colour(`--${name}`);
      context.fillText(label, x + GAP_PX * ratio, y);
    }
  });
}

/** Vertical lines with their names. @param {uPlot} chart @param {NonNullable<Chart['marks']>} marks */
function drawMarks(chart, marks) {
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
 * @param {{ y: number }[]} rows from top to bottom @param {number} gap at least @param {number} bottom
 */
function spread(rows, gap, bottom) {
  for (const [i, row] of rows.entries()) row.y = Math.max(row.y, i > 0 ? rows[i - 1].y + gap : -Infinity);
  let limit = bottom;
  for (const row of rows.toReversed()) {
    row.y = Math.min(row.y, limit);
    limit = row.y - gap;
  }
}
