import { measureDocument } from './measure-document.js';
import { measurePreflight } from './preflight.js';
import { SCHEMA } from './result.js';
import { measureRun, measureSetUps } from './run.js';
import { AT_ONCE } from './turns.js';

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
 * @param {import('./turns.js').TakeTurn} [options.takeTurn] for runs to several servers
 * @param {string} [options.preflightUrl] of an endpoint that takes JSON by POST, where the page came from another origin
 * @param {(words: string) => void} [options.onStep] told what is done beside the run
 * @param {Parameters<typeof measureRun>[0]['onTrialStart']} [options.onTrialStart]
 * @param {Parameters<typeof measureRun>[0]['onTrialEnd']} [options.onTrialEnd]
 * @returns {Promise<import('./result.js').Result>} whatever happens, what was measured until then
 */
export async function measureResult({ preflightUrl, onStep, ...options }) {
  const { now, signal, takeTurn = AT_ONCE } = options;
  onStep?.('Asking the server how busy it is…');
  const measured = await measureDocument({ ...options, schema: SCHEMA, measure: () => measureRun(options) });
  if (measured.ending) return { ...measured, coldSetUpMs: {} };
  onStep?.('Measuring what a new connection costs…');
  const coldSetUpMs = await takeTurn(() => measureSetUps(options));
  if (preflightUrl === undefined) return { ...measured, coldSetUpMs };
  const preflight = await takeTurn(() => measurePreflight({ fetch, url: preflightUrl, now, signal }));
  return { ...measured, coldSetUpMs, preflight };
}
