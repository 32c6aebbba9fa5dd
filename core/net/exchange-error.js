import { parseJson } from '../base/foreign-text.js';

/**
 * The outcomes of an iteration. All except `ok` and `aborted` are failures, which are counted and shown, never
 * repaired.
 *
 * - `timeout`: no answer within the limit.
 * - `mismatch`: an answer that is not the echo of what was sent.
 * - `rejected`: status >= 400, or an error message on a socket.
 * - `closed`: the connection could not be opened, or was lost.
 * - `aborted`: ended by the run itself (cancelled, tab hidden). Only older documents have it in a list of failures.
 *
 * @typedef {typeof FAILURE_OUTCOMES[number]} FailureOutcome
 * @typedef {'ok' | FailureOutcome} Outcome
 */

export const FAILURE_OUTCOMES = /** @type {const} */ (['timeout', 'mismatch', 'rejected', 'closed', 'aborted']);

/**
 * Checks whether an exchange failed.
 * @param {Outcome} outcome @returns {outcome is Exclude<FailureOutcome, 'aborted'>}
 */
export const isFailure = (outcome) => outcome !== 'ok' && outcome !== 'aborted';

/** Says why an exchange got no answer; the iteration is counted as `outcome`. */
export class ExchangeError extends Error {
  /** @param {FailureOutcome} outcome @param {string} message for the visitor */
  constructor(outcome, message) {
    super(message);
    this.name = 'ExchangeError';
    this.outcome = outcome;
  }
}

/** @param {any} answer parsed @returns {ExchangeError | undefined} absent where it carries no error object */
export function parseRejection(answer) {
  const error = answer?.error;
  return error && new ExchangeError('rejected', String(error.message ?? 'The server gave no reason.'));
}

/** @param {string} text @returns {any} @throws {ExchangeError} where it is no answer, or carries an error object */
export function parseAnswer(text) {
  const answer = parseJson(text);
  if (answer === undefined) throw new ExchangeError('mismatch', 'The answer is not JSON.');
  return checkAnswer(answer);
}

/** @param {any} answer parsed @returns {any} the same @throws {ExchangeError} where it carries an error object */
export function checkAnswer(answer) {
  const rejection = parseRejection(answer);
  if (rejection) throw rejection;
  return answer;
}
