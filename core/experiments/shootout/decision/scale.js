/** Logarithmic scales, and the round numbers that they are labelled with. */

/**
 * @param {{ low: number, high: number }} domain both above 0
 * @param {readonly [number, number]} range
 * @returns {(value: number) => number} what is outside the domain is put at its end
 */
export function logScale({ low, high }, [from, to]) {
  const perUnit = (to - from) / Math.log(high / low);
  return (value) => from + perUnit * Math.log(Math.min(high, Math.max(low, value)) / low);
}

/** Coarse steps first. */
const STEPS = [
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 1.1, 1.2, 1.3, 1.4, 1.5, 2, 3, 4, 5, 6, 7, 8, 9],
];
const DECADES = [-3, -2, -1, 0, 1, 2, 3, 4];
const FEWEST_TICKS = 3;

/**
 * @param {{ low: number, high: number }} domain
 * @param {readonly number[][]} [steps] within a factor of 10: the first that give enough are taken
 * @returns {number[]}
 */
export function logTicks({ low, high }, steps = STEPS) {
  const all = steps.map((list) =>
    DECADES.flatMap((decade) => list.map((step) => Number((step * 10 ** decade).toPrecision(2)))).filter(
      (tick) => tick >= low && tick <= high,
    ),
  );
  return all.find((ticks) => ticks.length >= FEWEST_TICKS) ?? all[all.length - 1];
}
