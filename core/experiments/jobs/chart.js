/** Notification latency against what it costs: a dot for each delivery method. */
import { labelOfDelivery } from '../../net/labels.js';

/**
 * @import { Chart } from '../../experiment/contract.js'
 * @import { JobsRow } from './summary.js'
 */

/**
 * @param {readonly JobsRow[]} rows
 * @returns {Chart} against bytes, or against requests where bytes were not measured
 */
export function chartOf(rows) {
  const hasBytes = rows.every(({ bytesPerJob }) => bytesPerJob);
  const dots = rows.flatMap(({ delivery, intervalMs, lag, bytesPerJob, requestsPerJob }) => {
    const cost = bytesPerJob && hasBytes ? bytesPerJob.both / 1000 : requestsPerJob;
    if (cost === undefined || lag.meanMs === undefined) return [];
    const label = labelOfDelivery(delivery, intervalMs);
    return [{ label, colour: `delivery-${delivery}`, x: cost, y: lag.meanMs, interval: lag.interval }];
  });
  return {
    caption: 'Notification latency and cost. Lower left is better; both axes are logarithmic',
    x: { title: hasBytes ? 'kB per job' : 'Requests and messages per job', logBase: 10 },
    y: { title: 'Mean latency, ms, with 95% CI', logBase: 10 },
    values: [],
    lines: [],
    dots,
  };
}
