/**
 * The shootout: every transport of a plan echoes the same messages back-to-back.
 *
 * Transports take turns within each block, in random order, so that a drift of the network or of the machine meets all
 * of them alike.
 */
import { measureColdSetUp, measurePreflight } from '../../net/probe.js';
import { ordersOf } from './plan.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { runTrial as runEchoTrial, toRunTrial } from '../../net/echo/trial.js';
import { AT_ONCE } from '../../base/async.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { TakeTurn } from '../../base/async.js'
 * @import { Ending, Measurement } from '../../experiment/run.js'
 * @import { Result } from './result.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Progress, RunTrial } from '../../net/echo/trial.js'
 * @import { Plan } from './plan.js'
 */

/**
 * @typedef {{ transport: string, block: number }} PlannedTrial
 *
 * @typedef {object} Options
 * @property {Plan} plan
 * @property {Record<string, Transport>} transports by name
 * @property {Now} now
 * @property {number} [timeoutMs] limit of one answer
 * @property {AbortSignal} [signal]
 * @property {string} [preflightUrl] of an endpoint that takes JSON by POST, where the page came from another origin
 * @property {(words: string) => void} [onStep] gets what is done beside the run
 * @property {TakeTurn} [takeTurn]
 */

/** @type {Measurement<Options, PlannedTrial, RunTrial>} */
export const measurement = {
  schema: 'sockshootout/run/1',
  trialsOf,
  runTrial,
  watchFaults: ({ transports, iterations }) => createFaultWatch(transports, iterations),
  finish,
};

/** @param {Plan} plan @returns {PlannedTrial[]} */
export function trialsOf(plan) {
  return ordersOf(plan).flatMap((order, block) => order.map((transport) => ({ transport, block })));
}

/** @param {PlannedTrial} planned @param {Options & { progress: Progress }} options @returns {Promise<RunTrial>} */
async function runTrial({ transport: name, block }, { plan, transports, now, timeoutMs, signal, progress }) {
  const transport = transports[name];
  return toRunTrial(await runEchoTrial({ ...plan, transport, now, timeoutMs, progress, signal }), block);
}

/**
 * What new connections cost, and what a page of another origin pays before its first request.
 * @param {Options} options @param {{ ending?: Ending }} document
 * @returns {Promise<Pick<Result, 'coldSetUpMs' | 'preflight'>>}
 */
async function finish({ preflightUrl, onStep, takeTurn = AT_ONCE, ...options }, { ending }) {
  if (ending) return { coldSetUpMs: {} };
  onStep?.('Measuring what a new connection costs…');
  const coldSetUpMs = await takeTurn(() => measureSetUps(options));
  if (preflightUrl === undefined) return { coldSetUpMs };
  const { now, signal } = options;
  return { coldSetUpMs, preflight: await takeTurn(() => measurePreflight({ fetch, url: preflightUrl, now, signal })) };
}

/**
 * What a new connection costs by each transport that otherwise reuses them: one sample each, after the run.
 * @param {Options} options
 * @returns {Promise<Record<string, number>>} milliseconds by transport; absent where it could not be measured
 */
async function measureSetUps({ plan, transports, now, signal }) {
  /** @type {Record<string, number>} */
  const coldSetUpMs = {};
  for (const name of plan.transports) {
    const setUpMs = await measureColdSetUp({ transport: transports[name], now, signal });
    if (setUpMs !== undefined) coldSetUpMs[name] = setUpMs;
  }
  return coldSetUpMs;
}
