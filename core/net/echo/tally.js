import { isFailure } from '../exchange-error.js';

/**
 * @import { Outcome } from '../exchange-error.js'
 * @import { RoundTrip } from './round-trip.js'
 * @import { Failure } from './trial.js'
 */

/**
 * Where a trial's outcomes are kept: room for all is made beforehand, so that the loop makes none.
 *
 * @param {number} iterations
 */
export function createTally(iterations) {
  const sentAtMs = new Float64Array(iterations);
  const endedAtMs = new Float64Array(iterations);
  const isOk = new Uint8Array(iterations);
  /** @type {Failure[]} in the order of their ends; what the run itself ended is none */
  const failures = [];

  return {
    sentAtMs,
    endedAtMs,
    failures,

    /** @param {number} iteration @param {RoundTrip} roundTrip */
    count(iteration, { outcome, sentAtMs: sentMs, endedAtMs: endedMs, message = '' }) {
      sentAtMs[iteration] = sentMs;
      endedAtMs[iteration] = endedMs;
      if (outcome === 'ok') isOk[iteration] = 1;
      else if (isFailure(outcome)) failures.push({ outcome, message, iteration });
    },

    /** Of the connection, or of a warm-up. @param {{ outcome: Outcome, message?: string }} end */
    countOtherFailure({ outcome, message = '' }) {
      if (isFailure(outcome)) failures.push({ outcome, message });
    },

    /** @returns {number[]} the iterations that brought an answer, rising */
    answered: () => [...isOk.keys()].filter((iteration) => isOk[iteration] === 1),
  };
}
