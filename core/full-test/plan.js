/** Defines what a full test measures, and its link: the visitor's situation, and the plan of each part. */
import { parseField, parseFields, formatFields, names } from '../experiment/plan/fields.js';
import { longest } from '../experiment/plan/blocks.js';
import { formatPlan, parsePlan } from '../experiment/plan/plan-link.js';
import { ELSEWHERE_RTT_MS } from '../experiment/run/scope.js';
import { SITUATION_FIELDS } from '../experiment/plan/situation.js';

/**
 * @import { Experiment, FullTestPart, KnownPath, Planned } from '../experiment/contract.js'
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

/**
 * @param {readonly PlannedPart[]} parts @param {number} roundTripMs over HTTP @param {KnownPath} [path]
 * @returns {number} seconds, about
 */
export const secondsOf = (parts, roundTripMs, path) =>
  parts.reduce((sum, { experiment, plan }) => sum + experiment.fullTest.secondsOf(plan, roundTripMs, path), 0);

/**
 * @param {readonly PlannedPart[]} parts @param {number} roundTripMs over HTTP @param {KnownPath} [path]
 * @returns {string} such as '25–50 s': if all answers are soon clear, and if none is before its end
 */
export const describeDuration = (parts, roundTripMs, path) =>
  sayBetween(secondsOf(parts, roundTripMs, path), secondsOf(longestOf(parts), roundTripMs, path));

/** The round-trip time of whoever is beside the server. */
const BESIDE_RTT_MS = 1;

/**
 * Describes how long parts take wherever visitors are.
 * @param {(roundTripMs: number) => readonly PlannedPart[]} partsAt
 * @returns {string} such as '20–30 s': beside the server if answers are soon clear, and on another continent if none is before its end
 */
export const describeRange = (partsAt) =>
  sayBetween(
    secondsOf(partsAt(BESIDE_RTT_MS), BESIDE_RTT_MS),
    secondsOf(longestOf(partsAt(ELSEWHERE_RTT_MS)), ELSEWHERE_RTT_MS),
  );

/**
 * Describes how long messages take wherever visitors are, one after the other.
 * @param {number} count @returns {string} such as '5–15 s'
 */
export const describeRoundTrips = (count) =>
  sayBetween((count * BESIDE_RTT_MS) / 1000, (count * ELSEWHERE_RTT_MS) / 1000);

/** @param {readonly PlannedPart[]} parts @returns {PlannedPart[]} as if no answer were clear before the end */
const longestOf = (parts) => parts.map((part) => ({ ...part, plan: longest(part.plan) }));

/**
 * Says a duration in one unit.
 * @param {number} leastSeconds @param {number} mostSeconds
 * @returns {string} 'about 1 min' where both are the same, as far as it can be known, and 'up to 3 min' where they have two units
 */
function sayBetween(leastSeconds, mostSeconds) {
  const [least, most] = [leastSeconds, mostSeconds].map(roundDuration);
  if (least.unit !== most.unit) return `up to ${Math.ceil(mostSeconds / 60)} min`;
  const words = `${most.count} ${most.unit}`;
  return least.count === most.count ? `about ${words}` : `${least.count}–${words}`;
}

/** To 5 s, and from a minute on to a minute. @param {number} seconds @returns {{ count: number, unit: 's' | 'min' }} */
function roundDuration(seconds) {
  const rounded = 5 * Math.max(1, Math.round(seconds / 5));
  return rounded < 60 ? { count: rounded, unit: 's' } : { count: Math.round(seconds / 60), unit: 'min' };
}
