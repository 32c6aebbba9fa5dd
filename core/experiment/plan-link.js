/**
 * What the links of the experiments' plans have in common: transports, numbers, and an end to how much they may ask for.
 * A parameter that is left out has its usual value, so a short link is a whole plan.
 */
import { InvalidInputError } from '../base/invalid-input.js';
import { MAX_SEED } from '../base/random.js';
import { LABELS } from '../net/echo/labels.js';
import { integer, names } from './fields.js';

/** What a result may hold at most. */
export const MAX_SAMPLES = 200_000;

/** Unlike a run of the home page these need nothing to set against: one transport is enough. */
export const TRANSPORTS = names({
  parameter: 'transports',
  label: 'Transports',
  choices: LABELS,
  more: {
    label: 'More: what SockJS offers to pages on other sites',
    names: Object.keys(LABELS).filter((name) => /^sockjs-(iframe|jsonp)/.test(name)),
  },
  default: ['ajax', 'sockjs'],
});

/** Of the order of trials. */
export const SEED = integer({ parameter: 'seed', label: '', min: 0, max: MAX_SEED });

/** @typedef {Readonly<Record<string, { parameter: string, least: number, most: number, usual?: number }>>} Numbers */

/**
 * @template {Numbers} N
 * @param {URLSearchParams} query
 * @param {N} numbers
 * @param {Partial<Record<keyof N, number>>} [usual] where it is not the same for all
 * @returns {Record<keyof N, number>}
 * @throws {RangeError} what, expected, got
 */
export function parseNumbers(query, numbers, usual = {}) {
  return /** @type {Record<keyof N, number>} */ (
    Object.fromEntries(
      Object.entries(numbers).map(([name, range]) => [
        name,
        parseNumber(query.get(range.parameter), { ...range, usual: usual[name] ?? range.usual }),
      ]),
    )
  );
}

/**
 * @param {number} sampleCount
 * @param {string} product of what it is made, in the words of the link
 * @throws {RangeError} what, expected, got
 */
export function checkSampleCount(sampleCount, product) {
  if (sampleCount <= MAX_SAMPLES) return;
  throw new InvalidInputError(`${product}: expected at most ${MAX_SAMPLES} samples, got ${sampleCount}`);
}

/**
 * @template {Numbers} N
 * @param {Record<keyof N, number>} plan
 * @param {N} numbers
 * @returns {string[]} parts of a link's query
 */
export function formatNumbers(plan, numbers) {
  return Object.entries(numbers).map(([name, { parameter }]) => `${parameter}=${plan[name]}`);
}

/**
 * @param {string | null} text
 * @param {{ parameter: string, least: number, most: number, usual?: number }} range
 * @returns {number}
 * @throws {RangeError} what, expected, got
 */
export function parseNumber(text, { parameter, least, most, usual }) {
  if (text === null && usual !== undefined) return usual;
  const value = /^\d{1,10}$/.test(text?.trim() ?? '') ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new RangeError(`${parameter}: expected a whole number from ${least} to ${most}, got ${quote(text)}`);
}

/**
 * @param {string | null} text
 * @returns {string} as errors show what they got
 */
export function quote(text) {
  return text ? `“${text.slice(0, 60)}”` : 'nothing';
}
