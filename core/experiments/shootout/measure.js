/**
 * Makes the trials: each is a connection and its messages, one after the other; the cost of new connections is measured
 * after the run.
 */
import { AT_ONCE } from '../../base/async.js';
import { inBlocks } from '../../base/random.js';
import { createFaultWatch } from '../../experiment/run/faults.js';
import { LOOK_RULE } from '../../experiment/plan/blocks.js';
import { noticeOf } from '../../experiment/answer/verdict.js';
import { mattersIn, slownessIn } from '../../experiment/plan/situation.js';
import { runTrial, toRunTrial } from '../../net/echo/trial.js';
import { measureColdSetUp, measurePreflight } from '../../net/echo/probe.js';
import { modelOf, slowDown, speedAt } from './distance-model.js';
import { challengerOf } from './plan.js';
import { rttOf } from './speed-words.js';
import { summarize } from './summary.js';

/**
 * @import { TakeTurn } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { VerdictName } from '../../experiment/answer/verdict.js'
 * @import { Measurement } from '../../experiment/contract.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Preflight } from '../../net/echo/probe.js'
 * @import { Plan } from './plan.js'
 * @import { Summary } from './summary.js'
 * @typedef {{ transport: string, block: number }} PlannedTrial
 * @typedef {{ plan: Plan, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?: AbortSignal,
 *   preflightUrl?: string, onStep?: (words: string) => void, takeTurn?: TakeTurn }} Options `transports` by name;
 *   `timeoutMs`: of one answer; `preflightUrl` takes JSON by POST, if the page came from another origin; `onStep`
 *   gets a description of what is done besides the trials
 * @typedef {{ coldSetUpMs: Record<string, number>, preflight?: Preflight }} Costs the times of new connections after
 *   the run, by transport; `preflight` only if the page came from another server
 */

/** @type {Measurement<Options, PlannedTrial, RunTrial>} */
export const measurement = {
  schema: 'sockshootout/run/1',
  trialsOf(plan) {
    const each = plan.transports.map((transport) => ({ transport }));
    return inBlocks(each, plan);
  },
  async runTrial({ transport: name, block }, { plan, transports, now, timeoutMs, signal, progress }) {
    const transport = transports[name];
    return toRunTrial(await runTrial({ ...plan, transport, now, timeoutMs, progress, signal }), block);
  },
  isClear({ trials }, { plan, stepMs, situation = {}, environment = NOWHERE }) {
    const run = { schema: '', startedAt: '', plan, trials, environment: { ...environment, stepMs }, coldSetUpMs: {} };
    const { verdict, savingMs } = outcomeOf(summarize(run, LOOK_RULE), situation);
    if (!savingMs || verdict !== 'faster') return verdict === 'same' || verdict === 'slower';
    return noticeOf(savingMs, mattersIn(situation).messageMs) !== 'not shown';
  },
  watchFaults: ({ transports, iterations }) => createFaultWatch(transports, { iterations }),
  async around(options, measure) {
    const run = await measure(options);
    return { ...run, ...(run.ending ? { coldSetUpMs: {} } : await measureCosts(options)) };
  },
};

/** Where a run is that says nothing about its place. */
const NOWHERE = Object.freeze({ url: '', userAgent: '', isCrossOriginIsolated: false });

/**
 * What a run answers: what it measured; or what that predicts, if it was made on one machine, or is for slower devices.
 * @param {Summary} found @param {{ device?: string }} situation
 * @returns {{ verdict?: VerdictName, savingMs?: Interval }} empty if it has no verdict
 */
function outcomeOf(found, situation) {
  const model = modelOf(found);
  if (model) return speedAt(slowDown(model, slownessIn(situation)), rttOf(found, model));
  // With a payload, there is no model.
  const challenger = challengerOf(found.result.plan);
  return found.rows.find(({ transport }) => transport === challenger)?.comparison ?? {};
}

/** @param {Options} options @returns {Promise<Costs>} */
async function measureCosts({ preflightUrl, onStep, takeTurn = AT_ONCE, ...options }) {
  onStep?.('Measuring the connection setup…');
  const coldSetUpMs = await takeTurn(() => measureSetUps(options));
  if (preflightUrl === undefined) return { coldSetUpMs };
  const { now, signal } = options;
  const preflight = await takeTurn(() => measurePreflight({ fetch, url: preflightUrl, now, signal }));
  return { coldSetUpMs, preflight };
}

/** Measures one sample of each transport that otherwise reuses connections. @param {Options} options */
async function measureSetUps({ plan, transports, now, signal }) {
  /** @type {Record<string, number>} */
  const coldSetUpMs = {};
  for (const name of plan.transports) {
    const setUpMs = await measureColdSetUp({ transport: transports[name], now, signal });
    if (setUpMs !== undefined) coldSetUpMs[name] = setUpMs;
  }
  return coldSetUpMs;
}
