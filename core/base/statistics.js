/** Computes statistics of lists of values, with confidence intervals, and of the samples of trials. */

/**
 * Returns the sum of values; an absent one counts as 0.
 * @template T @param {readonly T[]} list @param {(item: T) => number | undefined} valueOf
 */
export const sumOf = (list, valueOf) => list.reduce((sum, item) => sum + (valueOf(item) ?? 0), 0);

/** Returns the mean; absent for no values. @param {readonly number[]} values */
export const mean = (values) => (values.length === 0 ? undefined : sumOf(values, (value) => value) / values.length);

/** @param {Interval} interval @returns {Interval} of the opposite difference */
export const negate = ({ estimate, low, high }) => ({ estimate: -estimate, low: -high, high: -low });

/**
 * Returns a quantile by linear interpolation, type 7 of R. J. Hyndman, Y. Fan, "Sample Quantiles in Statistical
 * Packages", The American Statistician 50 (1996) 361; absent for no values.
 * @param {ArrayLike<number>} sorted rising @param {number} probability from 0 to 1
 */
export function quantile(sorted, probability) {
  if (sorted.length === 0) return undefined;
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

/**
 * Returns a percentile; absent for fewer than 2 values for p50, 20 for p95, 100 for p99.
 * @param {readonly number[]} sorted @param {number} percent
 */
export function percentile(sorted, percent) {
  return sorted.length * (100 - percent) < 100 ? undefined : quantile(sorted, percent / 100);
}

/** @param {readonly number[]} values in any order @returns {number | undefined} absent for no values */
export const median = (values) => quantile(Float64Array.from(values).sort(), 0.5);

/** @param {readonly number[]} values @returns {number[]} in rising order */
export const sort = (values) => Array.from(Float64Array.from(values).sort());

/**
 * Returns the median with a confidence interval of at least 95% from order statistics, which assumes nothing of how the values
 * are distributed. Absent for fewer than 6 values, which are too few for such an interval. It lies between the k-th value from
 * below and from above, and misses the median with twice the binomial probability of fewer than k successes at 1/2. Source: G. J.
 * Hahn, W. Q. Meeker, "Statistical Intervals" (1991), section 5.2.
 * @param {readonly number[]} values in any order @returns {Interval | undefined}
 * @example medianInterval([1, 2, 3, 4, 5, 6]) // { estimate: 3.5, low: 1, high: 6 }, which covers it in 96.9% of cases
 */
export function medianInterval(values) {
  const { length: count } = values;
  const sorted = sort(values);
  // As a logarithm: from 1,075 values on, 0.5 ** count is 0 in a double, and the loop would never end.
  let logMissed = -count * Math.LN2;
  let tail = Math.exp(logMissed);
  let rank = 0;
  while (2 * tail <= 0.05) {
    rank++;
    logMissed += Math.log((count - rank + 1) / rank);
    tail += Math.exp(logMissed);
  }
  if (rank === 0) return undefined;
  return { estimate: Number(quantile(sorted, 0.5)), low: sorted[rank - 1], high: sorted[count - rank] };
}

/** @param {readonly number[]} values in any order @returns {Spread | undefined} absent for none */
export function spreadOf(values) {
  const middle = median(values);
  return middle === undefined ? undefined : { median: middle, interval: medianInterval(values) };
}

/**
 * Returns the mean of the absolute differences between each value and the one before it, which RFC 3550, section 6.4.1,
 * smooths; absent for fewer than two values.
 * @param {readonly number[]} values in the order they were measured
 */
export const jitter = (values) => mean(values.slice(1).map((value, i) => Math.abs(value - values[i])));

/**
 * @typedef {{ estimate: number, low: number, high: number }} Interval
 * @typedef {{ median: number, interval?: Interval }} Spread of values; `interval`: of their median, from six on
 * @typedef {{ sentAtMs: readonly number[], roundTripMs: readonly number[] }} Samples one entry in each list per ok message
 * @typedef {{ samples: Samples, failures: readonly unknown[] }} Measured
 * @typedef {object} Summary of trials of one transport; a figure is absent if there are too few samples
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {number} [messagesPerSecond]
 * @property {number} [meanMs]
 * @property {'total' | 'samples'} [meanFrom] `total`: where the round trips are too short for the clock
 * @property {number} [p50Ms]
 * @property {number} [p90Ms]
 * @property {number} [p95Ms]
 * @property {number} [p99Ms]
 * @property {number} [jitterMs]
 * @property {number} [minMs]
 * @property {number} [maxMs]
 */

/**
 * Returns the mean of independent values with its interval by Student's t; absent for fewer than two. With 6 blocks it
 * covers the truth in 94% to 96% of runs, while the percentile bootstrap does in 86% (`test/support/coverage.js`).
 * @param {readonly number[]} values @param {number} [confidence] @returns {Interval | undefined}
 */
export function meanInterval(values, confidence = 0.95) {
  const estimate = mean(values);
  if (estimate === undefined || values.length < 2) return undefined;
  const variance = sumOf(values, (value) => (value - estimate) ** 2) / (values.length - 1);
  const reach = studentTQuantile(confidence, values.length - 1) * Math.sqrt(variance / values.length);
  return { estimate, low: estimate - reach, high: estimate + reach };
}

/**
 * Returns the geometric mean, for ratios and rates, with its interval by Student's t of the logarithms; absent for
 * fewer than two.
 * @param {readonly number[]} values above 0 @param {number} [confidence] @returns {Interval | undefined}
 */
export function ratioInterval(values, confidence = 0.95) {
  const interval = meanInterval(values.map(Math.log), confidence);
  if (!interval) return undefined;
  const { estimate, low, high } = interval;
  return { estimate: expOf(estimate), low: expOf(low), high: expOf(high) };
}

/** Returns the value of a logarithm: above 0 and finite, however wide an interval is. @param {number} log */
const expOf = (log) => Math.exp(Math.min(Math.max(log, -300), 300));

/** The quantile of the standard normal distribution for an interval of 95%. */
const Z_95 = 1.959963984540054;

/**
 * Widens a ratio's interval of 95% by an independent error.
 * @param {Interval} ratio with ends as far from the estimate, as logarithms @param {number} logDeviation standard deviation of
 *   the error's logarithm @returns {Interval}
 */
export function widenRatio({ estimate, low, high }, logDeviation) {
  const reach = Math.hypot(Math.log(high / low) / 2, Z_95 * logDeviation);
  const middle = Math.log(estimate);
  return { estimate, low: expOf(middle - reach), high: expOf(middle + reach) };
}

/**
 * Returns the 95% confidence interval of a share by Wilson's score, which stays between 0 and 1, and is good for few
 * trials. Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
 * American Statistical Association 22 (1927) 209; recommended by L. D. Brown, T. T. Cai, A. DasGupta, "Interval
 * estimation for a binomial proportion", Statistical Science 16 (2001) 101.
 * @param {number} successCount from 0 to `count` @param {number} count @returns {Interval | undefined} absent for a count of 0
 * @example wilsonInterval(9, 10) // { estimate: 0.9, low: 0.5958..., high: 0.9821... }
 */
export function wilsonInterval(successCount, count) {
  if (count === 0) return undefined;
  const estimate = successCount / count;
  const [square, scale] = [Z_95 ** 2 / count, 1 + Z_95 ** 2 / count];
  const centre = (estimate + square / 2) / scale;
  const reach = (Z_95 * Math.sqrt((estimate * (1 - estimate)) / count + square / (4 * count))) / scale;
  return { estimate, low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}

/**
 * Returns t with P(|T| <= t) = confidence: 2.262157 for 0.95 and 9 degrees of freedom. The series are those of
 * Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4, exact for whole degrees;
 * inverted by bisection.
 * @param {number} confidence above 0 and below 1 @param {number} degreesOfFreedom 1 or more
 */
export function studentTQuantile(confidence, degreesOfFreedom) {
  if (known.confidence !== confidence || known.degreesOfFreedom !== degreesOfFreedom)
    known = { confidence, degreesOfFreedom, t: findQuantile(confidence, degreesOfFreedom) };
  return known.t;
}

/**
 * The last quantile: a report and a curve use the same one hundreds of times, and each takes a bisection of a series.
 */
let known = { confidence: NaN, degreesOfFreedom: NaN, t: NaN };

/** @param {number} confidence @param {number} degreesOfFreedom */
function findQuantile(confidence, degreesOfFreedom) {
  let low = 0;
  let high = 1;
  while (probabilityWithin(high, degreesOfFreedom) < confidence) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (probabilityWithin(middle, degreesOfFreedom) < confidence) low = middle;
    else high = middle;
  }
  return high;
}

/** @param {number} t 0 or more @param {number} degreesOfFreedom @returns {number} P(|T| <= t) */
function probabilityWithin(t, degreesOfFreedom) {
  const angle = Math.atan(t / Math.sqrt(degreesOfFreedom));
  const isOdd = degreesOfFreedom % 2 === 1;
  const cosSquared = Math.cos(angle) ** 2;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = 0;
  for (let power = isOdd ? 1 : 0; power <= degreesOfFreedom - 2; power += 2) {
    sum += term;
    term *= (cosSquared * (power + 1)) / (power + 2);
  }
  const series = Math.sin(angle) * sum;
  return isOdd ? (2 / Math.PI) * (angle + series) : series;
}

/** A time below this many clock steps says little, for a single round trip or a whole trial. */
export const STEPS_PER_TRUSTED_TIME = 20;

/** @param {Measured} trial @param {{ stepMs?: number }} [clock] the clock's measured step @returns {Summary} */
export const summarize = (trial, clock) => summarizeTrials([trial], clock);

/**
 * Summarizes several trials of one transport. Percentiles are of all samples together; rates, means and jitter are
 * taken within each trial. Figures are absent if there are too few samples. If the round trips are too short for the
 * clock, the mean is computed from the total time (`meanFrom`).
 * @param {readonly Measured[]} trials @param {{ stepMs?: number }} [clock] its measured step @returns {Summary}
 */
export function summarizeTrials(trials, { stepMs = 0 } = {}) {
  const roundTripMs = trials.flatMap(({ samples }) => samples.roundTripMs);
  const sorted = sort(roundTripMs);
  const failureCount = sumOf(trials, ({ failures }) => failures.length);
  const useTotal = failureCount === 0 && !trials.every(({ samples }) => isFineEnough(samples, stepMs));

  return {
    sampleCount: sorted.length,
    failureCount,
    messagesPerSecond: steadyRate(trials),
    meanMs: useTotal ? sumOf(trials, ({ samples }) => totalMs(samples)) / sorted.length : mean(roundTripMs),
    meanFrom: sorted.length === 0 ? undefined : useTotal ? 'total' : 'samples',
    p50Ms: percentile(sorted, 50),
    p90Ms: percentile(sorted, 90),
    p95Ms: percentile(sorted, 95),
    p99Ms: percentile(sorted, 99),
    jitterMs: meanJitter(trials),
    minMs: sorted.at(0),
    maxMs: sorted.at(-1),
  };
}

/**
 * Checks whether the clock is fine enough for single round trips.
 * @param {Samples} samples @param {number} stepMs its step
 */
export function isFineEnough({ roundTripMs }, stepMs) {
  const middleMs = median(roundTripMs);
  return middleMs === undefined || middleMs >= STEPS_PER_TRUSTED_TIME * stepMs;
}

/**
 * Returns the time of a closed loop, from the first message to the last answer.
 * @param {Samples} samples @returns {number} 0 for none
 */
export function totalMs({ sentAtMs, roundTripMs }) {
  const last = roundTripMs.length - 1;
  return last < 0 ? 0 : sentAtMs[last] + roundTripMs[last] - sentAtMs[0];
}

/**
 * Returns messages per second from each trial's first answer to its last, so without connection setup.
 * @param {readonly Measured[]} trials
 */
function steadyRate(trials) {
  const steady = trials.map(({ samples }) => samples).filter(({ roundTripMs }) => roundTripMs.length > 1);
  const elapsedMs = sumOf(steady, (samples) => totalMs(samples) - samples.roundTripMs[0]);
  const messageCount = sumOf(steady, ({ roundTripMs }) => roundTripMs.length - 1);
  return elapsedMs > 0 ? (messageCount / elapsedMs) * 1000 : undefined;
}

/** @param {readonly Measured[]} trials */
function meanJitter(trials) {
  const lists = trials.map(({ samples }) => samples.roundTripMs).filter(({ length }) => length > 1);
  const differenceCount = sumOf(lists, ({ length }) => length - 1);
  if (differenceCount === 0) return undefined;
  return sumOf(lists, (list) => Number(jitter(list)) * (list.length - 1)) / differenceCount;
}
