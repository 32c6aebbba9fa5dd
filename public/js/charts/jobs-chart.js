/**
 * How the lags are distributed, one line for each trial: how many of its jobs were known so soon. From a millisecond of push
 * to some hundred of polling is too far for an even scale.
 */
import { describeJobs, sortedLags } from '../../../core/experiments/jobs/report.js';
import { eachTrial } from '../../../core/experiments/jobs/plan.js';
import { labelOfWay } from '../../../core/net/delivery/labels.js';
import { axis, colour, drawChart } from './chart.js';
import { element } from '../ui/element.js';

/**
 * @import { JobsDocument } from '../../../core/experiments/jobs/summary.js'
 * @import { UPlot } from './chart.js'
 */

const STEP_COUNT = 240;

/** Sooner than this no clock of a browser or a server sees. */
const LEAST_MS = 0.1;

/** One for each interval of polling, as the legend says it. */
const LINES = [
  { words: '' },
  { words: ' (dashed)', dash: [6, 4] },
  { words: ' (dotted)', dash: [2, 3] },
  { words: ' (dots and dashes)', dash: [10, 3, 2, 3] },
  { words: ' (long dashes)', dash: [14, 6] },
];

/**
 * @param {UPlot} uPlot
 * @param {JobsDocument} document
 * @returns {{ destroy(): void }}
 */
export function createJobsChart(uPlot, document) {
  const place = element('#lag-chart .chart', HTMLElement);
  place.setAttribute('aria-label', `Chart. ${describeJobs(document).join(' ')}`);
  const trials = eachTrial(document.plan);
  const lags = trials.map(({ way, intervalMs }) => {
    const trial = document.trials.find((one) => one.way === way && one.intervalMs === intervalMs);
    return trial ? sortedLags(trial, document) : [];
  });
  const steps = stepsUpTo(Math.max(...lags.flatMap((sorted) => sorted.slice(-1))));
  return drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false, distr: 3 }, y: { range: [0, 100] } },
      series: [
        {},
        ...trials.map(({ way, intervalMs }) => {
          const line = LINES[intervalMs === undefined ? 0 : document.plan.intervals.indexOf(intervalMs)];
          return {
            label: labelOfWay(way, intervalMs) + line.words,
            stroke: () => colour(`--way-${way}`),
            width: 2,
            dash: line.dash,
            points: { show: false },
          };
        }),
      ],
      axes: [axis('ms after it was done, at most'), axis('% of the jobs', { size: 60 })],
    },
    [steps, ...lags.map((sorted) => sharesOf(sorted, steps))],
  );
}

/**
 * @param {readonly number[]} sorted lags
 * @param {readonly number[]} steps rising
 * @returns {(number | null)[]} percent of them that are at most so long; where there are none, nothing
 */
function sharesOf(sorted, steps) {
  let count = 0;
  return steps.map((ms) => {
    while (count < sorted.length && sorted[count] <= ms) count++;
    return sorted.length > 0 ? (100 * count) / sorted.length : null;
  });
}

/**
 * @param {number} mostMs
 * @returns {number[]} rising evenly by their logarithms, the last of them just above the slowest
 */
function stepsUpTo(mostMs) {
  const ratio = Math.max(10, (1.01 * mostMs) / LEAST_MS);
  return Array.from({ length: STEP_COUNT + 1 }, (_, step) => LEAST_MS * ratio ** (step / STEP_COUNT));
}
