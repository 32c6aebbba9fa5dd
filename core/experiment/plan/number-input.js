/** Numbers of a plan as a form shows them: their label, their unit, and an input as wide as they are. */
import { InvalidInputError } from '../../base/foreign-text.js';
import { describeField, parseField, quote, createFieldError } from './fields.js';

/** @import { IntegerField, IntegersField } from './fields.js' */

/** The maximum width of a list, in characters; it fits a phone. */
const MAX_WIDTH = 24;
const MS = 1000;
/** The names of units, which declarations abbreviate. @type {Readonly<Record<string, string>>} */
const UNIT_NAMES = Object.freeze({ s: 'seconds', ms: 'milliseconds', MB: 'megabytes' });

/**
 * @param {IntegerField | IntegersField} field
 * @returns {{ label: string, value: string, width: number }} `width` in characters
 */
export function describeNumberInput(field) {
  const { label, isInSeconds, zero, empty, default: value, type } = field;
  const { unit, max } = isInSeconds ? inSeconds(field) : field;
  const planned = String(value ?? '');
  const digits = String(max).length;
  return {
    label: [
      unit ? `${label}, in ${UNIT_NAMES[unit] ?? unit}` : label,
      zero && `(0: ${zero})`,
      empty && `(empty: ${empty})`,
    ]
      .filter(Boolean)
      .join(' '),
    value: isInSeconds ? formatSeconds(planned) : planned,
    width: type === 'integer' ? digits : Math.min(MAX_WIDTH, field.maxCount * (digits + 1)),
  };
}

/** @param {string} text milliseconds, as in a link @returns {string} */
export const formatSeconds = (text) =>
  text
    .split(',')
    .map((ms) => (/^\d+$/.test(ms) ? String(Number(ms) / MS) : ms))
    .join(',');

/**
 * Reads the seconds that a visitor typed.
 * @param {string} text @param {IntegerField | IntegersField} field
 * @returns {string} milliseconds, as in a link @throws {InvalidInputError} in seconds
 */
export function parseSeconds(text, field) {
  const ms = text
    .split(',')
    // A number has no more than three decimals, those of a millisecond.
    .map((part) => (/^\s*\d{1,7}(\.\d{1,3})?\s*$/.test(part) ? String(Math.round(Number(part) * MS)) : ''))
    .join(',');
  try {
    parseField(ms, field);
    return ms;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw createFieldError(field, `expected ${describeField(inSeconds(field), 'number')}, got ${quote(text)}`);
  }
}

/** @template {IntegerField | IntegersField} F @param {F} field of milliseconds @returns {F} */
const inSeconds = (field) => ({ ...field, unit: 'seconds', min: field.min / MS, max: field.max / MS });
