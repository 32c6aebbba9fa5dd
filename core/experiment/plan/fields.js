/** The parameters of a plan: a declaration yields a link's parameter, a form's control, an option and a schema. */
import { InvalidInputError, visible } from '../../base/foreign-text.js';
import { MAX_SEED } from '../../base/random.js';
import { transports } from '../../net/echo/index.js';
import { LABELS } from '../answer/labels.js';
import { namesOf } from '../../net/rows.js';

/**
 * @import { GenericSchema } from 'valibot'
 * @import { PlatformRow } from '../../net/echo/index.js'
 * @import { Valibot } from '../../base/valibot.js'
 * @typedef {{ isMet: (list: readonly any[]) => boolean, expected: string, schema: object }} Rule an additional rule
 *   for a list; `expected` follows a comma; `schema`: the same in JSON Schema, as far as that can express it
 * @typedef {object} Common
 * @property {string} parameter in a link; its control has this name
 * @property {string} label of its control; empty if it has no control
 * @property {string} [unit] of its numbers
 * @property {boolean} [isInSeconds] a form shows its milliseconds as seconds
 * @property {string} [zero] what 0 means, for a form
 * @property {string} [empty] what no number means, for a form
 * @property {string} [help] what it means, for the command line
 * @property {string} [option] on the command line, if not the parameter
 * @property {boolean} [isLater] it may be absent from a saved plan, which may be older than the field; without a default, also
 *   from a new one
 * @property {number | string} [before] its value in such a plan, if the plan had one
 * @typedef {{ min: number, max: number }} Range
 * @typedef {Common & Range & { type: 'integer', default?: number }} IntegerField
 * @typedef {Common & Range & { type: 'integers', maxCount: number, isFalling?: boolean, isSequence?: boolean, default?:
 *   readonly number[], rule?: Rule }} IntegersField each once and rising, unless `isFalling`, or a sequence as it was
 *   given
 * @typedef {Common & { type: 'names', one: string, choices: Readonly<Record<string, string>>, isOrdered?: boolean,
 *   default?: readonly string[], more?: { label: string, names: readonly string[] }, rule?: Rule, rows?: Readonly<Record<string,
 *   PlatformRow>> }} NamesField each once; `one`: what a name is of; `rows`: those in core/net of transports, if not those that echo; `choices` has their labels, in the order of tables, which a saved plan must have, too, if
 *   `isOrdered`; `more`: those that few visitors need
 * @typedef {Common & { type: 'choice', choices: Readonly<Record<string, string>>, default?: string, among?: string }} ChoiceField
 *   `among`: the names field before it, by its property, of whose names it is one: by default the first, where its own default is
 *   not chosen
 * @typedef {IntegerField | IntegersField | NamesField | ChoiceField} Field
 * @typedef {Readonly<Record<string, Field>>} Fields by property of the plan, in the order of the link
 */

/**
 * @template {Field} F
 * @typedef {F extends IntegerField ? number : F extends IntegersField ? readonly number[] : F extends ChoiceField ?
 *   string : readonly string[]} ValueOf
 */

/**
 * @template {Fields} F
 * @typedef {{ [K in keyof F]: ValueOf<F[K]> }} PlanOf
 */

/** @param {Omit<IntegerField, 'type'>} options @returns {Readonly<IntegerField>} a whole number */
export const integer = (options) => Object.freeze({ ...options, type: 'integer' });

/**
 * Declares a field of several whole numbers.
 * @param {Omit<IntegersField, 'type'>} options @returns {Readonly<IntegersField>}
 */
export const integers = (options) => Object.freeze({ ...options, type: 'integers' });

/** Declares a field of several names. @param {Omit<NamesField, 'type'>} options @returns {Readonly<NamesField>} */
export const names = (options) => Object.freeze({ ...options, type: 'names' });

/** Declares a field of one name. @param {Omit<ChoiceField, 'type'>} options @returns {Readonly<ChoiceField>} one name */
export const choice = (options) => Object.freeze({ ...options, type: 'choice' });

/** The transports of a plan; one is enough, as most experiments need no baseline. */
export const TRANSPORTS = names({
  parameter: 'transports',
  label: 'Transports',
  one: 'transport',
  choices: LABELS,
  more: {
    label: 'More: SockJS transports for pages on other sites',
    names: namesOf(transports, ({ isForOtherSites }) => isForOtherSites),
  },
  default: ['ajax', 'sockjs'],
});

export const SEED = integer({
  ...{ parameter: 'seed', label: '', min: 0, max: MAX_SEED },
  help: 'sets the random order; default: another one for each run',
});

export const MAX_SAMPLES = 200_000;

/** @param {number} sampleCount @param {readonly string[]} fields whose product it is @throws {InvalidInputError} */
export function checkSampleCount(sampleCount, fields) {
  if (sampleCount <= MAX_SAMPLES) return;
  throw new InvalidInputError(`expected at most ${MAX_SAMPLES} samples, got ${sampleCount}`, { fields });
}

/** @param {URLSearchParams} query @param {Fields} fields @returns {boolean} does the query have any of them? */
export function hasFields(query, fields) {
  return Object.values(fields).some(({ parameter }) => query.has(parameter));
}

/**
 * Parses the fields of a query; missing ones have their default, so a short link is a whole plan.
 * @template {Fields} F @param {URLSearchParams} query @param {F} fields @param {Partial<PlanOf<F>>} [defaults] go first
 * @returns {PlanOf<F>} @throws {InvalidInputError}
 */
export function parseFields(query, fields, defaults = {}) {
  /** @type {Record<string, any>} */
  const values = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = /** @type {typeof field} */ (name in defaults ? { ...field, default: defaults[name] } : field);
    const value = parseField(query.get(field.parameter), fitDefault(given, values));
    if (value !== undefined) values[name] = value;
  }
  return /** @type {PlanOf<F>} */ (values);
}

/** @param {Field} field @param {Record<string, any>} chosen by those before it @returns {Field} */
function fitDefault(field, chosen) {
  /** @type {readonly string[]} */
  const names = (field.type === 'choice' && field.among && chosen[field.among]) || [];
  return field.type !== 'choice' || names.length === 0 || names.includes(String(field.default))
    ? field
    : { ...field, default: names[0] };
}

/**
 * Parses only the fields that a query has.
 * @template {Fields} F @param {URLSearchParams} query @param {F} fields @returns {Partial<PlanOf<F>>}
 * @throws {InvalidInputError}
 */
export function parseGiven(query, fields) {
  const given = Object.entries(fields).filter(([, { parameter }]) => query.has(parameter));
  return /** @type {Partial<PlanOf<F>>} */ (parseFields(query, Object.fromEntries(given)));
}

/**
 * Parses a field: the default if there is no text; lists have commas, and are sorted.
 * @template {Field} F @param {string | null} text @param {F} field @returns {ValueOf<F>} @throws {InvalidInputError}
 */
export function parseField(text, field) {
  const value = text === null ? field.default : readField(text, field);
  if (value !== undefined || (text === null && field.isLater)) return /** @type {ValueOf<F>} */ (value);
  const form = field.type === 'names' || field.type === 'integers' ? ', separated by commas' : '';
  throw createFieldError(field, `expected ${describeField(field)}${form}, got ${quote(text)}`);
}

/** @param {Field} field @param {string} reason expected, got */
export const createFieldError = ({ parameter }, reason) => new InvalidInputError(reason, { fields: [parameter] });

/** @param {string} text @param {Field} field @returns {Field['default']} absent if the text is none */
function readField(text, field) {
  const parts = text.split(',').map((part) => part.trim());
  if (field.type === 'choice') return Object.hasOwn(field.choices, text.trim()) ? text.trim() : undefined;
  if (field.type === 'names') {
    return areNames(parts, field) ? Object.keys(field.choices).filter((name) => parts.includes(name)) : undefined;
  }
  const list = parts.map((part) => (/^\d{1,10}$/.test(part) ? Number(part) : NaN));
  if (field.type === 'integer') return list.length === 1 && isWithin(list[0], field) ? list[0] : undefined;
  const { maxCount, isSequence, isFalling } = field;
  if (!isSequence) list.sort((a, b) => (isFalling ? b - a : a - b));
  if (list.length > maxCount)
    throw createFieldError(field, `expected at most ${maxCount} whole numbers, got ${list.length}`);
  const repeated = isSequence ? undefined : list.find((value, i) => value === list[i - 1]);
  if (repeated !== undefined)
    throw createFieldError(field, `expected each number once, got ${repeated} more than once`);
  return areIntegers(list, field) ? list : undefined;
}

/** @param {number} value @param {Range} range */
const isWithin = (value, { min, max }) => value >= min && value <= max;

/** @param {readonly number[]} list in its order @param {IntegersField} field */
function areIntegers(list, field) {
  const { maxCount, isFalling, isSequence, rule } = field;
  return (
    list.length >= 1 &&
    list.length <= maxCount &&
    list.every((value) => isWithin(value, field)) &&
    list.every((value, i) => isSequence || i === 0 || (isFalling ? value < list[i - 1] : value > list[i - 1])) &&
    rule?.isMet(list) !== false
  );
}

/** @param {readonly string[]} list in any order @param {NamesField} field */
function areNames(list, { choices, rule }) {
  const isEachOnce = list.length >= 1 && new Set(list).size === list.length;
  return isEachOnce && list.every((name) => Object.hasOwn(choices, name)) && rule?.isMet(list) !== false;
}

/** @param {Field} field @param {string} [number] what its numbers are @returns {string} its expected value, for errors */
export function describeField(field, number = 'whole number') {
  const { type } = field;
  const ofUnit = 'unit' in field && field.unit ? ` of ${field.unit}` : '';
  if (type === 'integer')
    return `a ${number}${ofUnit} from ${field.min.toLocaleString('en')} to ${field.max.toLocaleString('en')}`;
  if (type === 'choice') return `one of ${Object.keys(field.choices).join(', ')}`;
  const what =
    type === 'names'
      ? `at least one of ${Object.keys(field.choices).join(', ')}`
      : // Where commas separate numbers, there are none in them.
        `1 to ${field.maxCount} ${number}s${ofUnit} from ${field.min} to ${field.max}`;
  const once = 'isSequence' in field && field.isSequence ? '' : ', each once';
  return `${what}${once}${field.rule ? `, ${field.rule.expected}` : ''}`;
}

/** @param {string | null} text @returns {string} the text, for errors */
export const quote = (text) => (text ? `“${visible(text.slice(0, 60))}”` : 'nothing');

/** @template {Fields} F @param {Partial<PlanOf<F>>} plan @param {F} fields @returns {string} a link's query */
export function formatFields(plan, fields) {
  return Object.entries(fields)
    .map(([name, { parameter, before }]) => [parameter, plan[name] ?? before])
    .filter(([, value]) => value !== undefined)
    .map(([parameter, value]) => `${parameter}=${value}`)
    .join('&');
}

/**
 * @param {Valibot} v @param {Fields} fields @returns {Record<string, GenericSchema>} of the properties of a saved plan
 */
export function schemaOfFields(v, fields) {
  const schemas = Object.entries(fields).map(([name, field]) => {
    const schema = schemaOfField(v, field);
    return [name, field.isLater ? v.optional(schema) : schema];
  });
  return Object.fromEntries(schemas);
}

/** @param {Valibot} v @param {Field} field @returns {GenericSchema} */
function schemaOfField(v, field) {
  if (field.type === 'integer') {
    return v.pipe(v.number(), v.safeInteger(), v.minValue(field.min), v.maxValue(field.max));
  }
  if (field.type === 'integers') {
    const { min, max, maxCount } = field;
    const items = { type: 'integer', minimum: min, maximum: max };
    return v.pipe(
      v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
      v.check(
        (list) => areIntegers(list, field),
        `expected ${describeField(field)}, ${field.isFalling ? 'falling' : 'rising'}`,
      ),
      v.metadata({ minItems: 1, maxItems: maxCount, uniqueItems: true, items, ...field.rule?.schema }),
    );
  }
  const known = Object.keys(field.choices);
  if (field.type === 'choice') return v.picklist(known);
  const isInOrder = (/** @type {string[]} */ list) =>
    list.join() === known.filter((name) => list.includes(name)).join();
  const order = field.isOrdered ? ', in the order of tables' : '';
  return v.pipe(
    v.array(v.picklist(known)),
    v.minLength(1),
    v.check(
      (list) => areNames(list, field) && (!field.isOrdered || isInOrder(list)),
      `expected each once${order}${field.rule ? `, ${field.rule.expected}` : ''}`,
    ),
    v.metadata({ uniqueItems: true, ...field.rule?.schema }),
  );
}
