/** Defines what a full test measures, and its link: the visitor's situation, and the plan of each part. */
import { parseField, parseFields, formatFields, names } from '../experiment/plan/fields.js';
import { formatPlan, parsePlan } from '../experiment/plan/plan-link.js';
import { SITUATION_FIELDS } from '../experiment/plan/situation.js';

/**
 * @import { Experiment, FullTestPart, Planned } from '../experiment/contract.js'
 * @import { Situation } from '../experiment/plan/situation.js'
 * @typedef {Planned & { fullTest: FullTestPart }} Member an experiment that can be a part
 * @typedef {{ experiment: Member, plan: any }} PlannedPart
 * @typedef {{ situation: Situation, parts: readonly PlannedPart[] }} FullTestPlan
 * @typedef {{ roundTripMs: number, seed: number }} Path `roundTripMs`: over HTTP
 */

/** @param {readonly Experiment[]} experiments @returns {Member[]} those that can be a part, in the order of its lines */
export const membersOf = (experiments) =>
  /** @type {Member[]} */ (experiments.filter(({ fullTest }) => fullTest !== undefined));

/** @param {Member} member @param {Situation} situation @returns {boolean} is it measured, if nothing else is chosen? */
export const isDefault = ({ fullTest: { isNeeded = () => true, isExtra = false } }, situation) =>
  !isExtra && isNeeded(situation);

/**
 * Whether the situation is about an experiment, so that the decision needs it.
 * @param {Member} member @param {Situation} situation
 */
export const isNeeded = ({ fullTest }, situation) => fullTest.isNeeded?.(situation) ?? false;

/** Declares the field of the tests that a full test makes. @param {readonly Member[]} members */
export const testsField = (members) =>
  names({
    one: 'test',
    parameter: 'tests',
    label: 'Tests',
    help: 'what is measured',
    choices: Object.fromEntries(members.map(({ name, fullTest }) => [name, fullTest.question])),
  });

/** @param {URLSearchParams} query @returns {boolean} does a link have any part of a situation? */
export const isFullTestLink = (query) =>
  Object.values(SITUATION_FIELDS).some(({ parameter }) => query.has(parameter)) || query.has('tests');

/**
 * Parses a link; what is missing has its default, and a part without a plan its quick plan.
 * @param {URLSearchParams} query @param {readonly Member[]} members @param {Path} path
 * @returns {FullTestPlan} @throws {InvalidInputError} what, expected, got
 */
export function parseFullTest(query, members, path) {
  const situation = parseFields(query, SITUATION_FIELDS);
  const chosen = chooseMembers(query, members, situation);
  return { situation, parts: chosen.map((member) => planPart(query, member, { situation, path })) };
}

/**
 * @param {URLSearchParams} query @param {readonly Member[]} members @param {Situation} situation
 * @returns {Member[]} @throws {InvalidInputError}
 */
function chooseMembers(query, members, situation) {
  const standard = members.filter((member) => isDefault(member, situation)).map(({ name }) => name);
  const chosen = parseField(query.get('tests'), { ...testsField(members), default: standard });
  return members.filter(({ name }) => chosen.includes(name));
}

/**
 * @param {URLSearchParams} query @param {Member} experiment @param {{ situation: Situation, path: Path }} options
 * @returns {PlannedPart}
 */
function planPart(query, experiment, { situation, path }) {
  const linked = query.get(experiment.name);
  const plan = linked === null ? undefined : parsePlan(experiment, new URLSearchParams(linked), { seed: path.seed });
  return { experiment, plan: plan ?? experiment.fullTest.quickPlan(situation, path) };
}

/**
 * Formats the link that makes the same full test.
 * @param {{ situation: Situation, parts: readonly { experiment: Member, plan?: any }[] }} plan a part that was not
 *   measured has no plan
 * @returns {string} path and query
 */
export function linkOf({ situation, parts }) {
  const query = new URLSearchParams(formatFields(situation, SITUATION_FIELDS));
  query.set('tests', parts.map(({ experiment }) => experiment.name).join(','));
  for (const { experiment, plan } of parts) if (plan) query.set(experiment.name, formatPlan(experiment, plan));
  // The home page measures what a situation is about, and no more.
  const path = parts.every(({ experiment }) => experiment.fullTest.isNeeded) ? '/' : '/all';
  // Commas may stand in a query, and are easier to read.
  return `${path}?${query.toString().replaceAll('%2C', ',')}`;
}
