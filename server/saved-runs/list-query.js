/** The query for a list of shared runs, and where its next page begins. */
import * as v from 'valibot';
import { BROWSER_NAMES } from '../../core/experiment/names.js';
import { atMost } from '../../core/experiment/documents/fields.js';
import { formatIssue } from '../../core/experiment/documents/check.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { LABELS } from '../../core/net/labels.js';

/** @import { Filter } from '../store/index.js' */

export const PAGE_LENGTH = 50;
export const MAX_COMPARED = 10;
/** As long as what is looked for may be: a label of 80 characters is up to 240 in normal form, a server's name 500. */
const MAX_TEXT = 500;
/** When the last run of a page was saved, and its id. */
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([\w-]{16})$/;
const LIMITS = Array.from({ length: PAGE_LENGTH }, (_, i) => i + 1);

const text = v.pipe(
  v.string(),
  v.regex(
    atMost(MAX_TEXT, '[^\\p{Cc}\\p{Cs}]'),
    `expected at most ${MAX_TEXT} characters of text, without control characters`,
  ),
);
const cursor = v.pipe(v.string(), v.regex(CURSOR, 'expected the `next` of a page'), v.transform(parseCursor));

/** By the names that stand in an address; an empty field of a form asks for nothing. */
export const listQuerySchema = v.strictObject({
  experiment: v.optional(v.picklist(EXPERIMENTS.map(({ name }) => name))),
  transport: v.optional(v.picklist(Object.keys(LABELS))),
  place: v.optional(text),
  label: v.optional(text),
  server: v.optional(text),
  browser: v.optional(v.picklist(BROWSER_NAMES)),
  valid: v.optional(v.picklist(['true', 'false'])),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(`^(?:${LIMITS.join('|')})$`), `expected a whole number from 1 to ${PAGE_LENGTH}`),
      v.transform(Number),
    ),
  ),
  cursor: v.optional(cursor),
});

/** Why a query is none, and which of its fields. */
export class QueryError extends RangeError {
  /** @param {string} path @param {string} message */
  constructor(path, message) {
    super(`${path}: ${message}`);
    this.path = path;
    this.reason = message;
  }
}

/**
 * @typedef {object} ListQuery
 * @property {Filter} filter
 * @property {{ savedAt: string, id: string }} [before]
 * @property {number} limit
 */

/** @param {Record<string, unknown>} query of an address @returns {ListQuery} @throws {QueryError} */
export function parseListQuery(query) {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const { output, issues } = v.safeParse(listQuerySchema, given, { abortEarly: true });
  if (issues) throw new QueryError(v.getDotPath(issues[0]) ?? '', formatIssue(issues[0]));
  const { valid, limit = PAGE_LENGTH, cursor: before, ...filter } = output;
  return { filter: { ...filter, ...(valid && { isValid: valid === 'true' }) }, before, limit };
}

/** @param {{ savedAt: string, id: string }} run the last of a page @returns {string} for the address of the next one */
export function formatCursor({ savedAt, id }) {
  return `${savedAt}~${id}`;
}

/** @param {string} given of the right form */
function parseCursor(given) {
  const [savedAt, id] = given.split('~');
  return { savedAt, id };
}

/**
 * @param {Record<string, unknown>} query of an address: `ids=a,b`, or `ids=a&ids=b` as a form has it
 * @returns {string[]} ids, each once, the baseline first
 * @throws {QueryError}
 */
export function parseCompareQuery({ ids = [] }) {
  const given = [ids].flat().flatMap((text) => String(text).split(','));
  const wanted = [...new Set(given.map((id) => id.trim()))].filter(Boolean);
  const { length } = wanted;
  if (length > 0 && length <= MAX_COMPARED) return wanted;
  throw new QueryError('ids', `expected 1 to ${MAX_COMPARED} IDs of shared runs, got ${length || 'none'}`);
}
