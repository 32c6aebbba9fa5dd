/**
 * Lays out the stops of a slider that is the logarithmic axis of a chart: evenly spaced there, and those that must be exact
 * in place of the nearest ones.
 */

/** Two stops with this factor between them differ in two digits. */
const STEP = 1.07;

/**
 * @param {{ low: number, high: number }} range above 0
 * @param {{ exact?: readonly number[], format: (value: number) => string }} options `exact`: within the range, are kept;
 *   `format`: two stops of the same text would look like one
 * @returns {number[]} rising
 */
export function logStops({ low, high }, { exact = [], format }) {
  const count = Math.ceil(Math.log(high / low) / Math.log(STEP));
  const even = Array.from({ length: count + 1 }, (_, i) => low * (high / low) ** (i / count));
  const isNear = (/** @type {number} */ value) =>
    exact.some((one) => Math.abs(Math.log(value / one)) < Math.log(high / low) / count / 2);
  const byText = new Map(exact.map((value) => [format(value), value]));
  for (const value of even.filter((one) => !isNear(one)).map((one) => Number(one.toPrecision(3)))) {
    const text = format(value);
    if (!byText.has(text)) byText.set(text, value);
  }
  return [...byText.values()].sort((a, b) => a - b);
}
