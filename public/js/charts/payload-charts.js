/**
 * How long a message takes by its size, a chart for each direction, a line for each transport. Both scales are logarithmic:
 * from 1 B to 10 MB is seven tenfolds.
 */
import { labelOfCarrier } from '../../../core/net/transfer/labels.js';
import { formatSize } from '../../../core/experiments/payload/format-size.js';
import { DIRECTION_LABELS, DIRECTIONS } from '../../../core/experiments/payload/plan.js';
import { summarizePublished } from '../../../core/experiments/payload/published.js';
import { describePayload, summarizePayload } from '../../../core/experiments/payload/report.js';
import { axis, drawChart, seriesOf } from './chart.js';
import { element } from '../ui/element.js';
import { describeDirection } from '../ui/payload/payload-words.js';

/**
 * @import { Direction } from '../../../core/net/transfer/index.js'
 * @import { PayloadDocument } from '../ui/payload/payload-words.js'
 * @import { UPlot } from './chart.js'
 */

/** Those that carry bytes and not text. */
const BINARY = ['fetch', 'websocket-binary'];
const DASH = [6, 4];

/**
 * @typedef {{ direction: Direction, size: number, transport: string, ms?: number }} Point
 */

/**
 * @param {UPlot} uPlot
 * @param {PayloadDocument} document
 * @returns {{ destroy(): void }}
 */
export function createPayloadCharts(uPlot, document) {
  const { directions } = document.plan;
  const points = pointsOf(document);
  for (const direction of DIRECTIONS) {
    element(`#direction-${direction}`, HTMLElement).hidden = !directions.includes(direction);
  }
  const charts = directions.map((direction) => {
    const place = element(`#direction-${direction} .chart`, HTMLElement);
    place.setAttribute('aria-label', describeChart(document, direction));
    const own = points.filter((point) => point.direction === direction);
    return drawDirection(uPlot, place, document, own);
  });
  return {
    destroy() {
      for (const chart of charts) chart.destroy();
    },
  };
}

/**
 * @param {PayloadDocument} document
 * @returns {Point[]} the time that the table has; of the published plan that of the better pass
 */
function pointsOf({ plan, trials, environment }) {
  if (plan.preset) return summarizePublished(plan, trials).map(({ betterMs, ...row }) => ({ ...row, ms: betterMs }));
  return summarizePayload(plan, trials, environment).map(({ timeMs, ...row }) => ({ ...row, ms: timeMs?.estimate }));
}

/**
 * @param {PayloadDocument} document
 * @param {Direction} direction
 */
function describeChart(document, direction) {
  const { plan, trials, environment, ending } = document;
  const words =
    plan.preset && !ending ? describePayload(plan, trials, environment) : describeDirection(document, direction);
  return [`Chart. ${DIRECTION_LABELS[direction]}: time by size.`, ...words].join(' ');
}

/**
 * @param {UPlot} uPlot
 * @param {HTMLElement} place
 * @param {PayloadDocument} document
 * @param {readonly Point[]} points of its direction
 */
function drawDirection(uPlot, place, { plan }, points) {
  // Nothing has no logarithm.
  const sizes = plan.sizes.filter((size) => size > 0);
  const columns = plan.transports.map((transport) =>
    sizes.map((size) => points.find((point) => point.transport === transport && point.size === size)?.ms || null),
  );
  const [x, ...lines] = seriesOf(plan.transports, (fill) => ({ width: 2, points: { show: true, size: 6, fill } }));
  return drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
      series: [
        x,
        ...lines.map((line, i) => {
          const isBinary = BINARY.includes(plan.transports[i]);
          const label = labelOfCarrier(plan.transports[i]);
          return { ...line, label: isBinary ? `${label} (dashed)` : label, dash: isBinary ? DASH : undefined };
        }),
      ],
      axes: [axis('Size', { values: (_, sizes) => sizes.map(formatTick) }), axis('ms', { size: 60 })],
    },
    [sizes, ...columns],
  );
}

/**
 * @param {number | null} size
 * @returns {string} empty between the tenfolds
 */
function formatTick(size) {
  return Number.isInteger(Math.log10(size ?? NaN)) ? formatSize(Number(size)) : '';
}
