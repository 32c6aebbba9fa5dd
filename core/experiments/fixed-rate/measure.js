/** Makes the trials, which send their messages on a schedule, or back-to-back. */
import { inBlocks } from '../../base/random.js';
import { createFaultWatch } from '../../experiment/run/faults.js';
import { runTrial, toRunTrial } from '../../net/echo/trial.js';
import { runOpenTrial } from './open-trial.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Measurement } from '../../experiment/contract.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { SleepUntil } from './open-trial.js'
 * @import { FixedRatePlan } from './plan.js'
 * @import { LoopTrial } from './schema.js'
 * @typedef {{ transport: string, loop: LoopTrial['loop'], block: number }} PlannedTrial
 * @typedef {{ plan: FixedRatePlan, transports: Record<string, Transport>, now: Now, sleepUntil: SleepUntil, timeoutMs?:
 *   number, signal?: AbortSignal }} Options `timeoutMs`: limit of one answer
 */

/** The warm-up of a back-to-back trial, as on the home page. */
const CLOSED_WARM_UP_COUNT = 3;

const LOOPS = /** @type {const} */ (['open', 'closed']);

/** @type {Measurement<Options, PlannedTrial, LoopTrial>} */
export const measurement = {
  schema: 'sockshootout/fixed-rate/1',
  trialsOf(plan) {
    const each = plan.transports.flatMap((transport) => LOOPS.map((loop) => ({ transport, loop })));
    return inBlocks(each, plan);
  },
  async runTrial({ transport, loop, block }, { plan: { ratePerSecond, messages }, transports, ...others }) {
    const options = { ...others, transport: transports[transport] };
    if (loop === 'open') return { loop, block, ...(await runOpenTrial({ ...options, ratePerSecond, messages })) };
    const trial = await runTrial({ ...options, iterations: messages, warmUpCount: CLOSED_WARM_UP_COUNT });
    return { loop, ...toRunTrial(trial, block) };
  },
  watchFaults: ({ transports, messages }) => createFaultWatch(transports, { iterations: messages }),
};
