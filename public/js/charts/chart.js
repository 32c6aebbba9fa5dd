/** Charts of lines over one axis, in the page's colours, at a size that follows the page. */

/** @import uPlot from 'uplot' */
/** @import { Axis, Chart, Line } from '../../../core/experiment/contract.js' */

const HEIGHT_PX = 260;
const FONT = 'system-ui';
const SIZE_PX = 14;
const LINE_PX = 18;
const GAP_PX = 8;
const HALO_PX = 4;
/** The room for half of the figure at the end of the x axis. */
const END_PX = 20;
/** The room for the figures beside the y axis. */
const Y_AXIS_PX = 70;
/** Names that need more of the width beside the y axis stand in the legend. */
const MAX_SHARE = 0.35;
/** The opacity of a band beneath its line: two hexadecimal digits. */
const BAND_OPACITY = '2e';
const END_OF_BAND = Object.freeze({ width: 0, stroke: 'transparent', points: { show: false }, class: 'band-end' });

/** @typedef {typeof import('uplot') | undefined} UPlot absent if it could not be loaded */

/** @param {string} name of a custom property of site.css @returns {string} */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {string} label @param {Partial<uPlot.Axis>} [options] @returns {uPlot.Axis} */
export function axis(label, options) {
  const grid = { stroke: () => colour('--chart-grid'), width: 1 };
  const font = `${SIZE_PX}px ${FONT}`;
  return {
    label,
    stroke: () => colour('--chart-text'),
    grid,
    ticks: grid,
    font,
    labelFont: font,
    labelSize: 20,
    ...options,
  };
}

/**
 * Draws into a figure, and follows its width. Figures do not depend on their charts: if one cannot be drawn, its place
 * says so, and nothing else happens.
 * @param {UPlot} uPlot @param {HTMLElement} place @param {Omit<uPlot.Options, 'width' | 'height'>} options
 * @param {uPlot.AlignedData} data @returns {{ setData(data: uPlot.AlignedData): void, destroy(): void }}
 */
export function drawChart(uPlot, place, options, data) {
  try {
    if (uPlot) return draw(uPlot, place, options, data);
  } catch (error) {
    reportError(error);
  }
  place.textContent = 'This chart cannot be shown. Reload the page.';
  return { setData() {}, destroy() {} };
}

/**
 * @param {NonNullable<UPlot>} uPlot @param {HTMLElement} place @param {Omit<uPlot.Options, 'width' | 'height'>} options
 * @param {uPlot.AlignedData} data
 */
function draw(uPlot, place, options, data) {
  const size = () => ({ width: place.clientWidth, height: HEIGHT_PX });
  place.replaceChildren();
  const chart = new uPlot({ ...size(), cursor: { show: false }, legend: { live: false }, ...options }, data, place);
  const observer = new ResizeObserver(() => chart.setSize(size()));
  observer.observe(place);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => chart.redraw();
  scheme.addEventListener('change', redraw);
  return {
    setData: (/** @type {uPlot.AlignedData} */ next) => chart.setData(next),
    destroy() {
      observer.disconnect();
      scheme.removeEventListener('change', redraw);
      chart.destroy();
    },
  };
}

/**
 * @param {UPlot} uPlot @param {HTMLElement} place @param {Omit<Chart, 'caption'>} chart @returns {{ destroy(): void }}
 */
export function drawLines(uPlot, place, { x, y, values, lines, marks = [], hasDirectLabels = false }) {
  const bands = lines.filter(({ band }) => band);
  // A phone that is turned has another width.
  const labelPx = (/** @type {uPlot} */ { width }) => (hasDirectLabels ? labelRoomPx(lines, width) : undefined);
  /** @param {uPlot} chart */
  const drawWords = (chart) => {
    drawMarks(chart, marks);
    const isNamed = labelPx(chart) !== undefined;
    chart.root.classList.toggle('named', isNamed);
    if (isNamed) drawLabels(chart, lines);
  };
  /** @type {Omit<uPlot.Options, 'width' | 'height'>} */
  const options = {
    scales: { x: { time: false, ...scaleOf(x) }, y: scaleOf(y) },
    // The two invisible ends of each band come after the lines.
    series: [{}, ...lines.map(seriesOf), ...bands.flatMap(() => [END_OF_BAND, END_OF_BAND])],
    bands: bands.map(({ colour: name }, i) => ({
      series: [1 + lines.length + 2 * i, 2 + lines.length + 2 * i],
      fill: () => `${colour(`--${name}`)}${BAND_OPACITY}`,
    })),
    axes: [axis(x.title, ticksOf(x)), axis(y.title, { size: Y_AXIS_PX, ...ticksOf(y) })],
    hooks: { draw: [drawWords] },
    padding: [null, (chart) => labelPx(chart) ?? END_PX, null, null],
  };
  return drawChart(uPlot, place, options, [
    [...values],
    ...lines.map((line) => [...line.values]),
    ...bands.flatMap(({ band = [] }) => [
      band.map((interval) => interval?.high ?? null),
      band.map((interval) => interval?.low ?? null),
    ]),
  ]);
}
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
  // The colour is read at each drawing, as the visitor may switch to dark mode.
  const stroke = () => colour(`--${name}`);
  return {
    // A figure does not part from its unit.
    label: label.replace(/(?<=\d) /g, '\u00a0'),
    stroke,
    width: 2,
    dash: dash && [...dash],
    points: { show: hasPoints, size: 8, fill: stroke },
    // Measurements are visible by their points, even if another run of the chart has more of them.
    spanGaps: hasPoints,
  };
}

/**
 * @param {readonly Line[]} lines @param {number} widthPx of the chart
 * @returns {number | undefined} the room for their names; absent if there is not enough
 */
function labelRoomPx(lines, widthPx) {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return undefined;
  context.font = `${SIZE_PX}px ${FONT}`;
  const maxPx = Math.max(...lines.map(({ label }) => context.measureText(label).width));
  const roomPx = Math.ceil(maxPx) + 2 * GAP_PX;
  return roomPx <= MAX_SHARE * (widthPx - Y_AXIS_PX) ? roomPx : undefined;
}

/** @param {uPlot} chart @param {readonly Line[]} lines */
function drawLabels(chart, lines) {
  const ends = lines.flatMap(({ label, colour: name, values }) => {
    const last = values.findLastIndex((value) => value !== null);
    if (last < 0) return [];
    const [x, y] = [chart.valToPos(chart.data[0][last], 'x', true), chart.valToPos(Number(values[last]), 'y', true)];
    return [{ label, name, x, y }];
  });
  paint(chart, (context, ratio) => {
    ends.sort((a, b) => a.y - b.y);
    spread(ends, LINE_PX * ratio, chart.bbox.top + chart.bbox.height);
    context.textAlign = 'left';
    // A line that ends early has its name among the others.
    context.strokeStyle = colour('--pico-card-background-color');
    context.lineWidth = HALO_PX * ratio;
    context.lineJoin = 'round';
    for (const { label, name, x, y } of ends) {
      context.strokeText(label, x + GAP_PX * ratio, y);
      context.fillStyle = colour(`--${name}`);
      context.fillText(label, x + GAP_PX * ratio, y);
    }
  });
}

/** Draws vertical lines with their names. @param {uPlot} chart @param {NonNullable<Chart['marks']>} marks */
function drawMarks(chart, marks) {
  const { left, top, width, height } = chart.bbox;
  paint(chart, (context, ratio) => {
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

/**
 * @param {uPlot} chart @param {(context: CanvasRenderingContext2D, ratio: number) => void} use in pixels of the canvas
 */
function paint({ ctx }, use) {
  const ratio = window.devicePixelRatio;
  ctx.save();
  ctx.font = `${SIZE_PX * ratio}px ${FONT}`;
  ctx.textBaseline = 'middle';
  ctx.lineWidth = ratio;
  use(ctx, ratio);
  ctx.restore();
}

/**
 * Moves overlapping rows apart, downwards first, and up again from the bottom.
 * @param {{ y: number }[]} rows from top to bottom @param {number} gap the minimum @param {number} bottom
 */
function spread(rows, gap, bottom) {
  for (const [i, row] of rows.entries()) row.y = Math.max(row.y, i > 0 ? rows[i - 1].y + gap : -Infinity);
  let limit = bottom;
  for (const row of rows.toReversed()) {
    row.y = Math.min(row.y, limit);
    limit = row.y - gap;
  }
}
