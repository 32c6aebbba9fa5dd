/** How the round trips of each transport are distributed: one line each, from its fastest to its slowest. */
import { formatNumber } from '../../../core/base/format.js';
import { quantile } from '../../../core/base/statistics/quantile.js';
import { labelOf } from '../../../core/net/echo/labels.js';
import { element } from '../ui/element.js';
import { axis, describeFigure, drawChart, seriesOf } from './chart.js';

/**
 * @import { Report, Row } from '../../../core/experiments/shootout/report.js'
 * @import { UPlot } from './chart.js'
 */

const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

/** @param {UPlot} uPlot @param {Report} report @returns {{ destroy(): void }} */
export function createDistributionChart(uPlot, { result: { plan, trials }, rows }) {
  const columns = plan.transports.map((transport) => {
    const values = trials
      .filter((trial) => trial.transport === transport)
      .flatMap(({ samples }) => samples.roundTripMs);
    const sorted = values.sort((a, b) => a - b);
    return PERCENTS.map((percent) => quantile(sorted, percent / 100) || null);
  });
  describeFigure('#distribution', describe(rows));
  return drawChart(
    uPlot,
    element('#distribution .chart'),
    {
      scales: { x: { time: false }, y: { distr: 3 } },
      series: seriesOf(plan.transports, () => ({ width: 2, points: { show: false } })),
      axes: [axis('% of the round trips'), axis('ms, at most', { size: 60 })],
    },
    [PERCENTS, ...columns],
  );
}

/** @param {readonly Row[]} rows */
function describe(rows) {
  const parts = rows.map(({ transport, summary: { p50Ms, p90Ms, minMs, maxMs } }) =>
    minMs === undefined
      ? `${labelOf(transport)}: none`
      : `${labelOf(transport)}: fastest ${formatNumber(minMs, 2)}, half within ${formatNumber(p50Ms, 2)}, 90 % within ${formatNumber(p90Ms, 2)}, slowest ${formatNumber(maxMs, 2)} ms`,
  );
  return `${parts.join('; ')}.`;
}
