/** @import { Valibot } from './fields.js' */

/**
 * What the documents of experiments with a plan of their own have in common.
 *
 * @param {Valibot} v
 * @param {ReturnType<typeof import('./fields.js').createFields>} fields
 */
export function experimentFields(v, { time, environment, status, ending }) {
  return {
    startedAt: time,
    environment,
    statusBefore: v.optional(status),
    statusAfter: v.optional(status),
    ending: v.optional(ending),
  };
}

/**
 * Is it the trial that its run's ending cut short?
 *
 * @param {{ trials: readonly unknown[], ending?: unknown }} run
 * @param {number} index of the trial
 * @returns {boolean}
 */
export function isCut({ trials, ending }, index) {
  return ending !== undefined && index === trials.length - 1;
}

/**
 * Are the trials those that were planned, in their order, and all of them unless the run says that it ended early?
 *
 * @template P, T
 * @param {{ planned: readonly P[], trials: readonly T[], ending?: unknown }} run
 * @param {(trial: T, planned: P, isCutShort: boolean) => boolean} isOne is the trial the planned one?
 * @returns {boolean}
 */
export function isCarriedOut({ planned, trials, ending }, isOne) {
  return (
    trials.length <= planned.length &&
    (ending !== undefined || trials.length === planned.length) &&
    trials.every((trial, index) => isOne(trial, planned[index], isCut({ trials, ending }, index)))
  );
}
