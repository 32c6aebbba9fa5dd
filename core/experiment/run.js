/**
 * A run: the trials of a plan, one after the other. This is the only loop over trials; an experiment says what they are.
 */
import { AT_ONCE } from '../base/async.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { TakeTurn } from '../base/async.js'
 */

/**
 * @typedef {object} Ending why a run ended before its plan did
 * @property {'cancelled' | 'invalid'} kind
 * @property {string} reason a sentence
 *
 * @typedef {{ completedCount: number }} Progress of a trial, kept up to date by it
 */

/**
 * @template T
 * @typedef {object} FaultWatch
 * @property {(trial: T) => Ending | undefined} look is shown each trial in its order; says what makes the whole run invalid
 * @property {() => Ending | undefined} [lookBack] when all trials have been made
 */

/**
 * What of an experiment measures. Its functions get the run's options.
 *
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O its options: the plan, the clock, and what else it needs,
 *   like transports; `signal` ends the run, with an {@link Ending} as its reason
 * @template {object} S planned trial; those with the same `block` follow each other in one turn
 * @template T trial; a `startedAtMs` is a reading of the clock, and counts from the run's start in the run
 * @template {object} [M={}] what `prepare` measures
 * @typedef {object} Measurement
 * @property {string} schema of its document
 * @property {(plan: O['plan']) => S[]} trialsOf in the order in which they are made
 * @property {(planned: S, options: O & { progress: any, shared: any }) => Promise<T | undefined>} runTrial absent where the
 *   run's end left nothing to keep. A failed trial is a result, not an exception
 * @property {(plan: O['plan']) => FaultWatch<T>} watchFaults
 * @property {(options: O) => { close(): void }} [open] makes what the trials of a run share: `shared`
 * @property {(options: O) => Promise<M>} [prepare] measures something before the trials; the run has it, too
 * @property {(options: O, document: any) => Promise<object>} [finish] and after them
 * @property {(planned: S, options: O) => any} [createProgress] of a trial, where it is more than a count
 */

/**
 * @template S, T
 * @typedef {object} RunCallbacks
 * @property {(planned: S, progress: any) => Promise<void> | void} [onTrialStart] waited for, too
 * @property {(run: { trials: T[], ending?: Ending }) => Promise<void> | void} [onTrialEnd] waited for, outside every timed
 *   part: the place to paint
 * @property {TakeTurn} [takeTurn] where another run goes on beside this one: each block waits for its turn
 */

/**
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O
 * @template {object} S
 * @template T
 * @template {object} M
 * @param {Measurement<O, S, T, M>} experiment
 * @param {O & RunCallbacks<S, T>} options
 * @returns {Promise<{ trials: T[], ending?: Ending } & M>} whatever happens, what was measured until then
 */
export async function runExperiment(experiment, options) {
  const { plan, now, signal, onTrialStart, onTrialEnd, takeTurn = AT_ONCE } = options;
  const { trialsOf, runTrial, watchFaults, createProgress = countTo } = experiment;
  const faults = watchFaults(plan);
  const startedAtMs = now();
  const prepared = /** @type {M} */ (await experiment.prepare?.(options));
  /** @type {{ trials: T[], ending?: Ending } & M} */
  const run = { ...prepared, trials: [] };
  const shared = experiment.open?.(options);

  /** @param {readonly S[]} block @returns {Promise<void>} */
  const runBlock = async (block) => {
    for (const planned of block) {
      run.ending = endingOf(signal);
      if (run.ending) return;
      const progress = createProgress(planned, options);
      await onTrialStart?.(planned, progress);
      run.ending = endingOf(signal);
      if (run.ending) return;
      const trial = await runTrial(planned, { ...options, shared, progress });
      if (trial) run.trials.push(sinceStart(trial, startedAtMs));
      run.ending = endingOf(signal) ?? (trial && faults.look(trial));
      await onTrialEnd?.(run);
      if (run.ending) return;
    }
  };
  try {
    for (const block of blocksOf(trialsOf(plan))) {
      await takeTurn(() => runBlock(block));
      if (run.ending) return run;
    }
    const ending = faults.lookBack?.();
    return ending ? { ...run, ending } : run;
  } finally {
    shared?.close();
  }
}

/** @returns {Progress} */
const countTo = () => ({ completedCount: 0 });

/**
 * @param {AbortSignal | undefined} signal
 * @returns {Ending | undefined}
 */
function endingOf(signal) {
  return signal?.aborted ? signal.reason : undefined;
}

/**
 * @template T
 * @param {T & { startedAtMs?: number }} trial
 * @param {number} runStartedAtMs
 * @returns {T}
 */
function sinceStart(trial, runStartedAtMs) {
  const { startedAtMs } = trial;
  return startedAtMs === undefined ? trial : { ...trial, startedAtMs: startedAtMs - runStartedAtMs };
}

/**
 * @template {{ block?: number }} S
 * @param {readonly S[]} planned
 * @returns {S[][]}
 */
function blocksOf(planned) {
  /** @type {S[][]} */
  const blocks = [];
  for (const trial of planned) {
    const last = blocks.at(-1);
    if (last && last[0].block === trial.block) last.push(trial);
    else blocks.push([trial]);
  }
  return blocks;
}
