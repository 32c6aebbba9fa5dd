/**
 * Fixed rate: messages leave on a schedule, whatever came back (an open loop), beside the back-to-back loop (a closed one) of
 * as many messages. In a closed loop a stall is one slow sample, and the messages that would have left during it are left out
 * (coordinated omission); here it is in as many samples as were due during it.
 */
import { createRandom, shuffle } from '../../base/random.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { runTrial, toRunTrial } from '../../net/echo/trial.js';
import { runOpenTrial } from './open-trial.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Measurement } from '../../experiment/run.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { OpenTrial, SleepUntil } from './open-trial.js'
 * @import { FixedRatePlan } from './plan.js'
 */

/** Of a back-to-back trial, as on the home page. */
const CLOSED_WARM_UP_COUNT = 3;

/**
 * @typedef {'open' | 'closed'} Loop by the plan, or back-to-back
 *
 * @typedef {OpenTrial & { loop: 'open', block: number }} OpenLoopTrial
 * @typedef {RunTrial & { loop: 'closed' }} ClosedLoopTrial
 * @typedef {OpenLoopTrial | ClosedLoopTrial} LoopTrial `block` counts from 0; `startedAtMs` counts from the run's start
 */

/**
 * @typedef {{ transport: string, loop: Loop, block: number }} PlannedTrial
 *
 * @typedef {object} Options
 * @property {FixedRatePlan} plan
 * @property {Record<string, Transport>} transports by name
 * @property {Now} now
 * @property {SleepUntil} sleepUntil
 * @property {number} [timeoutMs] limit of one answer
 * @property {AbortSignal} [signal]
 */

/** @type {Measurement<Options, PlannedTrial, LoopTrial>} */
export const measurement = {
  schema: 'sockshootout/fixed-rate/1',
  trialsOf,
  runTrial: (planned, { plan, transports, ...options }) =>
    runPlanned(planned, plan, { ...options, transport: transports[planned.transport] }),
  watchFaults: ({ transports, messages }) => createFaultWatch(transports, messages),
};

/** @param {Pick<FixedRatePlan, 'transports' | 'blocks' | 'seed'>} plan @returns {PlannedTrial[]} */
function trialsOf({ transports, blocks, seed }) {
  const random = createRandom(seed);
  const each = transports.flatMap((transport) =>
    /** @type {const} */ (['open', 'closed']).map((loop) => ({ transport, loop })),
  );
  return Array.from({ length: blocks }, (_, block) => shuffle(each, random).map((one) => ({ ...one, block }))).flat();
}

/**
 * @param {PlannedTrial} planned
 * @param {FixedRatePlan} plan
 * @param {Omit<Parameters<typeof runOpenTrial>[0], 'ratePerSecond' | 'messages'>} options
 * @returns {Promise<LoopTrial>}
 */
async function runPlanned({ loop, block }, { ratePerSecond, messages }, options) {
  if (loop === 'open') return { loop, block, ...(await runOpenTrial({ ...options, ratePerSecond, messages })) };
  const trial = await runTrial({ ...options, iterations: messages, warmUpCount: CLOSED_WARM_UP_COUNT });
  return { loop, ...toRunTrial(trial, block) };
}
