/**
 * Every transport of a plan echoes the same messages back-to-back. Transports take turns within each block, in random order,
 * so that a drift of the network or of the machine meets all of them alike.
 */
import { AT_ONCE } from '../../base/async.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { measureColdSetUp, measurePreflight } from '../../net/probe.js';
import { runTrial as runEchoTrial, toRunTrial } from '../../net/echo/trial.js';
import { ordersOf } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { TakeTurn } from '../../base/async.js'
 * @import { Ending, ExperimentDocument, Measurement } from '../../experiment/run.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Progress, RunTrial } from '../../net/echo/trial.js'
 * @import { Preflight } from '../../net/probe.js'
 * @import { Plan } from './plan.js'
 * @typedef {{ transport: string, block: number }} PlannedTrial
 * @typedef {{ plan: Plan, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?: AbortSignal,
 *   preflightUrl?: string, onStep?: (words: string) => void, takeTurn?: TakeTurn }} Options `transports` by name;
 *   `timeoutMs`: of one answer; `preflightUrl` takes JSON by POST, where the page came from another origin; `onStep`
 *   gets what is done beside the run
 * @typedef {{ coldSetUpMs: Record<string, number>, preflight?: Preflight }} Costs what new connections took after the
 *   run, by transport; `preflight` only where the page came from another server
 * @typedef {ExperimentDocument<Plan, RunTrial> & Costs} Result
 */

/** @type {Measurement<Options, PlannedTrial, RunTrial>} */
export const measurement = {
  schema: 'sockshootout/run/1',
  trialsOf: (plan) => ordersOf(plan).flatMap((order, block) => order.map((transport) => ({ transport, block }))),
  runTrial,
  watchFaults: ({ transports, iterations }) => createFaultWatch(transports, iterations),
  finish,
};

/** @param {PlannedTrial} planned @param {Options & { progress: Progress }} options @returns {Promise<RunTrial>} */
async function runTrial({ transport: name, block }, { plan, transports, now, timeoutMs, signal, progress }) {
  const transport = transports[name];
  return toRunTrial(await runEchoTrial({ ...plan, transport, now, timeoutMs, progress, signal }), block);
}

/**
 * What new connections cost, and what a page of another origin pays before its first request.
 * @param {Options} options @param {{ ending?: Ending }} document @returns {Promise<Costs>}
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
 * One sample of each transport that otherwise reuses connections; absent where it could not be measured.
 * @param {Options} options
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
