/** Defines the schema of a saved run under load. */
import { bytesOf, hasProbe, isFitted, LOADS, PROBES } from './plan.js';

/**
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { UnderLoadPlan } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} UnderLoadTrial
 * @typedef {UnderLoadTrial['probed'][number]} Probed
 * @typedef {NonNullable<UnderLoadTrial['transfer']>} Transferred
 * @typedef {ExperimentDocument<UnderLoadPlan, UnderLoadTrial>} UnderLoadDocument
 */

/** More than the longest transfer has room for. */
const MAX_PROBES = 1000;
const ROUNDING_MS = 1e-3;

/**
 * Defines the schema of a trial; docs/results-format.md explains each field.
 * @param {Valibot} v @param {DocumentFields} fields
 */
export function trialSchema(v, { text, ms, count, failure: { outcome, message } }) {
  const times = v.pipe(v.array(ms), v.maxLength(MAX_PROBES));
  const probed = v.strictObject({
    transport: v.picklist(Object.keys(PROBES)),
    protocol: v.optional(text),
    samples: v.pipe(
      v.strictObject({ plannedAtMs: times, sentAtMs: times, endedAtMs: times }),
      v.check(
        ({ plannedAtMs: { length }, sentAtMs, endedAtMs }) => length === sentAtMs.length && length === endedAtMs.length,
        'expected as many times planned, sent and ended',
      ),
    ),
    // The time is absent if the probe could not connect, or its warm-up failed.
    failures: v.pipe(
      v.array(v.strictObject({ outcome, message, plannedAtMs: v.optional(ms) })),
      v.maxLength(MAX_PROBES),
    ),
  });
  return v.strictObject({
    block: count,
    load: v.picklist(Object.keys(LOADS)),
    protocol: v.optional(text),
    startedAtMs: ms,
    // Times count from the trial's start.
    elapsedMs: ms,
    // From the receiver's first byte to its last; absent without load, or if it failed.
    transfer: v.optional(v.strictObject({ byteCount: count, firstMs: ms, lastMs: ms, maxUnsentBytes: count })),
    probed: v.pipe(v.array(probed), v.maxLength(Object.keys(PROBES).length)),
    failure: v.optional(v.strictObject({ outcome, message })),
  });
}

/** @param {UnderLoadTrial} trial @param {{ plan: UnderLoadPlan }} run @returns {string | undefined} what was expected */
export function faultOf({ load, transfer, probed, failure, elapsedMs }, { plan }) {
  if (!isFitted(plan)) return 'expected a plan whose sizes are fitted';
  const expected = plan.transports.filter((probe) => hasProbe(load, probe));
  if (probed.map(({ transport }) => transport).join() !== expected.join()) return 'expected the probes of the plan';
  if (LOADS[load].direction && !transfer && !failure) return 'expected a transfer, or why there was none';
  if (transfer && !(isOfPlan(transfer, load, plan) && areRising([transfer.firstMs, transfer.lastMs]))) {
    return 'expected a transfer of the plan’s size, whose first byte came before its last';
  }
  for (const { samples } of probed) {
    const { plannedAtMs, sentAtMs, endedAtMs } = samples;
    if (!areRising(plannedAtMs)) return 'expected probes in the order of the plan';
    const areInOrder = plannedAtMs.every((plannedMs, i) =>
      areRising([plannedMs, sentAtMs[i], endedAtMs[i], elapsedMs]),
    );
    if (!areInOrder) return 'expected probes planned, sent and answered, in that order';
  }
  return undefined;
}

/**
 * One in chunks ends with its trial, though the rest has not been sent.
 * @param {Transferred} transfer @param {string} load @param {UnderLoadPlan} plan
 */
const isOfPlan = ({ byteCount }, load, plan) =>
  LOADS[load].chunkBytes ? byteCount > 0 && byteCount <= bytesOf(load, plan) : byteCount === bytesOf(load, plan);

/** @param {readonly number[]} times */
const areRising = (times) => times.every((ms, i) => i === 0 || times[i - 1] <= ms + ROUNDING_MS);
