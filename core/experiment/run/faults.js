/** Finds faults of a run: what makes it invalid, and how pages describe that. */
import { ExchangeError } from '../../net/exchange-error.js';
import { labelOf } from '../answer/labels.js';
import { countsOf as countEchoes } from './echo-trials.js';

/**
 * @import { Failure, Server, Trial } from '../../net/echo/trial.js'
 * @import { FailureOutcome } from '../../net/exchange-error.js'
 * @import { Status } from '../../net/status.js'
 * @import { Counts, Ending, FaultWatch } from '../contract.js'
 * @typedef {{ transport: string, block: number, failures: Failure[], server?: Server, iterations?: number }} Seen
 */

/**
 * Checks each trial for faults that make the run invalid: a lost connection, another server. A transport that never
 * worked is a failure.
 * @param {readonly string[]} transports of the run
 * @param {{ iterations?: number, countsOf?: (trial: any) => Counts }} [options] `iterations`: of each trial, if it
 *   does not say so; `countsOf`: if it is not by core/net/echo/trial.js
 * @returns {FaultWatch<Seen>}
 */
export function createFaultWatch(transports, { iterations = 0, countsOf = countEchoes } = {}) {
  const seen = new Set();
  const working = new Set();
  const starts = new Map();

  return {
    look(trial) {
      const { transport, block, server } = trial;
      const { answerCount, failures } = countsOf(trial);
      const where = `block ${block + 1}, ${labelOf(transport)}`;
      seen.add(transport);
      if (answerCount > 0) working.add(transport);

      if (working.has(transport)) {
        const lost = failures.find(({ outcome }) => outcome === 'closed');
        if (lost) return invalid(`The connection was lost (${where}). ${lost.message}`);
        const last = failures.at(-1);
        const isCutShort = answerCount + failures.length < (trial.iterations ?? iterations);
        if (isCutShort && last?.outcome === 'timeout') {
          return invalid(`The server stopped answering (${where}). ${last.message}`);
        }
      }
      if (seen.size === transports.length && working.size === 0) {
        return invalid(`The server gave no answer. Last error: ${failures[0]?.message}`);
      }
      if (!server) return undefined;
      const worker = `${server.server} ${server.worker}`;
      const start = starts.get(worker) ?? server.startedAt;
      starts.set(worker, start);
      if (start === server.startedAt) return undefined;
      return invalid(`The server restarted during the run (${where}).`);
    },
  };
}

/** @param {string} reason @returns {Ending} */
const invalid = (reason) => ({ kind: 'invalid', reason });

/**
 * Checks whether a worker restarted between the two readings.
 * @param {Status} [before] @param {Status} [after] @returns {Ending | undefined}
 */
export function findRestart(before, after) {
  const isAnother = before?.workers.some(({ worker, startedAt }) =>
    after?.workers.some((later) => later.worker === worker && later.startedAt !== startedAt),
  );
  return isAnother ? invalid('The server restarted during the run.') : undefined;
}

/**
 * Returns why a run is invalid: repeats the checks that were made during the run.
 * @template P, T @param {{ watchFaults(plan: P): FaultWatch<T> }} experiment
 * @param {{ plan: P, trials: readonly T[], statusBefore?: Status, statusAfter?: Status }} run
 */
export function findFault({ watchFaults }, { plan, trials, statusBefore, statusAfter }) {
  const faults = watchFaults(plan);
  const fault = trials.map((trial) => faults.look(trial)).find(Boolean);
  const restart = faults.outlives ? undefined : findRestart(statusBefore, statusAfter);
  return fault ?? faults.lookBack?.() ?? restart;
}

const CHECK_NETWORK = 'Check your network, then retry.';

/**
 * Describes a failure, and what to do.
 * @param {{ outcome: FailureOutcome, message: string }} failure @param {{ hadAnswer: boolean }} run
 */
export function describeFailure({ outcome, message }, { hadAnswer }) {
  switch (outcome) {
    case 'closed':
      return `${hadAnswer ? 'The connection to the server was lost.' : 'Could not connect to the server.'} ${CHECK_NETWORK}`;
    case 'timeout':
      return `The server did not answer in time. ${CHECK_NETWORK}`;
    case 'rejected':
      return `The server rejected a message: ${/[.!?]$/.test(message) ? message : `${message}.`} Wait a moment, then retry.`;
    case 'mismatch':
      return 'The server sent an unexpected answer. A proxy may have changed the message. Try another network, then retry.';
    case 'aborted':
      return 'The run was stopped. Press Retry to measure again.';
  }
}

/** @param {unknown} error that a run threw @returns {string} */
export function describeError(error) {
  if (error instanceof ExchangeError) return describeFailure(error, { hadAnswer: false });
  return 'This page has an error. Reload it, then measure again.';
}

/**
 * Describes an ending that the visitor did not cause.
 * @param {{ ending?: Ending, counts?: readonly Counts[] }} run `counts`: of its trials, in their order
 * @param {AbortSignal} signal
 */
export function describeEnding({ ending, counts = [] }, signal) {
  if (!ending || ending.kind === 'cancelled') return undefined;
  const failure = signal.aborted ? undefined : counts.at(-1)?.failures.at(-1);
  if (!failure) return `${ending.reason} Keep this tab visible, and this device awake and online, then retry.`;
  return describeFailure(failure, { hadAnswer: counts.some(({ answerCount }) => answerCount > 0) });
}

/**
 * Describes the ending of a single trial.
 * @param {{ trial: Trial, ending?: Ending }} run @param {AbortSignal} signal the run's own
 */
export function describeTrialEnd({ trial, ending }, signal) {
  const counts = countEchoes(trial);
  const [failure] = counts.failures;
  if (!failure) return describeEnding({ ending, counts: [counts] }, signal);
  return describeFailure(failure, { hadAnswer: counts.answerCount > 0 });
}
