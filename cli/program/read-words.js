import { parseArgs } from 'node:util';
import { UsageError } from './errors.js';

/** @import { ParseArgsConfig } from 'node:util' */

/** What an option is followed by: a value, or nothing. */
export const TEXT = Object.freeze({ type: /** @type {const} */ ('string') });
export const FLAG = Object.freeze({ type: /** @type {const} */ ('boolean') });

/**
 * @template {NonNullable<ParseArgsConfig['options']>} O
 * @param {string[]} words that stood on the command line
 * @param {O} options that there are
 * @returns {ReturnType<typeof parseArgs<{ args: string[], options: O }>>['values']} by option
 * @throws {UsageError} for any other
 */
export function readWords(words, options) {
  try {
    return parseArgs({ args: words, options }).values;
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}
