import { parseArgs } from 'node:util';
import { UsageError } from './errors.js';

/** @import { ParseArgsConfig } from 'node:util' */

/** What an option is followed by: a value, or nothing. */
export const TEXT = Object.freeze({ type: /** @type {const} */ ('string') });
export const FLAG = Object.freeze({ type: /** @type {const} */ ('boolean') });

/** @typedef {NonNullable<ParseArgsConfig['options']>} ArgOptions */

/**
 * @template {ArgOptions} O
 * @param {string[]} args of the command line
 * @param {O} options that there are
 * @returns {ReturnType<typeof parseArgs<{ args: string[], options: O }>>['values']} by option
 * @throws {UsageError} for any other
 */
export function readArgs(args, options) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}
