/**
 * The command lines of the benches: --help, --json, and numbers.
 */
import { parseArgs } from 'node:util';

/** @import { ParseArgsConfig } from 'node:util' */

/**
 * @template {string} Name
 * @param {Record<Name, { least?: number, most: number, usual: number }>} numbers by option
 * @param {ParseArgsConfig['options']} [others]
 * @returns {{ help: boolean, json: boolean } & Record<Name, number> & Record<string, any>} where they are wrong the
 *   program ends with 2, having said why
 */
export function readOptions(numbers, others = {}) {
  const bounds = Object.entries(numbers);
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        ...Object.fromEntries(bounds.map(([name]) => [name, { type: 'string' }])),
        ...others,
      },
    });
    const parsed = bounds.map(([name, bound]) => [name, parseNumber(name, /** @type {any} */ (values)[name], bound)]);
    return /** @type {any} */ ({ ...values, ...Object.fromEntries(parsed) });
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    process.exit(2);
  }
}

/**
 * @param {string} name
 * @param {unknown} text absent: the usual one
 * @param {{ least?: number, most: number, usual: number }} bound
 * @throws {RangeError} what, expected, got
 */
function parseNumber(name, text, { least = 1, most, usual }) {
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(String(text)) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new RangeError(`--${name}: expected an integer from ${least} to ${most}, got '${text}'`);
}
