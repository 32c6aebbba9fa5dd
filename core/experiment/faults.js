import { labelOf } from '../net/labels.js';
import { answerCountOf } from './any-trial.js';

/**
 * @import { RunTrial } from '../net/echo/trial.js'
 * @import { Status } from '../net/status.js'
 * @import { Ending, FaultWatch } from './run.js'
 */

/** @typedef {Pick<RunTrial, 'transport' | 'block' | 'failures' | 'server'> & { iterations?: number }} Seen */

/**
 * Looks at each trial of a run for what makes the whole run invalid: a connection that was lost, a server that is
 * another one now. What never worked is no fault of the run: it is counted as failed, and shown.
 *
 * @param {readonly string[]} transports all that the run has
 * @param {number} [iterations] of each trial, where it does not say so itself
 * @returns {FaultWatch<Seen>}
 */
export function createFaultWatch(transports, iterations = 0) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {Set<string>} */
  const working = new Set();
  /** @type {Map<string, string>} when each worker started */
  const starts = new Map();

  return {
    look(trial) {
      const { transport, block, failures, server } = trial;
      const answerCount = answerCountOf(trial);
      const where = `in block ${block + 1}, by ${labelOf(transport)}`;
      seen.add(transport);
      if (answerCount > 0) working.add(transport);

      if (working.has(transport)) {
        const lost = failures.find(({ outcome }) => outcome === 'closed');
        if (lost) return invalid(`The connection to the server was lost ${where}: ${lost.message}`);
        const last = failures.at(-1);
        const isCutShort = answerCount + failures.length < (trial.iterations ?? iterations);
        if (isCutShort && last?.outcome === 'timeout')
          return invalid(`The server fell silent ${where}: ${last.message}`);
      }
      if (seen.size === transports.length && working.size === 0) {
        return invalid(`No transport got an answer; the last one: ${failures[0]?.message}`);
      }
      if (!server) return undefined;
      const worker = `${server.server} ${server.worker}`;
      const start = starts.get(worker) ?? server.startedAt;
      starts.set(worker, start);
      return start === server.startedAt
        ? undefined
        : invalid(`The server was restarted during the run, seen ${where}.`);
    },
  };
}

/** @param {string} reason @returns {Ending} */
function invalid(reason) {
  return { kind: 'invalid', reason };
}

/**
 * Was a worker of the server started anew between two readings of its status?
 *
 * @param {Status | undefined} before
 * @param {Status | undefined} after
 * @returns {Ending | undefined} absent where not, or where it is not known
 */
export function findRestart(before, after) {
  const isAnother = before?.workers.some(({ worker, startedAt }) =>
    after?.workers.some((later) => later.worker === worker && later.startedAt !== startedAt),
  );
  return isAnother ? invalid('The server was restarted during the run.') : undefined;
}

/**
 * Looks again at what a run itself looked at.
 *
 * @template P, T
 * @param {{ watchFaults(plan: P): FaultWatch<T> }} experiment
 * @param {object} run
 * @param {P} run.plan
 * @param {readonly T[]} run.trials in their order
 * @param {Status} [run.statusBefore]
 * @param {Status} [run.statusAfter]
 * @returns {Ending | undefined} why it is not valid; absent where it is
 */
export function findFault({ watchFaults }, { plan, trials, statusBefore, statusAfter }) {
  const faults = watchFaults(plan);
  for (const trial of trials) {
    const fault = faults.look(trial);
    if (fault) return fault;
  }
  return faults.lookBack?.() ?? findRestart(statusBefore, statusAfter);
}
