/**
 * What the plans of several experiments have in common: transports, a seed, and an end to how much they may ask for.
 */
import { InvalidInputError } from '../base/foreign-text.js';
import { MAX_SEED } from '../base/random.js';
import { LABELS } from '../net/labels.js';
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

/**
 * @param {number} sampleCount
 * @param {string} product its factors, by the names in the link
 * @throws {InvalidInputError} what, expected, got
 */
export function checkSampleCount(sampleCount, product) {
  if (sampleCount <= MAX_SAMPLES) return;
  throw new InvalidInputError(`${product}: expected at most ${MAX_SAMPLES} samples, got ${sampleCount}`);
}
