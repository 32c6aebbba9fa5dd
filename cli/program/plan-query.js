/**
 * What `--plan` may be: a link, its query, or the name of a file with a run's JSON.
 */
import { readFile } from 'node:fs/promises';
import { hasFields } from '../../core/experiment/fields.js';
import { LOADERS } from '../../core/experiments/index.js';
import { UsageError } from './errors.js';

/** @import { Fields } from '../../core/experiment/fields.js' */

/**
 * @param {string} text
 * @param {object} options
 * @param {Fields} options.fields any of these makes a text without a host a query
 * @param {string} options.experiment whose run a file holds
 * @returns {Promise<URLSearchParams>}
 * @throws {UsageError | RangeError} what, expected, got
 */
export async function readPlanQuery(text, { fields, experiment }) {
  if (/^https?:/.test(text) && URL.canParse(text)) return new URL(text).searchParams;
  const query = new URLSearchParams(text);
  if (text.startsWith('?') || hasFields(query, fields) || query.has('preset')) return query;
  const json = await readPlanFile(text);
  const [valibot, { parseDocument }, kind] = await Promise.all([
    import('valibot'),
    import('../../core/experiment/documents/parse-document.js'),
    LOADERS[experiment](),
  ]);
  return new URL(kind.planPath(parseDocument(json, valibot, kind)), 'http://localhost').searchParams;
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
