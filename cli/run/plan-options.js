/**
 * The fields of a plan on the command line: their options, their lines of the help, and the plan that they make; they go
 * before the plan of a link.
 */
import { InvalidInputError } from '../../core/base/foreign-text.js';
import { TEXT } from '../program/read-args.js';

/** @import { Field, Fields } from '../../core/experiment/fields.js' */

/** @param {Field} field */
const optionOf = ({ option, parameter }) => option ?? parameter;

/**
 * @param {Fields} fields
 * @returns {Record<string, typeof TEXT>} as `readArgs` takes them
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
  const { label, help, default: value } = field;
  const choices =
    'choices' in field ? `${field.type === 'names' ? '' : 'one '}of ${Object.keys(field.choices).join(', ')}` : '';
  const given = `  --${optionOf(field)} ${argumentOf(field)}`.padEnd(COLUMN);
  const what = [choices, help ?? (choices ? '' : label.toLowerCase())].filter(Boolean).join('; ');
  const usual = value === undefined ? '' : `default: ${value}`;
  return given + [what, usual].filter(Boolean).join(field.type === 'names' ? `;\n${' '.repeat(COLUMN)}` : '; ');
}

/** @param {Field} field */
function argumentOf(field) {
  if (field.type === 'names') return 'A,B,...';
  if (field.type === 'choice') return 'NAME';
  return `${(field.unit ?? 'n').toUpperCase()}${field.type === 'integers' ? ',...' : ''}`;
}

/** Where the explanations of the help begin. */
export const COLUMN = 24;

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
 * @param {Record<string, string | undefined>} given what stood on the command line, by parameter of a plan's link
 * @param {object} options
 * @param {URLSearchParams} options.query of the plan that it goes before; of none where it is empty
 * @param {Fields} options.fields
 * @param {(query: URLSearchParams) => any} options.parsePlan throws an error that begins with the parameter
 * @returns {any} the plan
 * @throws {InvalidInputError} what, expected, got
 */
export function readPlan(given, { query, fields, parsePlan }) {
  const whole = new URLSearchParams(query);
  for (const [parameter, text] of Object.entries(given)) if (text !== undefined) whole.set(parameter, text);
  try {
    return parsePlan(whole);
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
