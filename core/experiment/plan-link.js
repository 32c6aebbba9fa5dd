/** Computes what follows from the fields of a plan: how a link's query is read and written. */
import { InvalidInputError } from '../base/foreign-text.js';
import { formatFields, hasFields, parseFields, quote } from './fields.js';

/**
 * @import { Described, PlanLink, PlannedParts } from './contract.js'
 * @typedef {Pick<PlanLink, 'parsePlan' | 'formatPlan' | 'linkPath'>} Link the computed parts
 * @typedef {Pick<PlanLink, 'fields'> & Partial<Link> & Pick<Described, 'path'> & Pick<PlannedParts, 'checkPlan'>} Given
 */

/** @param {Given} parts which replace computed ones @returns {Link} */
export function planLinkOf(parts) {
  const { fields, path } = parts;
  const formatPlan = parts.formatPlan ?? ((/** @type {any} */ plan) => formatFields(plan, fields));
  return {
    parsePlan: (query, { seed }) => parsePlan(parts, query, seed),
    formatPlan,
    linkPath: (plan) => `${path}?${formatPlan(plan)}`,
  };
}

/** @param {Given} parts @param {URLSearchParams} query @param {number} seed */
function parsePlan({ fields, checkPlan }, query, seed) {
  // A command's option would have no effect in a link, as the link's parameter has another name.
  for (const { option = '', parameter } of Object.values(fields)) {
    if (option === parameter || !query.has(option)) continue;
    const reason = `expected ${parameter}, got ${option} ${quote(query.get(option))}`;
    throw new InvalidInputError(reason, { fields: [option] });
  }
  if (!hasFields(query, fields)) return undefined;
  const plan = parseFields(query, fields, { seed });
  checkPlan?.(plan);
  return plan;
}
