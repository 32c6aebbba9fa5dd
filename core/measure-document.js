import { measureStepMs } from './clock.js';
import { findRestart } from './run-faults.js';
import { readStatus } from './status.js';
import { AT_ONCE } from './turns.js';

/**
 * @template P, T
 * @typedef {object} ExperimentDocument all that was measured, and nothing that can be computed from it
 * @property {string} schema
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {P} plan
 * @property {import('./result.js').Environment} environment
 * @property {import('./result.js').Status} [statusBefore] absent where the server could not be asked
 * @property {import('./result.js').Status} [statusAfter]
 * @property {T[]} trials in the order in which they were made
 * @property {import('./run.js').Ending} [ending] absent where the plan was carried out
 */

/**
 * An experiment's run, and what is to be known of where it was made: the clock, the server's state before and after.
 *
 * @template P, T
 * @template {object} [M={}] what an experiment measures besides its trials
 * @param {object} options
 * @param {string} options.schema
 * @param {P} options.plan
 * @param {import('./clock.js').Now} options.now
 * @param {Omit<import('./result.js').Environment, 'stepMs'>} options.environment
 * @param {string} options.statusUrl
 * @param {AbortSignal} options.signal ends it, with an Ending as its reason
 * @param {() => Promise<{ trials: T[], ending?: import('./run.js').Ending } & M>} options.measure whatever else it gives is
 *   in the document, too
 * @param {import('./turns.js').TakeTurn} [options.takeTurn] where others are measured beside it
 * @returns {Promise<ExperimentDocument<P, T> & M>} whatever happens, what was measured until then
 */
export async function measureDocument({
  schema,
  plan,
  now,
  environment,
  statusUrl,
  signal,
  measure,
  takeTurn = AT_ONCE,
}) {
  const stepMs = measureStepMs(now);
  const readOwnStatus = () => takeTurn(() => readStatus(fetch, statusUrl, signal));
  const statusBefore = await readOwnStatus();
  const startedAt = new Date().toISOString();
  const measured = await measure();
  const statusAfter = measured.ending ? undefined : await readOwnStatus();
  const ending = measured.ending ?? findRestart(statusBefore, statusAfter);
  return {
    schema,
    startedAt,
    plan,
    environment: { ...environment, stepMs },
    statusBefore,
    statusAfter,
    ...measured,
    ending,
  };
}
