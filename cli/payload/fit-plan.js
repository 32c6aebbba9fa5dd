import { fitBudget } from '../../core/experiments/payload/budget.js';
import { formatSize } from '../../core/experiments/payload/format-size.js';
import { UsageError } from '../program/errors.js';

/**
 * @import { PayloadPlan } from '../../core/experiments/payload/plan.js'
 * @import { Speed } from '../../core/experiments/payload/speed.js'
 * @import { Budget } from './options.js'
 */

/** Why a size is struck out, as the option that would keep it. */
const OPTIONS = Object.freeze({ time: '--budget-s', bytes: '--budget-mb' });

/**
 * Strikes out what a run over sizes may not cost.
 *
 * @param {PayloadPlan} plan
 * @param {object} options
 * @param {Speed} options.speed of the way, as a short look found it
 * @param {Budget} options.budget
 * @returns {{ plan: PayloadPlan, words: string }} what is left, what that costs, and what it is left without
 * @throws {UsageError} where nothing is left
 */
export function fitPlan(plan, { speed, budget: { bytes = Infinity, ms = Infinity } }) {
  const fit = fitBudget(plan, { speed, budgetBytes: bytes, budgetMs: ms });
  const struckOut = fit.struckOut.map(
    ({ size, why }) => `${formatSize(size)} (${why.map((reason) => OPTIONS[reason]).join(', ')})`,
  );
  if (fit.sizes.length === 0) {
    throw new UsageError(
      `Expected a budget that the smallest size fits, but all are struck out: ${struckOut.join(', ')}`,
    );
  }
  const seconds = Math.max(1, Math.round(fit.durationMs / 1000));
  const cost = `${(fit.byteCount / 1e6).toFixed(1)} MB to and fro, about ${seconds} s.`;
  const without = struckOut.length > 0 ? ` Struck out by the budget: ${struckOut.join(', ')}.` : '';
  return { plan: { ...plan, sizes: fit.sizes }, words: `${cost}${without}` };
}
