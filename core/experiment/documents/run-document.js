/**
 * What the documents of several experiments have in common: their outer fields, what must be true of their trials, their
 * digest.
 */
import { answerCountOf, failuresOf } from '../any-trial.js';
import { findFault } from '../faults.js';
import { headlineOfEnding, quoteEnding } from './ending.js';
import { isAccountedFor } from './fields.js';
import { serverOf } from './server-of.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Digest, Problem } from '../contract.js'
 * @import { Environment } from '../measure-document.js'
 * @import { LoneTrial } from '../lone-trials.js'
 * @import { ExperimentDocument } from '../measure-document.js'
 * @import { Measurement } from '../run.js'
 * @import { Fields, Valibot } from './fields.js'
 */

/**
 * @param {Valibot} v
 * @param {Fields} fields
 * @param {{ schema: string, plan: GenericSchema, trial: GenericSchema, more?: Record<string, GenericSchema> }} own `more`:
 *   what else the experiment measures
 */
export function schemaOfRun(v, { time, environment, status, ending }, { schema, plan, trial, more = {} }) {
  return v.strictObject({
    schema: v.literal(schema),
    startedAt: time,
    plan,
    environment,
    statusBefore: v.optional(status),
    statusAfter: v.optional(status),
    trials: v.array(trial),
    ...more,
    ending: v.optional(ending),
  });
}

/**
 * The trials must be those of the plan, in its order, and all of them unless the run says that it ended early: a result
 * without the blocks that did not suit somebody would be another one. And what makes a run invalid must be said.
 *
 * @template P, T
 * @param {Pick<Measurement<any, any, any, any>, 'trialsOf' | 'watchFaults'>} experiment
 * @param {Pick<ExperimentDocument<P, T>, 'plan' | 'trials' | 'ending' | 'statusBefore' | 'statusAfter'>} run
 * @param {object} rules
 * @param {readonly string[]} rules.by the fields that tell which of the plan's trials one is
 * @param {(trial: T, isCut: boolean) => string | undefined} rules.faultOf what was expected of a trial; absent where it is
 *   so; `isCut`: the run's ending may have cut it short
 * @returns {Problem | undefined}
 */
export function problemOfRun(experiment, run, { by, faultOf }) {
  const { plan, trials, ending } = run;
  const planned = experiment.trialsOf(plan);
  const isOne = (/** @type {any} */ trial, /** @type {number} */ i) =>
    by.every((name) => trial[name] === planned[i][name]);
  const isWhole = ending ? trials.length <= planned.length : trials.length === planned.length;
  if (!isWhole || !trials.every(isOne)) {
    return { path: 'trials', message: 'expected those of its plan, in its order' };
  }
  for (const [i, trial] of trials.entries()) {
    const message = faultOf(trial, ending !== undefined && i === trials.length - 1);
    if (message) return { path: `trials.${i}`, message };
  }
  const fault = ending ? undefined : findFault(experiment, run);
  return fault && { path: 'ending', message: `expected one, as this run is not valid: ${fault.reason}` };
}

/**
 * @param {Omit<ExperimentDocument<any, unknown>, 'schema'>} document
 * @param {{ answered?: Parameters<typeof serverOf>[1], transports?: readonly string[], headline: () => string, detail: () =>
 *   string }} said `answered`: by the server, where not before the run; `transports` where the plan has none
 * @returns {Digest}
 */
export function digestOfRun({ startedAt, plan, environment, statusBefore, trials, ending }, said) {
  return {
    startedAt,
    ...serverOf(environment, said.answered ?? statusBefore),
    transports: [...(said.transports ?? plan.transports)],
    isValid: ending === undefined,
    headline: ending ? headlineOfEnding(ending) : said.headline(),
    detail: ending ? quoteEnding(ending) : said.detail(),
    ...countsOf(trials),
  };
}

/** @param {readonly unknown[]} trials @returns {Pick<Digest, 'sampleCount' | 'failureCount'>} */
function countsOf(trials) {
  return {
    sampleCount: trials.reduce((/** @type {number} */ sum, trial) => sum + answerCountOf(trial), 0),
    failureCount: trials.flatMap(failuresOf).length,
  };
}

/**
 * Of trials that stand by themselves: no plan holds them together.
 *
 * @param {Environment} environment
 * @param {readonly (LoneTrial & { startedAt: string, wasHidden: boolean, elapsedMs?: number })[]} records at least one
 * @returns {Omit<Digest, 'headline' | 'detail'>}
 */
export function digestOfLone(environment, records) {
  const trials = records.map(({ trial }) => trial);
  return {
    startedAt: records[0].startedAt,
    ...serverOf(environment, trials.find(({ server }) => server)?.server),
    transports: [...new Set(trials.map(({ transport }) => transport))],
    isValid: records.every(({ elapsedMs, wasHidden }) => elapsedMs !== undefined && !wasHidden),
    ...countsOf(trials),
  };
}

/**
 * The first failure ends a trial that stands by itself; without one, and no ending, it is whole.
 *
 * @param {LoneTrial} record
 * @returns {boolean}
 */
export function isEnded({ trial: { samples, failures, iterations }, ending }) {
  return failures.length <= 1 && isAccountedFor(samples, failures, iterations, ending !== undefined);
}
