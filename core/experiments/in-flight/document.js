/** The document of a run with messages in flight. */
import { messagesAt } from './plan.js';

/**
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/run.js'
 * @import { DepthTrial } from './measure.js'
 * @import { DepthPlan } from './plan.js'
 */

/** @typedef {ExperimentDocument<DepthPlan, DepthTrial>} DepthDocument */

/** @param {Valibot} v @param {Fields} fields */
export function trialSchema(v, { text, ms, count, transport, failures }) {
  return v.strictObject({
    block: count,
    transport,
    protocol: v.optional(text),
    depth: count,
    endedAtMs: v.array(ms),
    roundTripMs: v.array(ms),
    iterations: count,
    failures,
  });
}

/**
 * @param {DepthTrial} trial
 * @param {{ isCut: boolean }} run
 * @returns {string | undefined} what was expected
 */
export function faultOf({ depth, iterations, endedAtMs, roundTripMs, failures }, { isCut }) {
  const count = endedAtMs.length;
  const isWhole = count === iterations || isCut || failures.length > 0;
  if (iterations !== messagesAt(depth) || count !== roundTripMs.length || count > iterations || !isWhole) {
    return 'expected as many answers as its depth has messages, or a failure';
  }
  const isRunning = endedAtMs.every((endedMs, i) => i === 0 || endedMs >= endedAtMs[i - 1]);
  return isRunning ? undefined : 'expected answers in their order';
}

export const sampleColumns = [
  'block',
  'trial',
  'transport',
  'protocol',
  'depth',
  'outcome',
  'ended_at_ms',
  'round_trip_ms',
  'message',
];

/** @param {DepthTrial} trial @param {number} index */
export function sampleRows({ block, transport, protocol, depth, endedAtMs, roundTripMs, failures }, index) {
  const place = [block + 1, index + 1, transport, protocol, depth];
  return [
    ...endedAtMs.map((ms, i) => [...place, 'ok', ms.toFixed(3), roundTripMs[i].toFixed(3)]),
    ...failures.map(({ outcome, message }) => [...place, outcome, undefined, undefined, message]),
  ];
}
