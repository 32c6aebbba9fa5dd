import { describeDepths } from '../../../core/experiments/in-flight/report.js';
import { element } from '../ui/element.js';
import { axis, drawChart, seriesOf } from './chart.js';

/**
 * @import { DepthPlan } from '../../../core/experiments/in-flight/plan.js'
 * @import { DepthRow } from '../../../core/experiments/in-flight/report.js'
 * @import { UPlot } from './chart.js'
 */

/**
 * The rate of each transport against the messages in flight.
 *
 * @param {UPlot} uPlot
 * @param {Pick<DepthPlan, 'transports' | 'depths'>} plan
 * @param {readonly DepthRow[]} rows
 * @returns {{ destroy(): void }}
 */
export function createDepthChart(uPlot, { transports, depths }, rows) {
  const place = element('#depths-chart .chart', HTMLElement);
  place.setAttribute('aria-label', `Chart. ${describeDepths(rows).join(' ')}`);
  const columns = transports.map((transport) =>
    rows.filter((row) => row.transport === transport).map((row) => row.messagesPerSecond?.estimate ?? null),
  );
  return drawChart(
    uPlot,
    place,
    {
      // Each step doubles the messages, and would double the rate.
      scales: { x: { time: false, distr: 3, log: 2 }, y: { distr: 3 } },
      series: seriesOf(transports, (stroke) => ({ width: 2, points: { show: true, size: 8, fill: stroke } })),
      axes: [axis('messages in flight'), axis('messages/s', { size: 70 })],
    },
    [[...depths], ...columns],
  );
}
