/** Runs the trials of a plan, one after the other, in the only loop over them; an experiment defines the trials. */
import { measureStepMs } from '../../base/clock.js';
import { AT_ONCE } from '../../base/async.js';
import { readStatus } from '../../net/status.js';
import { calibrate } from './device.js';
import { sampleLag, summarizeLag } from './client-lag.js';
import { schemasOf } from './open-run.js';
import { findRestart } from './faults.js';
import { looksAfter } from '../plan/blocks.js';
import { methodOf } from './trials.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Described, Ending, Environment, ExperimentDocument, Measured, Measurement, RunCallbacks } from '../contract.js'
 * @import { TrialEnd } from './client-lag.js'
 */

/**
 * Runs an experiment; returns what was measured, whatever happens.
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O @template {object} S @template T @template {object} M
 * @param {Omit<Measurement<O, S, T, M>, 'schema'>} experiment @param {O & RunCallbacks<S, T>} options
 * @returns {Promise<Measured<T> & M>}
 */
export const runExperiment = (experiment, options) =>
  around(experiment, options, (fitted) => runTrials(experiment, fitted));

/**
 * @param {{ around?: Measurement<any, any, any, any>['around'] }} experiment @param {any} options
 * @param {(options: any) => Promise<any>} measure @returns {Promise<any>}
 */
const around = (experiment, options, measure) =>
  experiment.around ? experiment.around(options, measure) : measure(options);

/**
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O @template {object} S @template T
 * @param {Omit<Measurement<O, S, T>, 'schema'>} experiment @param {O & RunCallbacks<S, T>} options
 * @returns {Promise<Measured<T>>}
 */
async function runTrials(experiment, options) {
  const { plan, now, signal, onTrialStart, onTrialEnd, takeTurn = AT_ONCE } = options;
  const { trialsOf, runTrial, watchFaults, progressOf, isClear } = experiment;
  const faults = watchFaults(plan);
  const startedAtMs = now();
  /** @type {Measured<T>} */
  const run = { trials: [] };
  const shared = experiment.open?.(options);
  /** @returns {Ending | undefined} */
  const abortion = () => (signal?.aborted ? signal.reason : undefined);

  /** @param {readonly S[]} block @returns {Promise<void>} */
  const runBlock = async (block) => {
    for (const planned of block) {
      run.ending = abortion();
      if (run.ending) return;
      const progress = { completedCount: 0, ...progressOf?.(planned, plan) };
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
    for (const [index, block] of blocksOf(trialsOf(plan)).entries()) {
      await takeTurn(() => runBlock(block));
      if (run.ending) return run;
      if (looksAfter(plan, index + 1) && isClear?.(run, options)) break;
    }
    const ending = abortion() ?? faults.lookBack?.();
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
 * Measures a run and its conditions: the clock, the device, the program's own lag, the server's state before and after.
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O @template {object} S @template T
 * @param {Omit<Measurement<O, S, T>, 'schema'> & { schema: Described['schema'], readTrial: Described['readTrial'] }} experiment
 * @param {O & RunCallbacks<S, T> & { environment: Omit<Environment, 'stepMs'>, statusUrl: string, onStep?: (words:
 *   string) => void, noticed?: () => Partial<Environment> }} asked `onStep` gets a description of what is done besides
 *   the trials; `noticed` is called after them for what was found about the environment
 * @returns {Promise<any>} an {@link ExperimentDocument} with the experiment's additional measurements
 */
export const measureDocument = (experiment, asked) =>
  around(experiment, asked, (fitted) => measureRun(experiment, fitted));

/** @type {typeof measureDocument} */
async function measureRun(experiment, options) {
  const { plan, now, signal, takeTurn = AT_ONCE, environment, statusUrl, onStep, noticed } = options;
  const stepMs = measureStepMs(now);
  // A run to another server does not measure at the same time.
  const device = await takeTurn(() => calibrate(now, stepMs));
  const readOwnStatus = () => takeTurn(() => readStatus(fetch, statusUrl, signal));
  onStep?.('Reading the server’s status…');
  const statusBefore = await readOwnStatus();
  const startedAt = new Date().toISOString();
  /** @type {number[]} */
  const lateMs = [];
  /** @type {TrialEnd[]} */
  const ends = [];
  const run = await runTrials(experiment, {
    ...options,
    stepMs,
    onTrialEnd(made) {
      const last = made.trials.at(-1);
      if (last) ends.push({ method: methodOf(experiment, last), count: lateMs.length });
      return options.onTrialEnd?.(made);
    },
  }).finally(sampleLag(lateMs, { now }));
  const statusAfter = run.ending ? undefined : await readOwnStatus();
  return {
    schema: schemasOf(experiment)[0],
    startedAt,
    plan,
    environment: { ...environment, stepMs, ...device, ...summarizeLag(lateMs, ends), ...noticed?.() },
    statusBefore,
    statusAfter,
    ...run,
    ending: run.ending ?? (experiment.watchFaults(plan).outlives ? undefined : findRestart(statusBefore, statusAfter)),
  };
}
