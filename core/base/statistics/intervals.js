/** Confidence intervals. */
import { mean, sumOf } from './values.js';

/** @typedef {{ estimate: number, low: number, high: number }} Interval */

/**
 * The mean of independent values with its confidence interval by Student's t. Of a run's blocks it covers the truth in 94
 * to 96 % of runs already at 6 blocks, where the percentile bootstrap covers it in 86 % (`test/support/coverage.js`).
 * @param {readonly number[]} values @param {number} [confidence]
 * @returns {Interval | undefined} absent for fewer than two values
 * @example meanInterval([1, 2, 3]) // { estimate: 2, low: -0.484..., high: 4.484... }
 */
export function meanInterval(values, confidence = 0.95) {
  const estimate = mean(values);
  if (estimate === undefined || values.length < 2) return undefined;
  const variance = sumOf(values, (value) => (value - estimate) ** 2) / (values.length - 1);
  const reach = studentTQuantile(confidence, values.length - 1) * Math.sqrt(variance / values.length);
  return { estimate, low: estimate - reach, high: estimate + reach };
}

/**
 * The interval of what multiplies, like ratios and rates: Student's t of the logarithms, so it never reaches 0.
 * @param {readonly number[]} values above 0 @param {number} [confidence]
 * @returns {Interval | undefined} its estimate is the geometric mean; absent for fewer than two
 * @example ratioInterval([2, 8]).estimate // 4
 */
export function ratioInterval(values, confidence = 0.95) {
  const interval = meanInterval(values.map(Math.log), confidence);
  if (!interval) return undefined;
  const { estimate, low, high } = interval;
  return { estimate: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) };
}

/** Of the standard normal distribution, for 95%. */
const Z_95 = 1.959963984540054;

/**
 * The 95% confidence interval of a share by Wilson's score, which stays between 0 and 1 and is good for few trials, too.
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
 * Statistical Association 22 (1927) 209; recommended by L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a binomial
 * proportion", Statistical Science 16 (2001) 101.
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
 * The band of a curve that never falls: neither edge falls, as the lower one is at least what it was before, the upper one at
 * most what it will be. A rising curve that lies within the one band lies within the other. After those who sort the edges:
 * V. Chernozhukov, I. Fernández-Val, A. Galichon, "Improving point and interval estimators of monotone functions by
 * rearrangement", Biometrika 96 (2009) 559.
 * @param {readonly (Interval | null)[]} band whose estimates rise @returns {(Interval | null)[]}
 */
export function rising(band) {
  let [low, high] = [-Infinity, Infinity];
  const lows = band.map((interval) => (low = Math.max(low, interval?.low ?? low)));
  const highs = band.toReversed().map((interval) => (high = Math.min(high, interval?.high ?? high)));
  return band.map((interval, i) => interval && { ...interval, low: lows[i], high: highs[band.length - 1 - i] });
}

/**
 * How far from 0 Student's t stays with a given probability: the factor of a confidence interval of a mean.
 * Source of the distribution: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4, which
 * are exact for whole degrees of freedom; inverted by bisection.
 * @param {number} confidence above 0 and below 1 @param {number} degreesOfFreedom a whole number, 1 or more
 * @returns {number} t with P(|T| <= t) = confidence
 * @example studentTQuantile(0.95, 9) // 2.262157
 */
export function studentTQuantile(confidence, degreesOfFreedom) {
  if (known.confidence !== confidence || known.degreesOfFreedom !== degreesOfFreedom)
    known = { confidence, degreesOfFreedom, t: findQuantile(confidence, degreesOfFreedom) };
  return known.t;
}

/** The last one: a report and a curve ask for the same hundreds of times, and each takes a bisection of a series. */
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
