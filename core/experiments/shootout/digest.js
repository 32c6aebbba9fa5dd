/** Computes the part of a digest that only shootouts have: the plan, and the verdict's comparison. */
import { VERDICT_LABELS } from '../../experiment/compare.js';
import { challengerOf } from './verdict.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { Comparison, VerdictName } from '../../experiment/compare.js'
 * @import { Valibot } from '../../experiment/document-fields.js'
 * @import { Result } from './index.js'
 * @import { Summary } from './summary.js'
 */

/** @param {Valibot} v */
function comparisonSchema(v) {
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  const interval = v.strictObject({ estimate: v.number(), low: v.number(), high: v.number() });
  const saving = v.pipe(interval, v.description('How much faster a message was, with its 95% confidence interval'));
  return v.strictObject({
    transport: v.string(),
    baseline: v.string(),
    blockCount: count,
    isTooCoarse: v.boolean(),
    statistic: v.picklist(['median', 'mean']),
    savingMs: v.optional(saving),
    speedRatio: v.optional(interval),
    word: v.optional(v.picklist(/** @type {VerdictName[]} */ (Object.keys(VERDICT_LABELS)))),
    neededBlocks: v.optional(count),
  });
}

/** @param {Valibot} v */
export const digestSchema = (v) =>
  v.strictObject({
    plan: /** @type {GenericSchema<any>} */ (v.looseObject({ transports: v.array(v.string()) })),
    comparison: v.optional(comparisonSchema(v)),
  });

/** @param {Summary} summary @param {Result} run */
export function digestOf({ rows }, { plan, ending }) {
  const row = rows.find(({ transport }) => transport === challengerOf(plan));
  return { plan, comparison: ending || !row?.comparison ? undefined : formatComparison(row.comparison) };
}

/**
 * Removes the figures that are in its samples; `word` is the stored name of the verdict.
 * @param {Comparison} comparison
 */
const formatComparison = ({ centres: _, verdict, neededBlocks, ...comparison }) => ({
  ...comparison,
  word: verdict,
  neededBlocks,
});
