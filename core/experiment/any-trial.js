/**
 * What trials of all experiments have in common. Some keep a list of answers and one of failures, others are one message each.
 */

/** @import { FailureOutcome } from '../net/exchange-error.js' */

/** @param {any} trial of any experiment @returns {number} messages, or jobs, that came to their end */
export function answerCountOf({ samples, roundTripMs = samples?.iteration, told, durationMs }) {
  return (roundTripMs ?? told?.job)?.length ?? (durationMs === undefined ? 0 : 1);
}

/** @param {any} trial of any experiment @returns {readonly { outcome: FailureOutcome, message: string }[]} */
export function failuresOf({ failure, failures = failure ? [failure] : [] }) {
  return failures;
}

/** @param {readonly { protocol?: string }[]} trials @returns {string[]} what was really negotiated, each once */
export function protocolsOf(trials) {
  return [...new Set(trials.map(({ protocol }) => protocol).filter((protocol) => protocol !== undefined))];
}
