/** Describes the plan of a run over sizes. */
import { capitalize } from '../../base/format.js';
import { listOf } from '../../experiment/compare.js';
import { TRANSFER_LABELS } from '../../experiment/labels.js';
import {
  DIRECTION_LABELS,
  formatSize,
  newTransportsOf,
  PUBLISHED_MESSAGES,
  PUBLISHED_SIZES,
  splitSizes,
  withinBudget,
} from './plan.js';

/** @import { PayloadPlan } from './plan.js' */

/** The maximum number of names in a sentence; others are counted. */
const MAX_LISTED = 3;

/** @param {PayloadPlan} plan @returns {string[]} a sentence; none if every size fits the budget */
export function describeLeftOut(plan) {
  const { leftOut } = splitSizes(plan);
  if (leftOut.length === 0) return [];
  const subject = leftOut.length === 1 ? 'it' : 'they';
  const names = leftOut.map(formatSize).join(', ');
  return [`${names} left out: ${subject} would exceed the budget of ${plan.budget} MB.`];
}

/** @param {PayloadPlan} plan @returns {string} a sentence, and one for what the budget leaves out */
export const describePayloadPlan = (plan) => [describeMeasured(withinBudget(plan)), ...describeLeftOut(plan)].join(' ');

/** @param {PayloadPlan} plan within its budget */
function describeMeasured(plan) {
  const { transports, directions, sizes } = plan;
  const names = sizes.map(formatSize);
  const span =
    sizes.length > MAX_LISTED ? `${sizes.length} sizes from ${names[0]} to ${names.at(-1)}` : names.join(', ');
  const ways = directions.map((direction) => DIRECTION_LABELS[direction].toLowerCase());
  const by = `${listOf(ways)}, by ${nameAll(transports)}`;
  const anew = newTransportsOf(plan).length > 0 ? ', also over a new connection per message' : '';
  if (!plan.preset) return `${capitalize(span)}: ${by}${anew}. ${plan.repeats} blocks in random order.`;
  const each = sizes.map((size) => `${PUBLISHED_MESSAGES[size]} of ${formatSize(size)}`).join(', ');
  const without = PUBLISHED_SIZES.filter((size) => !sizes.includes(size)).map(formatSize);
  return `As published${without.length > 0 ? `, but without ${without.join(', ')}` : ''}: ${each}, back-to-back, in two passes. ${capitalize(by)}.`;
}

/** @param {readonly string[]} transports */
const nameAll = (transports) =>
  transports.length > MAX_LISTED
    ? `${transports.length} transports`
    : listOf(transports.map((name) => TRANSFER_LABELS[name]));
