/**
 * The values of a figure, and which of them have moved since they were kept.
 */
import { formatWithRange } from '../core/base/format.js';
import { median } from '../core/base/statistics.js';

/**
 * @import { Interval } from '../core/base/statistics.js'
 *
 * @typedef {{ name: string } & Interval} Value `low` and `high`: its 95% confidence interval, else the range of its repeats
 * @typedef {{ name: string, before: Interval, after: Interval }} Move
 */

/** @param {string} name @param {Interval | undefined} interval @returns {Value[]} none where it was not measured */
export function toValues(name, interval) {
  if (!interval) return [];
  const { estimate, low, high } = interval;
  return [{ name, estimate, low, high }];
}

/** @param {readonly number[]} repeats @returns {Interval | undefined} their median and range; absent without any */
export function rangeOf(repeats) {
  const estimate = median(repeats);
  return estimate === undefined ? undefined : { estimate, low: Math.min(...repeats), high: Math.max(...repeats) };
}

/**
 * @param {readonly Value[]} before as they were kept
 * @param {readonly Value[]} after as they are now
 * @returns {Move[]} those whose two intervals have nothing in common; none for what is new
 */
export function findMoved(before, after) {
  return after.flatMap(({ name, ...now }) => {
    const kept = before.find((value) => value.name === name);
    return kept && (now.low > kept.high || now.high < kept.low) ? [{ name, before: kept, after: now }] : [];
  });
}

/** @param {Move} move @returns {string} a line */
export const formatMove = ({ name, before, after }) =>
  `  ${name}: ${formatWithRange(before)}, now ${formatWithRange(after)}`;
