/** Draws a chart of lines, which a report has as data. */
import { axis, colour, drawChart } from './chart.js';
import { drawLabels, drawMarks, labelRoomPx } from './line-labels.js';

/**
 * @import { Axis, Chart, Line } from '../../../core/experiment/contract.js'
 * @import { UPlot } from './chart.js'
 */

/** Room for the figures beside the y axis. */
const Y_AXIS_PX = 70;

/** Of a band beneath its line: two hexadecimal digits. */
const BAND_OPACITY = '2e';

/** @param {UPlot} uPlot @param {HTMLElement} place @param {Omit<Chart, 'caption'>} chart @returns {{ destroy(): void }} */
export function drawLines(uPlot, place, { x, y, values, lines, marks = [], hasDirectLabels = false }) {
  const bands = lines.filter(({ band }) => band);
  const labelPx = hasDirectLabels ? labelRoomPx(lines, place.clientWidth) : undefined;
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
      hooks: {
        draw: [
          (chart) => drawMarks(chart, marks),
          ...(labelPx === undefined ? [] : [(/** @type {uPlot} */ chart) => drawLabels(chart, lines)]),
        ],
      },
      ...(labelPx !== undefined && { padding: [null, labelPx, null, null] }),
      // A band has no name of its own.
      ...((labelPx !== undefined || bands.length > 0) && { legend: { show: labelPx === undefined, live: false } }),
    },
    [[...values], ...lines.map((line) => [...line.values]), ...bands.flatMap(endsOf)],
  );
}

const END_OF_BAND = Object.freeze({ width: 0, stroke: 'transparent', points: { show: false }, class: 'band-end' });

/** @param {Line} line @returns {(number | null)[][]} its upper ends, its lower ones */
function endsOf({ band = [] }) {
  return [band.map((interval) => interval?.high ?? null), band.map((interval) => interval?.low ?? null)];
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
