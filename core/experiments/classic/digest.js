/** Computes the part of the digest that only a test of 2012 has: its first runs. */
import { DIGEST_LIMITS } from '../../experiment/digest.js';

/**
 * @import { DigestPart } from '../../experiment/contract.js'
 * @import { ClassicResult } from './schema.js'
 */

/** @type {DigestPart} */
export const digestPart = {
  schemaOf(v) {
    const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
    const runs = v.array(v.strictObject({ iterations: count, elapsedMs: v.optional(count) }));
    return v.pipe(runs, v.maxLength(DIGEST_LIMITS.listLength), v.description('The first runs of a classic test'));
  },
  partOf: (/** @type {ClassicResult} */ { runs }) =>
    runs.map(({ trial: { iterations }, elapsedMs }) => ({ iterations, elapsedMs })),
};
