/**
 * The fields of a plan on the command line: their options, their lines of the help, and the plan itself: that of `--plan`,
 * where there is one; the options beside it go before it.
 */
import { InvalidInputError } from '../../core/base/invalid-input.js';
import { createSeed } from '../../core/base/random.js';
import { UsageError } from './errors.js';
import { readPlanQuery } from './plan-query.js';
import { TEXT } from './read-words.js';

/** @import { Field, Fields } from '../../core/experiment/fields.js' */

/** @param {Field} field */
const optionOf = ({ option, parameter }) => option ?? parameter;

/**
 * @param {Fields} fields
 * @returns {Record<string, typeof TEXT>} as `readWords` takes them
 */
export function optionsOf(fields) {
  return Object.fromEntries(Object.values(fields).map((field) => [optionOf(field), TEXT]));
}

/**
 * @param {Fields} fields
 * @returns {string} a line for each, without the last end of line
 */
export function formatOptions(fields) {
  return Object.values(fields).map(formatOption).join('\n');
}

/** @param {Field} field */
function formatOption(field) {
  const { type, unit = 'n', help, default: value } = field;
  const argument = type === 'names' ? 'A,B,...' : `${unit.toUpperCase()}${type === 'integers' ? ',...' : ''}`;
  const given = `  --${optionOf(field)} ${argument}`.padEnd(COLUMN);
  const what = type === 'names' ? `of ${Object.keys(field.choices).join(', ')}${help ? `, ${help}` : ''}` : help;
  const gap = type === 'names' ? `;\n${' '.repeat(COLUMN)}` : '; ';
  return given + [what, value !== undefined && `by default ${value}`].filter(Boolean).join(gap);
}

/** Where the explanations of the help begin. */
const COLUMN = 24;

/**
 * @param {Record<string, unknown>} values that stood on the command line, by option
 * @param {Fields} fields
 * @returns {Record<string, string | undefined>} those of the fields, by parameter of a plan's link
 */
export function givenOf(values, fields) {
  return Object.fromEntries(
    Object.values(fields).map((field) => [
      field.parameter,
      /** @type {string | undefined} */ (values[optionOf(field)]),
    ]),
  );
}

/**
 * @template P
 * @param {Record<string, string | undefined>} given what stood on the command line, by parameter of a plan's link
 * @param {object} options
 * @param {string} [options.plan] what stood after `--plan`
 * @param {string} options.subject what the plan is of
 * @param {string} options.experiment its name
 * @param {Fields} options.fields
 * @param {(query: URLSearchParams, options: { seed: number }) => P | undefined} options.parsePlan absent where the query is
 *   about no plan; throws an error that begins with the parameter
 * @returns {Promise<P>}
 * @throws {UsageError | InvalidInputError} what, expected, got
 */
export async function readPlan(given, { plan, subject, experiment, fields, parsePlan }) {
  const seed = createSeed();
  const query = plan === undefined ? new URLSearchParams() : await readPlanQuery(plan, { fields, experiment });
  if (plan !== undefined && !parsePlan(query, { seed })) {
    throw new UsageError(`--plan: expected a link with a plan of ${subject}, got one without`);
  }
  for (const [parameter, text] of Object.entries(given)) if (text !== undefined) query.set(parameter, text);
  // A link that says nothing is about no plan.
  if (!query.has('seed')) query.set('seed', String(seed));
  try {
    return /** @type {P} */ (parsePlan(query, { seed }));
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new InvalidInputError(nameOption(message, { given, fields }), { cause: error });
  }
}

/**
 * @param {string} message that begins with a parameter
 * @param {{ given: Record<string, string | undefined>, fields: Fields }} options
 * @returns {string} with the option in its place, where it stood on the command line
 */
function nameOption(message, { given, fields }) {
  const [parameter] = message.split(':', 1);
  const field = Object.values(fields).find((one) => one.parameter === parameter);
  return field && given[parameter] !== undefined ? `--${optionOf(field)}${message.slice(parameter.length)}` : message;
}
