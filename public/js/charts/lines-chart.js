/** Draws a chart of lines, which a report has as data. */
import { axis, colour, drawChart } from './chart.js';

/**
 * @import { Axis, Chart, Line } from '../../../core/experiment/contract.js'
 * @import { UPlot } from './chart.js'
 */

/** Room for the figures beside the y axis. */
const Y_AXIS_PX = 70;

/** @param {UPlot} uPlot @param {HTMLElement} place @param {Omit<Chart, 'caption'>} chart @returns {{ destroy(): void }} */
export function drawLines(uPlot, place, { x, y, values, lines }) {
  return drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false, ...scaleOf(x) }, y: scaleOf(y) },
      series: [{}, ...lines.map(seriesOf)],
      axes: [axis(x.title, ticksOf(x)), axis(y.title, { size: Y_AXIS_PX, ...ticksOf(y) })],
    },
    [[...values], ...lines.map((line) => [...line.values])],
  );
}

/** @param {Axis} axis */
function scaleOf({ logBase, range }) {
  return { ...(logBase && { distr: /** @type {const} */ (3), log: logBase }), ...(range && { range }) };
}

/** @param {Axis} axis */
function ticksOf({ format }) {
  if (!format) return {};
  return {
    values: (/** @type {unknown} */ _, /** @type {(number | null)[]} */ ticks) =>
      ticks.map((tick) => (tick === null ? '' : format(tick))),
  };
}

/** @param {Line} line */
function seriesOf({ label, colour: name, dash, hasPoints = false }) {
  // Asked for whenever it is drawn: the visitor may turn the lights off.
  const stroke = () => colour(`--${name}`);
  return { label, stroke, width: 2, dash: dash && [...dash], points: { show: hasPoints, size: 8, fill: stroke } };
}
