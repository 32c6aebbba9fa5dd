/** What pages say when the network or the server ended a run: what happened, and what to do. */
import { ExchangeError } from '../net/exchange-error.js';
import { answerCountOf, failuresOf } from './any-trial.js';

/**
 * @import { Trial } from '../net/echo/trial.js'
 * @import { FailureOutcome } from '../net/exchange-error.js'
 * @import { Ending } from './run.js'
 */

const CHECK_NETWORK = 'Check your network, then retry.';

/** @typedef {{ outcome: FailureOutcome, message: string }} SomeFailure */

/**
 * @param {SomeFailure} failure
 * @param {{ hadAnswer: boolean }} run did any message bring an answer before?
 * @returns {string}
 */
export function describeFailure({ outcome, message }, { hadAnswer }) {
  switch (outcome) {
    case 'closed':
      return `${hadAnswer ? 'The connection to the server was lost.' : 'Could not connect to the server.'} ${CHECK_NETWORK}`;
    case 'timeout':
      return `The server did not answer in time. ${CHECK_NETWORK}`;
    case 'rejected':
      return `The server rejected a message: ${asSentence(message)} Wait a moment, then retry.`;
    case 'mismatch':
      return 'The server sent an unexpected answer. A proxy may have changed the message. Try another network, then retry.';
    case 'aborted':
      return 'The run was stopped. Press Retry to start again.';
  }
}

/** @param {unknown} error that a run threw @returns {string} */
export function describeError(error) {
  if (error instanceof ExchangeError) return describeFailure(error, { hadAnswer: false });
  return 'This page has an error. Reload it, then measure again.';
}

/**
 * @param {{ ending?: Ending, trials: readonly unknown[] }} run of any experiment
 * @param {AbortSignal} signal the run's own
 * @returns {string | undefined} absent where the run was not ended, or by the visitor
 */
export function describeEnding({ ending, trials }, signal) {
  if (!ending || ending.kind === 'cancelled') return undefined;
  const failure = signal.aborted ? undefined : trials.slice(-1).flatMap(failuresOf).at(-1);
  if (!failure) return `${ending.reason} Keep this tab visible and stay online, then retry.`;
  return describeFailure(failure, { hadAnswer: trials.some((trial) => answerCountOf(trial) > 0) });
}

/**
 * @param {{ trial: Trial, ending?: Ending }} run which its first failure has ended
 * @param {AbortSignal} signal the run's own
 * @returns {string | undefined} absent where it was finished, or ended by the visitor
 */
export function describeTrialEnd({ trial, ending }, signal) {
  const [failure] = trial.failures;
  if (!failure) return describeEnding({ ending, trials: [trial] }, signal);
  return describeFailure(failure, { hadAnswer: answerCountOf(trial) > 0 });
}

/** @param {string} text */
function asSentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
