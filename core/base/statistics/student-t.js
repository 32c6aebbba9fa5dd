/**
 * How far from 0 Student's t stays with a given probability: the factor of a confidence interval of a mean.
 *
 * Source of the distribution: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4, which
 * are exact for whole degrees of freedom; inverted by bisection.
 *
 * @param {number} confidence above 0 and below 1
 * @param {number} degreesOfFreedom a whole number, 1 or more
 * @returns {number} t with P(|T| <= t) = confidence
 * @example studentTQuantile(0.95, 9) // 2.262157
 */
export function studentTQuantile(confidence, degreesOfFreedom) {
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
