/**
 * How the lags are distributed, one line for each trial: how many of its jobs were known so soon. From a millisecond of push
 * to some hundred of polling is too far for an even scale.
 */
import { labelOfWay } from '../../net/delivery/labels.js';
import { eachTrial } from './plan.js';
import { sortedLags } from './summary.js';

/**
 * @import { Chart } from '../../experiment/contract.js'
 * @import { JobsDocument } from './summary.js'
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
 * @param {JobsDocument} document
 * @returns {Chart}
 */
export function chartOf(document) {
  const { plan, trials } = document;
  const lines = eachTrial(plan).map((planned) => {
    const { way, intervalMs } = planned;
    const { words, dash } = LINES[intervalMs === undefined ? 0 : plan.intervals.indexOf(intervalMs)];
    const trial = trials.find((one) => one.way === way && one.intervalMs === intervalMs);
    const lags = trial ? sortedLags(trial, document) : [];
    return { label: labelOfWay(way, intervalMs) + words, colour: `way-${way}`, dash, lags };
  });
  const values = stepsUpTo(Math.max(...lines.flatMap(({ lags }) => lags.slice(-1))));
  return {
    caption: 'Jobs known by the time since they were done',
    x: { title: 'ms after it was done, at most', logBase: 10 },
    y: { title: '% of the jobs', range: [0, 100] },
    values,
    lines: lines.map(({ lags, ...line }) => ({ ...line, values: sharesOf(lags, values) })),
  };
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
