/**
 * A run: the trials of a plan, one after the other. This is the only loop over trials; an experiment says what they are.
 */
import { measureStepMs } from '../base/clock.js';
import { AT_ONCE } from '../base/async.js';
import { readStatus } from '../net/status.js';
import { findRestart } from './faults.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Now } from '../base/clock.js'
 * @import { TakeTurn } from '../base/async.js'
 * @import { Status } from '../net/status.js'
 * @import { Fields } from './documents/fields.js'
 * @typedef {InferOutput<Fields['ending']>} Ending why a run ended before its plan did
 * @typedef {InferOutput<Fields['environment']>} Environment where and with what it was measured
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
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O its options: the plan, the clock, and what else it needs,
 *   like transports; `signal` ends the run, with an {@link Ending} as its reason
 * @template {object} S planned trial; those with the same `block` follow each other in one turn
 * @template T trial; a `startedAtMs` is a reading of the clock, and counts from the run's start in the run
 * @template {object} [M={}] what `prepare` measures
 * @typedef {object} Measurement
 * @property {string} schema of its document
 * @property {(plan: O['plan']) => S[]} trialsOf in the order in which they are made
 * @property {(planned: S, options: O & { progress: any, shared: any }) => Promise<T | undefined>} runTrial absent where
 *   the run's end left nothing to keep. A failed trial is a result, not an exception
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
 * @template P, T
 * @typedef {{ schema: string, startedAt: string, plan: P, environment: Environment, statusBefore?: Status, statusAfter?:
 *   Status, trials: T[], ending?: Ending }} ExperimentDocument all that was measured, and nothing that can be computed from it;
 *   docs/results-format.md describes it
 */

/**
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O @template {object} S @template T @template {object} M
 * @param {Measurement<O, S, T, M>} experiment @param {O & RunCallbacks<S, T>} options
 * @returns {Promise<{ trials: T[], ending?: Ending } & M>} whatever happens, what was measured until then
 */
export async function runExperiment(experiment, options) {
  const { plan, now, signal, onTrialStart, onTrialEnd, takeTurn = AT_ONCE } = options;
  const { trialsOf, runTrial, watchFaults, createProgress = () => ({ completedCount: 0 }) } = experiment;
  const faults = watchFaults(plan);
  const startedAtMs = now();
  const prepared = /** @type {M} */ (await experiment.prepare?.(options));
  /** @type {{ trials: T[], ending?: Ending } & M} */
  const run = { ...prepared, trials: [] };
  const shared = experiment.open?.(options);
  /** @returns {Ending | undefined} */
  const abortion = () => (signal?.aborted ? signal.reason : undefined);

  /** @param {readonly S[]} block @returns {Promise<void>} */
  const runBlock = async (block) => {
    for (const planned of block) {
      run.ending = abortion();
      if (run.ending) return;
      const progress = createProgress(planned, options);
      await onTrialStart?.(planned, progress);
      run.ending = abortion();
      if (run.ending) return;
      const trial = await runTrial(planned, { ...options, shared, progress });
      if (trial) run.trials.push(sinceStart(trial, startedAtMs));
      run.ending = abortion() ?? (trial && faults.look(trial));
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

/** @template T @param {T & { startedAtMs?: number }} trial @param {number} runStartedAtMs @returns {T} */
function sinceStart(trial, runStartedAtMs) {
  const { startedAtMs } = trial;
  return startedAtMs === undefined ? trial : { ...trial, startedAtMs: startedAtMs - runStartedAtMs };
}

/** @template {{ block?: number }} S @param {readonly S[]} planned @returns {S[][]} */
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

/**
 * An experiment's run, and what is to be known of where it was made: the clock, the server's state before and after.
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O @template {object} S @template T
 * @param {Measurement<O, S, T>} experiment
 * @param {O & RunCallbacks<S, T> & { environment: Omit<Environment, 'stepMs'>, statusUrl: string, onStep?: (words:
 *   string) => void }} options `onStep` gets what is done beside the run
 * @returns {Promise<any>} an {@link ExperimentDocument} with what else the experiment measures; whatever happens, what
 *   was measured until then
 */
export async function measureDocument(experiment, options) {
  const { plan, now, signal, takeTurn = AT_ONCE, environment, statusUrl, onStep } = options;
  const stepMs = measureStepMs(now);
  const readOwnStatus = () => takeTurn(() => readStatus(fetch, statusUrl, signal));
  onStep?.('Asking the server how busy it is…');
  const statusBefore = await readOwnStatus();
  const startedAt = new Date().toISOString();
  const run = await runExperiment(experiment, options);
  const statusAfter = run.ending ? undefined : await readOwnStatus();
  const document = {
    schema: experiment.schema,
    startedAt,
    plan,
    environment: { ...environment, stepMs },
    statusBefore,
    statusAfter,
    ...run,
    ending: run.ending ?? findRestart(statusBefore, statusAfter),
  };
  return { ...document, ...(await experiment.finish?.(options, document)) };
}
