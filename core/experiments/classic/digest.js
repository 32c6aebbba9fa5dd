/** Computes the part of the digest that only a test of 2012 has: its first runs. */
import { DIGEST_LIMITS } from '../../experiment/digest.js';

/**
 * @import { Valibot } from '../../experiment/document-fields.js'
 * @import { ClassicResult } from './schema.js'
 */

/** @param {Valibot} v */
export function digestSchema(v) {
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  const runs = v.array(v.strictObject({ iterations: count, elapsedMs: v.optional(count) }));
  return v.pipe(runs, v.maxLength(DIGEST_LIMITS.listLength), v.description('The first runs of a classic test'));
}

/** @param {ClassicResult} result */
export const digestOf = ({ runs }) => runs.map(({ trial: { iterations }, elapsedMs }) => ({ iterations, elapsedMs }));
