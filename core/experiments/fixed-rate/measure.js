/**
 * Fixed rate: messages leave on a schedule, whatever came back (an open loop), beside the back-to-back loop (a closed one) of
 * as many messages. In a closed loop a stall is one slow sample, and the messages that would have left during it are left out
 * (coordinated omission); here it is in as many samples as were due during it.
 *
 * A trial is so many messages, not so many seconds: then it holds as many samples at every rate, a percentile has what it
 * needs or has not whatever the rate is, and the back-to-back trial beside it can be made of as many.
 */
import { createRandom, shuffle } from '../../base/random.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { integer } from '../../experiment/fields.js';
import { SEED, TRANSPORTS } from '../../experiment/plan-link.js';
import { labelOf } from '../../net/echo/labels.js';
import { runTrial, toRunTrial } from '../../net/echo/trial.js';
import { runOpenTrial } from './open-trial.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Measurement } from '../../experiment/run.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { LoopTrial } from './index.js'
 * @import { SleepUntil } from './open-trial.js'
 */

/** Of a back-to-back trial, as on the home page. */
const CLOSED_WARM_UP_COUNT = 3;

const LOOPS = /** @type {const} */ (['open', 'closed']);

export const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  // Message i is due i / ratePerSecond after the first.
  ratePerSecond: integer({ parameter: 'rate', label: 'Messages per second', min: 1, max: 1000, default: 50 }),
  messages: integer({ parameter: 'messages', label: 'Messages per trial', min: 2, max: 10_000, default: 100 }),
  // By fewer than the default there is no verdict.
  blocks: integer({ parameter: 'blocks', label: 'Blocks', min: 3, max: 50, default: MIN_BLOCKS }),
  seed: SEED,
});

/**
 * @typedef {PlanOf<typeof FIELDS>} FixedRatePlan each block holds two trials of every transport, by the plan and
 *   back-to-back, in random order
 * @typedef {Pick<LoopTrial, 'transport' | 'loop' | 'block'>} PlannedTrial
 * @typedef {{ plan: FixedRatePlan, transports: Record<string, Transport>, now: Now, sleepUntil: SleepUntil, timeoutMs?:
 *   number, signal?: AbortSignal }} Options `timeoutMs`: limit of one answer
 */

/** Of a run without failures. @param {Pick<FixedRatePlan, 'transports' | 'messages' | 'blocks'>} plan */
export const sampleCountOf = ({ transports, messages, blocks }) => blocks * transports.length * 2 * messages;

/** In a sentence. @param {FixedRatePlan} plan @returns {string} */
export function describeFixedRatePlan({ transports, ratePerSecond, messages, blocks }) {
  const seconds = Math.round((blocks * transports.length * messages) / ratePerSecond);
  return `${blocks} blocks; in each, by each of ${transports.map(labelOf).join(', ')}, ${messages} messages at ${ratePerSecond}/s and as many back-to-back, in random order. Those at the fixed rate take ${seconds} s.`;
}

/** @type {Measurement<Options, PlannedTrial, LoopTrial>} */
export const measurement = {
  schema: 'sockshootout/fixed-rate/1',
  trialsOf({ transports, blocks, seed }) {
    const random = createRandom(seed);
    const each = transports.flatMap((transport) => LOOPS.map((loop) => ({ transport, loop })));
    return Array.from({ length: blocks }, (_, block) => shuffle(each, random).map((one) => ({ ...one, block }))).flat();
  },
  async runTrial({ transport, loop, block }, { plan: { ratePerSecond, messages }, transports, ...others }) {
    const options = { ...others, transport: transports[transport] };
    if (loop === 'open') return { loop, block, ...(await runOpenTrial({ ...options, ratePerSecond, messages })) };
    const trial = await runTrial({ ...options, iterations: messages, warmUpCount: CLOSED_WARM_UP_COUNT });
    return { loop, ...toRunTrial(trial, block) };
  },
  watchFaults: ({ transports, messages }) => createFaultWatch(transports, messages),
};
