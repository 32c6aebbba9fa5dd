/**
 * What `--plan` may be: a link, its query, or the name of a file with a run's JSON.
 */
import { readFile } from 'node:fs/promises';
import { hasFields } from '../../core/experiment/fields.js';
import { UsageError } from '../program/errors.js';

/** @import { Experiment } from '../../core/experiment/contract.js' */

/**
 * @param {string} text
 * @param {object} options
 * @param {Experiment} options.experiment whose run a file holds; any of its fields makes a text without a host a query
 * @param {(url: URL) => URLSearchParams} [options.queryOf] a link's
 * @returns {Promise<URLSearchParams>}
 * @throws {UsageError | RangeError} what, expected, got
 */
export async function readPlanQuery(text, { experiment, queryOf = ({ searchParams }) => searchParams }) {
  if (/^https?:/.test(text) && URL.canParse(text)) return queryOf(new URL(text));
  const query = new URLSearchParams(text);
  if (text.startsWith('?') || hasFields(query, experiment.fields) || query.has('preset')) return query;
  const json = await readPlanFile(text);
  const [valibot, { parseDocument }] = await Promise.all([
    import('valibot'),
    import('../../core/experiment/documents/check.js'),
  ]);
  return queryOf(new URL(experiment.planPath(parseDocument(json, valibot, experiment)), 'http://localhost'));
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
