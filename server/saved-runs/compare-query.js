import { QueryError } from './list-query.js';

export const MAX_COMPARED = 10;

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
  throw new QueryError('ids', `expected 1 to ${MAX_COMPARED} ids of saved runs, got ${length || 'none'}`);
}
