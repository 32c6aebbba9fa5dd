/**
 * What `--plan` may be: a link, its query, or the name of a file with a run's JSON.
 */
import { readFile } from 'node:fs/promises';
import { UsageError } from './errors.js';

/**
 * @param {string} text
 * @param {object} options
 * @param {readonly string[]} options.parameters any of these makes a text without a host a query
 * @param {(json: string) => Promise<string>} options.queryOf a file's; rejects with a RangeError where it is no run
 * @returns {Promise<URLSearchParams>}
 * @throws {UsageError | RangeError} what, expected, got
 */
export async function readPlanQuery(text, { parameters, queryOf }) {
  if (/^https?:/.test(text) && URL.canParse(text)) return new URL(text).searchParams;
  const query = new URLSearchParams(text);
  if (text.startsWith('?') || parameters.some((parameter) => query.has(parameter))) return query;
  return new URLSearchParams(await queryOf(await readPlanFile(text)));
}

/** @param {string} file */
async function readPlanFile(file) {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `--plan: expected a link, its query or a readable file, got “${file}”: ${/** @type {Error} */ (error).message}`,
    );
  }
}
