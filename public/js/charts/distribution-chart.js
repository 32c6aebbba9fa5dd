/** How the round trips of each transport are distributed: one line each, from its fastest to its slowest. */
import { formatNumber } from '../../../core/base/format.js';
import { quantile } from '../../../core/base/statistics/values.js';
import { labelOf } from '../../../core/net/labels.js';
import { element } from '../ui/element.js';
import { describeFigure } from './chart.js';
import { drawLines } from './lines-chart.js';

/**
 * @import { Report, Row } from '../../../core/experiments/shootout/report.js'
 * @import { UPlot } from './chart.js'
 */

const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

/** @param {UPlot} uPlot @param {Report} report @returns {{ destroy(): void }} */
export function createDistributionChart(uPlot, { result: { plan, trials }, rows }) {
  const lines = plan.transports.map((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    const sorted = own.flatMap(({ samples }) => samples.roundTripMs).sort((a, b) => a - b);
    const values = PERCENTS.map((percent) => quantile(sorted, percent / 100) || null);
    return { label: labelOf(transport), colour: transport, values };
  });
  describeFigure('#distribution', describe(rows));
  return drawLines(uPlot, element('#distribution .chart'), {
    x: { title: '% of the round trips' },
    y: { title: 'ms, at most', logBase: 10 },
    values: PERCENTS,
    lines,
  });
}

/** @param {readonly Row[]} rows */
function describe(rows) {
  const parts = rows.map(({ transport, summary: { p50Ms, p90Ms, minMs, maxMs } }) =>
    minMs === undefined
      ? `${labelOf(transport)}: none`
      : `${labelOf(transport)}: fastest ${formatNumber(minMs, 2)}, half within ${formatNumber(p50Ms, 2)}, 90% within ${formatNumber(p90Ms, 2)}, slowest ${formatNumber(maxMs, 2)} ms`,
  );
  return `${parts.join('; ')}.`;
}
