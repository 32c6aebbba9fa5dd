/**
 * What follows from the description of an experiment whose plan comes from a form and from a link.
 */
import { InvalidInputError } from '../base/invalid-input.js';
import { formatFields, hasFields, parseFields, quote } from './fields.js';
import { formatMarkdown } from './report.js';

/**
 * @import { Described, Experiment, PlanLink, PlannedParts } from './contract.js'
 * @import { Fields } from './fields.js'
 */

/**
 * @typedef {Pick<PlanLink, 'parsePlan' | 'formatPlan' | 'linkPath'> &
 *   Pick<Described, 'planPath' | 'formatMarkdown'>} Following what follows
 * @typedef {PlannedParts & Omit<Experiment, keyof Following> & Partial<Following>} Parts
 */

/**
 * @template {Parts} E
 * @param {E} parts its parts, which go before what follows
 * @returns {E & Following}
 */
export function planned(parts) {
  const { fields, path, checkPlan } = parts;
  /** @type {Following} */
  const following = {
    parsePlan: (query, { seed }) => parsePlan(query, { fields, seed, checkPlan }),
    formatPlan: (plan) => formatFields(plan, fields),
    linkPath: (plan) => `${path}?${experiment.formatPlan(plan)}`,
    planPath: ({ plan }) => experiment.linkPath(plan),
    formatMarkdown: (document) => formatMarkdown(experiment, document),
  };
  const experiment = Object.freeze({ ...following, ...parts });
  return experiment;
}

/**
 * @param {URLSearchParams} query
 * @param {{ fields: Fields, seed: number, checkPlan?: (plan: any) => void }} options
 * @returns {any} a plan; absent where the query is about none
 * @throws {InvalidInputError} what, expected, got
 */
function parsePlan(query, { fields, seed, checkPlan }) {
  // As if nothing had been asked for: a command's option has another name than the link's parameter.
  const misnamed = Object.values(fields).find(
    ({ option, parameter }) => option !== parameter && query.has(option ?? ''),
  );
  if (misnamed) {
    const { option = '', parameter } = misnamed;
    throw new InvalidInputError(`${option}: expected ${parameter}, got ${option} ${quote(query.get(option))}`);
  }
  if (!hasFields(query, fields)) return undefined;
  const plan = parseFields(query, fields, { seed });
  checkPlan?.(plan);
  return plan;
}
