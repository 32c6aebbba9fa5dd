/**
 * Runs the payload experiment over scripted transfers, in virtual time.
 */
import { runExperiment } from '../../core/experiment/run/run.js';
import { payload } from '../../core/experiments/payload/index.js';
import { createScriptedTransfer } from './scripted-transfer.js';
import { createVirtualTime } from './virtual-time.js';

/**
 * @import { RunCallbacks } from '../../core/experiment/contract.js'
 * @import { Options } from '../../core/experiments/payload/measure.js'
 * @import { PayloadTrial } from '../../core/experiments/payload/schema.js'
 * @import { PayloadPlan, Sweep } from '../../core/experiments/payload/plan.js'
 */

/** @type {Sweep} */
export const PLAN = {
  transports: ['ajax', 'sockjs'],
  directions: ['up', 'echo'],
  sizes: [1, 1000],
  repeats: 6,
  seed: 4,
};
export const TRIAL_COUNT = 2 * 2 * 2 * 6;

/**
 * @param {object} [options]
 * @param {PayloadPlan} [options.plan]
 * @param {Record<string, Partial<Parameters<typeof createScriptedTransfer>[1]>>} [options.scripts] by transport
 * @param {Partial<Options> & RunCallbacks<any, any>} [options.measureOptions]
 */
export async function run({ plan = PLAN, scripts = {}, measureOptions } = {}) {
  const time = createVirtualTime();
  const scripted = Object.fromEntries(
    plan.transports.map((name) => [name, createScriptedTransfer(time, { name, law: () => 5, ...scripts[name] })]),
  );
  const transfers = Object.fromEntries(Object.entries(scripted).map(([name, { transfer }]) => [name, transfer]));
  const made = await time.run(runExperiment(payload, { plan, transfers, now: time.now, ...measureOptions }));
  return { ...made, states: Object.fromEntries(Object.entries(scripted).map(([name, { state }]) => [name, state])) };
}

/** @param {readonly PayloadTrial[]} trials */
export const failuresOf = (trials) =>
  trials.flatMap(({ failure, ...place }) => (failure ? [{ ...place, ...failure }] : []));
