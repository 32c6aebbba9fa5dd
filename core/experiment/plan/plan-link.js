/** The link of a plan: how its query is read and written, by the fields of its experiment. */
import { InvalidInputError } from '../../base/foreign-text.js';
import { formatFields, hasFields, parseFields, parseGiven, quote } from './fields.js';

/**
 * @import { Experiment, Preset } from '../contract.js'
 * @import { Fields } from './fields.js'
 * @typedef {{ fields: Fields, presets?: readonly Preset[] }} Written what a plan's link is written by
 * @typedef {{ fields: Fields, words: Readonly<Record<string, string>> }} Form of a link: a preset whose plans have fields of their
 *   own begins with the words of its query
 * @typedef {Written & { checkPlan?: (plan: any) => void }} Parsing
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
  checkNames(experiment, query);
  const form = formOf(experiment, (name) => query.get(name));
  const plan = form ? { ...form.words, ...parseFields(query, form.fields) } : parseUsual(experiment, query, seed);
  if (plan) experiment.checkPlan?.(plan);
  return plan;
}

/** @param {Written} experiment @param {any} plan @returns {string} a link's query */
export function formatPlan(experiment, plan) {
  const form = formOf(experiment, (name) => plan[name]);
  return form
    ? `${new URLSearchParams(form.words)}&${formatFields(plan, form.fields)}`
    : formatFields(plan, experiment.fields);
}

/**
 * A command's option would have no effect in a link, as the link's parameter has another name.
 * @param {Written} experiment @param {URLSearchParams} query @throws {InvalidInputError}
 */
function checkNames({ fields }, query) {
  for (const { option = '', parameter } of Object.values(fields)) {
    if (option === parameter || !query.has(option)) continue;
    const reason = `expected ${parameter}, got ${option} ${quote(query.get(option))}`;
    throw new InvalidInputError(reason, { fields: [option] });
  }
}

/**
 * @param {Written} experiment @param {URLSearchParams} query @param {number} [seed]
 * @returns {any} a plan of the experiment's fields; absent for none @throws {InvalidInputError}
 */
function parseUsual({ fields, presets }, query, seed) {
  checkWords(presets, query);
  if (!hasFields(query, fields)) return undefined;
  // Wrong parameters are reported before missing ones.
  parseGiven(query, fields);
  return parseFields(query, fields, { seed });
}

/** @param {readonly Preset[]} [presets] @returns {Form[]} of those whose plans have fields of their own */
const formsOf = (presets = []) =>
  presets.flatMap(({ plan, fields }) =>
    fields ? [{ fields, words: Object.fromEntries(new URLSearchParams(plan)) }] : [],
  );

/**
 * @param {{ presets?: readonly Preset[] }} experiment @param {(name: string) => string | null | undefined} wordOf of a link, or a plan
 * @returns {Form | undefined} absent if it has the experiment's fields
 */
const formOf = ({ presets }, wordOf) =>
  formsOf(presets).find(({ words }) => Object.entries(words).every(([name, word]) => wordOf(name) === word));

/** @param {readonly Preset[] | undefined} presets @param {URLSearchParams} query @throws {InvalidInputError} it asks for another */
function checkWords(presets, query) {
  const words = formsOf(presets).flatMap((form) => Object.entries(form.words));
  const wrong = words.find(([name]) => query.has(name));
  if (!wrong) return;
  const [name, word] = wrong;
  throw new InvalidInputError(`expected ${word}, got ${quote(query.get(name))}`, { fields: [name] });
}

/** @param {Linking} experiment @param {any} plan @returns {string} path and query of the page that makes this plan's run */
export const linkPath = (experiment, plan) =>
  experiment.linkPath?.(plan) ?? `${experiment.path}?${formatPlan(experiment, plan)}`;
