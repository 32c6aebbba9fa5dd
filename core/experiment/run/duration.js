/** Says how long parts take: here, or wherever visitors are, as the list of tests, the forms and the pages of studies say it. */
import { formatMostSeconds, formatSeconds, roundSeconds } from '../../base/format.js';
import { longest } from '../plan/blocks.js';
import { ELSEWHERE_RTT_MS } from './scope.js';

/**
 * @import { FullTestPart, KnownPath } from '../contract.js'
 * @typedef {{ experiment: { fullTest: Pick<FullTestPart, 'secondsOf'> }, plan: any }} Timed
 */

/**
 * @param {readonly Timed[]} parts @param {number} roundTripMs over HTTP @param {KnownPath} [path]
 * @returns {number} seconds, about
 */
export const secondsOf = (parts, roundTripMs, path) =>
  parts.reduce((sum, { experiment, plan }) => sum + experiment.fullTest.secondsOf(plan, roundTripMs, path), 0);

/**
 * @param {readonly Timed[]} parts @param {number} roundTripMs over HTTP
 * @returns {string} such as '25–50 s': if all answers are soon clear, and if none is before its end
 */
export const describeDuration = (parts, roundTripMs) =>
  sayBetween(secondsOf(parts, roundTripMs), secondsOf(longestOf(parts), roundTripMs));

/** The round-trip time of whoever is beside the server. */
const BESIDE_RTT_MS = 1;

/**
 * Describes how long parts take wherever visitors are.
 * @param {(roundTripMs: number) => readonly Timed[]} partsAt @param {KnownPath} [path]
 * @returns {string} such as '20–30 s': beside the server if answers are soon clear, and on another continent if none is before its end
 */
export const describeRange = (partsAt, path) => sayBetween(...rangeOf(partsAt, path));

/**
 * Describes the same in a column.
 * @param {(roundTripMs: number) => readonly Timed[]} partsAt @param {KnownPath} [path] @returns {string} without 'about'
 */
export const nameRange = (partsAt, path) => sayBetween(...rangeOf(partsAt, path), '');

/**
 * Of several parts, the sum of their times, each rounded to 5 s.
 * @param {(roundTripMs: number) => readonly Timed[]} partsAt @param {KnownPath} [path]
 * @returns {[leastSeconds: number, mostSeconds: number]}
 */
function rangeOf(partsAt, path) {
  const addUp = (/** @type {readonly Timed[]} */ parts, /** @type {number} */ roundTripMs) => {
    const times = parts.map((part) => secondsOf([part], roundTripMs, path));
    return times.length === 1 ? times[0] : times.reduce((sum, seconds) => sum + roundToFive(seconds), 0);
  };
  return [addUp(partsAt(BESIDE_RTT_MS), BESIDE_RTT_MS), addUp(longestOf(partsAt(ELSEWHERE_RTT_MS)), ELSEWHERE_RTT_MS)];
}

/**
 * Describes how long messages take wherever visitors are, one after the other: beside the server hardly any time.
 * @param {number} count @returns {string} such as 'up to 20 s'
 */
export const describeRoundTrips = (count) => describeMost((count * ELSEWHERE_RTT_MS) / 1000);

/** Describes how long something takes whose time is limited. @param {number} seconds @returns {string} such as 'up to 2 min' */
export const describeMost = (seconds) => `up to ${formatMostSeconds(seconds)}`;

/** @param {readonly Timed[]} parts @returns {Timed[]} as if no answer were clear before the end */
const longestOf = (parts) => parts.map((part) => ({ ...part, plan: longest(part.plan) }));

/**
 * @param {number} leastSeconds @param {number} mostSeconds @param {string} [about] before a single time
 * @returns {string} such as '20–30 s', or '40 s to 3 min'; 'about 1 min' where both are the same, as far as it can be known
 */
function sayBetween(leastSeconds, mostSeconds, about = 'about ') {
  // The plan alone says how long it takes.
  if (leastSeconds === mostSeconds) return `${about}${formatSeconds(Math.ceil(mostSeconds))}`;
  const [least, most] = [leastSeconds, mostSeconds].map(roundDuration);
  if (least.unit !== most.unit) return `${least.count} ${least.unit} to ${formatMostSeconds(mostSeconds)}`;
  const words = `${most.count} ${most.unit}`;
  return least.count === most.count ? `${about}${words}` : `${least.count}–${words}`;
}

/** @param {number} seconds @returns {number} at least 5 */
const roundToFive = (seconds) => 5 * Math.max(1, Math.round(seconds / 5));

/** To 5 s, and from a minute on as other times. @param {number} seconds @returns {{ count: number, unit: 's' | 'min' }} */
function roundDuration(seconds) {
  const rounded = roundToFive(seconds);
  return rounded < 60
    ? { count: rounded, unit: 's' }
    : { count: roundSeconds(Math.max(60, seconds)) / 60, unit: 'min' };
}
