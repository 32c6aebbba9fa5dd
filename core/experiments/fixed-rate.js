/**
 * Fixed rate: messages by a plan, whatever came back (an open loop), beside the back-to-back loop (a closed one) of as many
 * messages. In a closed loop a stall is one slow sample, and what would have been sent meanwhile is left out; here it is in
 * as many samples as were due meanwhile.
 */
import { createRandom, shuffle } from '../random.js';
import { createFaultWatch } from '../run-faults.js';
import { runTrial } from '../trial.js';
import { runOpenTrial } from './open-trial.js';

export const SCHEMA = 'sockshootout/fixed-rate/1';

/** Of a back-to-back trial, as on the home page. */
const CLOSED_WARM_UP_COUNT = 3;

/**
 * @typedef {'open' | 'closed'} Loop by the plan, or back-to-back
 *
 * @typedef {import('./open-trial.js').OpenTrial & { loop: 'open', block: number }} OpenLoopTrial
 * @typedef {import('../run.js').RunTrial & { loop: 'closed' }} ClosedLoopTrial
 * @typedef {OpenLoopTrial | ClosedLoopTrial} LoopTrial `block` counts from 0; `startedAtMs` counts from the run's start
 *
 * @typedef {object} FixedRateRun
 * @property {LoopTrial[]} trials in the order in which they were made
 * @property {import('../run.js').Ending} [ending] absent where the plan was carried out
 */

/**
 * @param {object} options
 * @param {import('./fixed-rate-plan.js').FixedRatePlan} options.plan
 * @param {Record<string, import('../transports/index.js').Transport>} options.transports by name
 * @param {import('../clock.js').Now} options.now
 * @param {import('./open-trial.js').SleepUntil} options.sleepUntil
 * @param {(trial: PlannedTrial, progress: import('../trial.js').Progress) => void} [options.onTrialStart]
 * @param {(run: FixedRateRun) => Promise<void> | void} [options.onTrialEnd] waited for, outside every timed part
 * @param {number} [options.timeoutMs] limit of one answer
 * @param {AbortSignal} [options.signal] ends the run, with an Ending as its reason
 * @returns {Promise<FixedRateRun>} whatever happens, what was measured until then
 */
export async function measureFixedRate({ plan, transports, onTrialStart, onTrialEnd, ...options }) {
  const { now, signal } = options;
  const faults = createFaultWatch(plan.transports);
  /** @type {FixedRateRun} */
  const run = { trials: [] };
  const startedAtMs = now();
  for (const planned of trialsOf(plan)) {
    if (signal?.aborted) return { ...run, ending: signal.reason };
    const progress = { completedCount: 0 };
    onTrialStart?.(planned, progress);
    const trial = await runPlanned(planned, plan, { ...options, transport: transports[planned.transport], progress });
    run.trials.push({ ...trial, startedAtMs: trial.startedAtMs - startedAtMs });
    run.ending = signal?.aborted ? signal.reason : faults.look(asSeen(trial, plan), trial.block);
    await onTrialEnd?.(run);
    if (run.ending) return run;
  }
  return run;
}

/** @typedef {{ transport: string, loop: Loop, block: number }} PlannedTrial */

/**
 * @param {Pick<import('./fixed-rate-plan.js').FixedRatePlan, 'transports' | 'blocks' | 'seed'>} plan
 * @returns {PlannedTrial[]}
 */
export function trialsOf({ transports, blocks, seed }) {
  const random = createRandom(seed);
  const each = transports.flatMap((transport) =>
    /** @type {const} */ (['open', 'closed']).map((loop) => ({ transport, loop })),
  );
  return Array.from({ length: blocks }, (_, block) => shuffle(each, random).map((one) => ({ ...one, block }))).flat();
}

/**
 * @param {PlannedTrial} planned
 * @param {import('./fixed-rate-plan.js').FixedRatePlan} plan
 * @param {Omit<Parameters<typeof runOpenTrial>[0], 'ratePerSecond' | 'messages'>} options
 * @returns {Promise<LoopTrial>}
 */
async function runPlanned({ loop, block }, { ratePerSecond, messages }, options) {
  if (loop === 'open') return { loop, block, ...(await runOpenTrial({ ...options, ratePerSecond, messages })) };
  const trial = await runTrial({ ...options, iterations: messages, warmUpCount: CLOSED_WARM_UP_COUNT });
  const { transport, protocol, setUpMs, requests, server, startedAtMs, samples, failures } = trial;
  return { loop, block, transport, protocol, setUpMs, requests, server, startedAtMs, samples, failures };
}

/**
 * As the watch of a run knows trials.
 *
 * @param {LoopTrial} trial
 * @param {import('./fixed-rate-plan.js').FixedRatePlan} plan
 * @returns {import('../run-faults.js').Seen}
 */
export function asSeen(trial, { messages }) {
  const { transport, samples, failures } = trial;
  const { iteration, sentAtMs } = samples;
  const server = trial.loop === 'closed' ? trial.server : undefined;
  return { transport, failures, server, iterations: messages, samples: { iteration, sentAtMs, roundTripMs: [] } };
}
