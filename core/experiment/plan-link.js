/** The link of a plan: how its query is read and written, by the fields of its experiment. */
import { InvalidInputError } from '../base/foreign-text.js';
import { openPart } from './open-run.js';
import { formatFields, hasFields, parseFields, parseGiven, quote } from './fields.js';

/**
 * @import { Experiment, Preset } from './contract.js'
 * @import { Fields } from './fields.js'
 * @typedef {Preset & { fields: Fields }} OwnFields
 * @typedef {{ fields: Fields, presets?: readonly Preset[], checkPlan?: (plan: any) => void }} Parsing
 * @typedef {object} Linking
 * @property {Fields} fields
 * @property {readonly Preset[]} [presets]
 * @property {string} [path]
 * @property {(plan: any) => string} [linkPath]
 * @property {(document: any) => string} [planPath]
 * @property {Experiment['openStored']} [openStored]
 */

/**
 * @param {Parsing} experiment @param {URLSearchParams} query @param {{ seed?: number }} [options] `seed`: if the query has none
 * @returns {any} the plan; absent for none @throws {InvalidInputError} what, expected, got
 */
export function parsePlan(experiment, query, { seed } = {}) {
  const { fields, checkPlan } = experiment;
  // A command's option would have no effect in a link, as the link's parameter has another name.
  for (const { option = '', parameter } of Object.values(fields)) {
    if (option === parameter || !query.has(option)) continue;
    const reason = `expected ${parameter}, got ${option} ${quote(query.get(option))}`;
    throw new InvalidInputError(reason, { fields: [option] });
  }
  const preset = presetOf(experiment, (name) => query.get(name));
  if (!preset) checkPresets(experiment, query);
  const plan = preset ? { ...wordsOf(preset), ...parseFields(query, preset.fields) } : parseAll(query, fields, seed);
  if (plan) checkPlan?.(plan);
  return plan;
}

/** @param {URLSearchParams} query @param {Fields} fields @param {number} [seed] */
function parseAll(query, fields, seed) {
  if (!hasFields(query, fields)) return undefined;
  // Wrong parameters are reported before missing ones.
  parseGiven(query, fields);
  return parseFields(query, fields, { seed });
}

/** @param {{ fields: Fields, presets?: readonly Preset[] }} experiment @param {any} plan @returns {string} a link's query */
export function formatPlan(experiment, plan) {
  const preset = presetOf(experiment, (name) => plan[name]);
  return preset ? `${preset.plan}&${formatFields(plan, preset.fields)}` : formatFields(plan, experiment.fields);
}

/** @param {{ presets?: readonly Preset[] }} experiment @returns {OwnFields[]} the presets whose plans have fields of their own */
const listOwn = ({ presets = [] }) => /** @type {OwnFields[]} */ (presets.filter(({ fields }) => fields));

/** @param {OwnFields} preset @returns {Record<string, string>} what its plans have from its link */
const wordsOf = ({ plan }) => Object.fromEntries(new URLSearchParams(plan));

/**
 * @param {{ presets?: readonly Preset[] }} experiment @param {(name: string) => string | null | undefined} valueOf of a link, or a plan
 * @returns {OwnFields | undefined} the preset that it is made by, if that has fields of its own
 */
const presetOf = (experiment, valueOf) =>
  listOwn(experiment).find((preset) => Object.entries(wordsOf(preset)).every(([name, word]) => valueOf(name) === word));

/**
 * @param {{ presets?: readonly Preset[] }} experiment @param {URLSearchParams} query
 * @throws {InvalidInputError} it asks for another
 */
function checkPresets(experiment, query) {
  const words = listOwn(experiment).flatMap((preset) => Object.entries(wordsOf(preset)));
  const wrong = words.find(([name]) => query.has(name));
  if (!wrong) return;
  const [name, word] = wrong;
  throw new InvalidInputError(`expected ${word}, got ${quote(query.get(name))}`, { fields: [name] });
}

/** @param {Linking} experiment @param {any} plan @returns {string} path and query of the page that makes this plan's run */
export const linkPath = (experiment, plan) =>
  experiment.linkPath?.(plan) ?? `${experiment.path}?${formatPlan(experiment, plan)}`;

/** @param {Linking} experiment @param {any} document @returns {string} the link that makes the same run */
export const planPath = (experiment, document) =>
  experiment.planPath?.(document) ?? linkPath(experiment, openPart(experiment, document).plan);
