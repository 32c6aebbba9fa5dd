import { measureStepMs } from './clock.js';
import { SCHEMA } from './result.js';
import { findRestart } from './run-faults.js';
import { measureRun, measureSetUps } from './run.js';
import { readStatus } from './status.js';

/**
 * A run, and all that is to be known of it: the server's state before and after, what new connections cost.
 *
 * @param {object} options
 * @param {import('./plan.js').Plan} options.plan
 * @param {Record<string, import('./transports/index.js').Transport>} options.transports by name
 * @param {import('./clock.js').Now} options.now
 * @param {Omit<import('./result.js').Environment, 'stepMs'>} options.environment
 * @param {string} options.statusUrl
 * @param {AbortSignal} options.signal ends it, with an Ending as its reason
 * @param {(words: string) => void} [options.onStep] told what is done beside the run
 * @param {Parameters<typeof measureRun>[0]['onTrialStart']} [options.onTrialStart]
 * @param {Parameters<typeof measureRun>[0]['onTrialEnd']} [options.onTrialEnd]
 * @returns {Promise<import('./result.js').Result>} whatever happens, what was measured until then
 */
export async function measureResult({ statusUrl, onStep, ...options }) {
  const { plan, signal } = options;
  const environment = { ...options.environment, stepMs: measureStepMs(options.now) };
  onStep?.('Asking the server how busy it is…');
  const statusBefore = await readStatus(fetch, statusUrl, signal);
  const startedAt = new Date().toISOString();
  const { trials, ending: cutShort } = await measureRun(options);
  const statusAfter = cutShort ? undefined : await readStatus(fetch, statusUrl, signal);
  const ending = cutShort ?? findRestart(statusBefore, statusAfter);
  if (!ending) onStep?.('Measuring what a new connection costs…');
  const coldSetUpMs = ending ? {} : await measureSetUps(options);
  return { schema: SCHEMA, startedAt, plan, environment, statusBefore, statusAfter, trials, coldSetUpMs, ending };
}
