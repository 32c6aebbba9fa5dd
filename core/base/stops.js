/**
 * Lays out the stops of a slider that is the logarithmic axis of a chart: evenly spaced there, each rounded to what can be
 * read, and those that must be exact in place of the nearest ones.
 */

const STOP_COUNT = 160;

/**
 * @param {{ low: number, high: number }} range above 0
 * @param {{ exact?: readonly number[], format: (value: number) => string }} options `exact`: within the range, are kept;
 *   `format`: two stops of the same text would look like one
 * @returns {number[]} rising
 */
export function logStops({ low, high }, { exact = [], format }) {
  const round = Array.from({ length: STOP_COUNT + 1 }, (_, i) =>
    Number((low * (high / low) ** (i / STOP_COUNT)).toPrecision(2)),
  ).filter((value) => value >= low && value <= high);
  const isNear = (/** @type {number} */ value) =>
    exact.some((one) => Math.abs(Math.log(value / one)) < halfStepOf({ low, high }));
  const kept = [...round.filter((value) => !isNear(value)), ...exact];
  return [...new Map(kept.map((value) => [format(value), value])).values()].sort((a, b) => a - b);
}

/** @param {{ low: number, high: number }} range @returns {number} half the distance between two stops, as a logarithm */
const halfStepOf = ({ low, high }) => Math.log(high / low) / STOP_COUNT / 2;
