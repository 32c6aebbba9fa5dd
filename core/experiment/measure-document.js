import { measureStepMs } from '../base/clock.js';
import { runExperiment } from './run.js';
import { findRestart } from './faults.js';
import { readStatus } from '../net/status.js';
import { AT_ONCE } from '../base/async.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { Status } from '../net/status.js'
 * @import { Ending, Measurement, RunCallbacks } from './run.js'
 */

/**
 * @typedef {object} Environment where and with what it was measured
 * @property {string} url of the page that was measured, or of the site where there was none
 * @property {string} [pageOrigin] of the page that measured, where it came from another server
 * @property {string} userAgent the browser's, or `Node.js` with its version
 * @property {number} [stepMs] of the clock; absent where it could not be measured
 * @property {boolean} isCrossOriginIsolated
 */

/**
 * @template P, T
 * @typedef {object} ExperimentDocument all that was measured, and nothing that can be computed from it
 * @property {string} schema
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {P} plan
 * @property {Environment} environment
 * @property {Status} [statusBefore] absent where the server could not be asked
 * @property {Status} [statusAfter]
 * @property {T[]} trials in the order in which they were made
 * @property {Ending} [ending] absent where the plan was carried out
 */

/**
 * An experiment's run, and what is to be known of where it was made: the clock, the server's state before and after.
 *
 * @template {{ plan: any, now: Now, signal?: AbortSignal }} O
 * @template {object} S
 * @template T
 * @param {Measurement<O, S, T>} experiment
 * @param {O & RunCallbacks<S, T> & { environment: Omit<Environment, 'stepMs'>, statusUrl: string, onStep?: (words:
 *   string) => void }} options `onStep` gets what is done beside the run
 * @returns {Promise<any>} an {@link ExperimentDocument} with what else the experiment measures; whatever happens, what was
 *   measured until then
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
