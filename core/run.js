/**
 * A run: a plan carried out, block by block, one trial after the other.
 *
 * Transports take turns within each block, in random order, so that a drift of the network or of the machine meets all
 * of them alike.
 */
import { measureColdSetUp } from './experiments/classic.js';
import { ordersOf } from './plan.js';
import { runTrial } from './trial.js';
import { createFaultWatch } from './run-faults.js';
import { AT_ONCE } from './turns.js';

/**
 * @typedef {Omit<import('./trial.js').Trial, 'iterations' | 'warmUpCount' | 'payloadBytes'> & { block: number }} RunTrial
 *   `block` counts from 0; `startedAtMs` counts from the run's start
 *
 * @typedef {object} Ending why a run ended before its plan did
 * @property {'cancelled' | 'invalid'} kind
 * @property {string} reason a sentence
 *
 * @typedef {object} Run
 * @property {RunTrial[]} trials in the order in which they were made
 * @property {Ending} [ending]
 */

/**
 * @param {object} options
 * @param {import('./plan.js').Plan} options.plan
 * @param {Record<string, import('./transports/index.js').Transport>} options.transports by name
 * @param {import('./clock.js').Now} options.now
 * @param {(transport: string, block: number, progress: import('./trial.js').Progress) => void} [options.onTrialStart]
 * @param {(run: Run) => Promise<void> | void} [options.onTrialEnd] waited for, outside every timed part: the place to
 *   paint
 * @param {import('./turns.js').TakeTurn} [options.takeTurn] where another run goes on beside this one: each block waits for
 *   its turn
 * @param {number} [options.timeoutMs] limit of one answer
 * @param {AbortSignal} [options.signal] ends the run, with an {@link Ending} as its reason
 * @returns {Promise<Run>} whatever happens, what was measured until then
 */
export async function measureRun({
  plan,
  transports,
  now,
  onTrialStart,
  onTrialEnd,
  takeTurn = AT_ONCE,
  timeoutMs,
  signal,
}) {
  const faults = createFaultWatch(plan.transports);
  /** @type {Run} */
  const run = { trials: [] };
  const startedAtMs = now();

  /** @param {string[]} order @param {number} block */
  const measureBlock = async (order, block) => {
    for (const name of order) {
      run.ending = endingOf(signal);
      if (run.ending) return;
      const progress = { completedCount: 0 };
      onTrialStart?.(name, block, progress);
      const trial = await runTrial({ ...plan, transport: transports[name], now, timeoutMs, progress, signal });
      run.trials.push(toRunTrial(trial, block, startedAtMs));
      run.ending = endingOf(signal) ?? faults.look(trial, block);
      await onTrialEnd?.(run);
      if (run.ending) return;
    }
  };
  for (const [block, order] of ordersOf(plan).entries()) {
    await takeTurn(() => measureBlock(order, block));
    if (run.ending) return run;
  }
  return run;
}

/**
 * What a new connection costs by each transport that otherwise reuses them: one sample each, after the run.
 *
 * @param {Pick<Parameters<typeof measureRun>[0], 'plan' | 'transports' | 'now' | 'signal'>} options
 * @returns {Promise<Record<string, number>>} milliseconds by transport; absent where it could not be learned
 */
export async function measureSetUps({ plan, transports, now, signal }) {
  /** @type {Record<string, number>} */
  const coldSetUpMs = {};
  for (const name of plan.transports) {
    const setUpMs = await measureColdSetUp({ transport: transports[name], now, signal });
    if (setUpMs !== undefined) coldSetUpMs[name] = setUpMs;
  }
  return coldSetUpMs;
}

/**
 * @param {import('./trial.js').Trial} trial
 * @param {number} block
 * @param {number} runStartedAtMs
 * @returns {RunTrial}
 */
function toRunTrial(
  { transport, protocol, setUpMs, server, startedAtMs, samples, failures, requests },
  block,
  runStartedAtMs,
) {
  return {
    block,
    transport,
    protocol,
    setUpMs,
    server,
    startedAtMs: startedAtMs - runStartedAtMs,
    samples,
    failures,
    requests,
  };
}

/**
 * @param {AbortSignal | undefined} signal
 * @returns {Ending | undefined}
 */
function endingOf(signal) {
  return signal?.aborted ? signal.reason : undefined;
}
