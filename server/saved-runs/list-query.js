/**
 * Which saved runs a page or a program asks for, and where its next page begins.
 */
import * as v from 'valibot';
import { formatIssue } from '../../core/documents/format-issue.js';
import { KINDS } from '../../core/documents/index.js';
import { RUN_ID } from '../../core/run-id.js';
import { LABELS } from '../../core/transports/labels.js';

export const PAGE_LENGTH = 50;
const MAX_TEXT = 200;
const SAVED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const text = v.pipe(
  v.string(),
  v.maxLength(MAX_TEXT),
  v.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'expected text without control characters'),
);
const cursor = v.pipe(
  text,
  v.transform(parseCursor),
  v.check((place) => place !== undefined, 'expected the `next` of a page'),
);

/** By the names that stand in an address; an empty field of a form asks for nothing. */
export const listQuerySchema = v.strictObject({
  experiment: v.optional(v.picklist(KINDS.map(({ experiment }) => experiment))),
  transport: v.optional(v.picklist(Object.keys(LABELS))),
  place: v.optional(text),
  label: v.optional(text),
  server: v.optional(text),
  valid: v.optional(v.picklist(['true', 'false'])),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, `expected a whole number from 1 to ${PAGE_LENGTH}`),
      v.transform(Number),
      v.minValue(1),
      v.maxValue(PAGE_LENGTH),
    ),
  ),
  cursor: v.optional(cursor),
});

/** Why a query is none, and which of its fields. */
export class QueryError extends RangeError {
  /**
   * @param {string} path
   * @param {string} message
   */
  constructor(path, message) {
    super(`${path}: ${message}`);
    this.path = path;
    this.reason = message;
  }
}

/**
 * @typedef {object} ListQuery
 * @property {import('../store/index.js').Filter} filter
 * @property {{ savedAt: string, id: string }} [before]
 * @property {number} limit
 */

/**
 * @param {Record<string, unknown>} query of an address
 * @returns {ListQuery}
 * @throws {QueryError}
 */
export function parseListQuery(query) {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const { output, issues } = v.safeParse(listQuerySchema, given, { abortEarly: true });
  if (issues) throw new QueryError(v.getDotPath(issues[0]) ?? '', formatIssue(issues[0]));
  const { valid, limit = PAGE_LENGTH, cursor: before, ...filter } = output;
  return { filter: { ...filter, ...(valid && { isValid: valid === 'true' }) }, before, limit };
}

/**
 * @param {{ savedAt: string, id: string }} run the last of a page
 * @returns {string} for the address of the next one
 */
export function formatCursor({ savedAt, id }) {
  return Buffer.from(`${savedAt} ${id}`).toString('base64url');
}

/** @param {string} given */
function parseCursor(given) {
  const [savedAt, id, ...rest] = Buffer.from(given, 'base64url').toString().split(' ');
  const isRight = SAVED_AT.test(savedAt) && RUN_ID.test(id) && rest.length === 0;
  return isRight ? { savedAt, id } : undefined;
}
