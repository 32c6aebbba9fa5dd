/**
 * @typedef {object} Figures messages per second as the line of 2012 has them; absent where there are none
 * @property {number} [ajax]
 * @property {number} [sockjs]
 * @property {number} [ratio] SockJS's to AJAX's
 */

/** @import { ClassicRun } from './measure.js' */

/**
 * @param {Pick<ClassicRun, 'trial' | 'elapsedMs'> | undefined} run
 * @returns {number | undefined} messages per second, from the click to the last answer; absent where it did not finish
 */
export function rateOf(run) {
  return run?.elapsedMs === undefined ? undefined : run.trial.iterations / (run.elapsedMs / 1000);
}

/** @param {Omit<Figures, 'ratio'>} rates @returns {Figures} */
export function withRatio({ ajax, sockjs }) {
  return { ajax, sockjs, ratio: ajax === undefined || sockjs === undefined ? undefined : sockjs / ajax };
}
