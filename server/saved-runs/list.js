/** A list of shared runs: what may be asked of it, and what it shows of a run, from the result of a single query. */
import * as v from 'valibot';
import { formatMinute, formatNumber, formatWithInterval } from '../../core/base/format.js';
import { visibleThroughout } from '../../core/base/foreign-text.js';
import { BROWSER_NAMES } from '../../core/experiment/names.js';
import { atMost } from '../../core/experiment/documents/fields.js';
import { formatIssue } from '../../core/experiment/documents/check.js';
import { EXPERIMENTS, findExperiment } from '../../core/experiments/all.js';
import { labelOf, LABELS } from '../../core/net/labels.js';

/**
 * @import { Interval } from '../../core/base/statistics.js'
 * @import { SavedRun } from '../store/index.js'
 */

const PAGE_LENGTH = 50;
export const MAX_COMPARED = 10;
/** As long as what is looked for may be: a label of 80 characters is up to 240 in normal form, a server's name 500. */
const MAX_TEXT = 500;

const text = v.pipe(
  v.string(),
  v.regex(
    atMost(MAX_TEXT, '[^\\p{Cc}\\p{Cs}]'),
    `expected at most ${MAX_TEXT} characters of text, without control characters`,
  ),
);

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
      v.regex(/^([1-9]|[1-4]\d|50)$/, `expected a whole number from 1 to ${PAGE_LENGTH}`),
      v.transform(Number),
    ),
  ),
  // When the last run of a page was saved, and its id.
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~[\w-]{16}$/, 'expected the `next` of a page'),
      v.transform((cursor) => ({ savedAt: cursor.split('~')[0], id: cursor.split('~')[1] })),
    ),
  ),
});

/** Why a query is none, and which of its fields. */
export class QueryError extends RangeError {
  /** @param {string} path @param {string} reason */
  constructor(path, reason) {
    super(`${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/** @param {Record<string, unknown>} query of an address @throws {QueryError} */
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

/**
 * @param {Record<string, unknown>} query of an address: `ids=a,b`, or `ids=a&ids=b` as a form has it
 * @returns {string[]} ids, each once, the baseline first
 * @throws {QueryError}
 */
export function parseCompareQuery({ ids = [] }) {
  const given = [ids].flat().flatMap((part) => String(part).split(','));
  const wanted = [...new Set(given.map((id) => id.trim()))].filter(Boolean);
  if (wanted.length > 0 && wanted.length <= MAX_COMPARED) return wanted;
  throw new QueryError('ids', `expected 1 to ${MAX_COMPARED} IDs of shared runs, got ${wanted.length || 'none'}`);
}

/** @param {SavedRun} run */
export function describeListed(run) {
  const { id, savedAt, experiment, label, place, server, transports, isValid, digest } = visibleThroughout(run);
  const { location, browser, headline, detail, floorMs, comparison } = digest;
  return {
    id,
    href: `/results/${id}`,
    savedAt,
    when: formatMinute(savedAt),
    experiment: experimentOf(experiment),
    label,
    labelHref: label && campaignPath(label),
    place: place?.name ?? (place && `${place.latitude}°, ${place.longitude}°`),
    placeHref: place?.name && listPath({ place: place.name }),
    server,
    serverHref: listPath({ server }),
    location,
    browser,
    transports: transports.map(labelOf).join(', '),
    headline,
    detail,
    isValid,
    // Not repeated where the headline has it.
    mark: isValid || /not valid/.test(headline) ? undefined : 'not valid',
    floor: formatNumber(Number.isFinite(floorMs) ? floorMs : undefined, 1),
    pair: comparison && `${labelOf(comparison.transport)} to ${labelOf(comparison.baseline)}`,
    ratio: formatWithInterval(finite(comparison?.speedRatio), 1),
    saving: formatWithInterval(finite(comparison?.savingMs)),
  };
}

/** One bad run must not break a list. @param {Interval} [interval] */
function finite(interval) {
  return interval && [interval.estimate, interval.low, interval.high].every(Number.isFinite) ? interval : undefined;
}

/** @param {string} experiment @returns {string} its name for people */
export function experimentOf(experiment) {
  return findExperiment(experiment)?.label ?? experiment;
}

/** @param {string} label @returns {string} where all runs with it are */
export function campaignPath(label) {
  return `/c/${encodeURIComponent(label)}`;
}

/** @param {Record<string, string | undefined>} query @returns {string} of the list of shared runs, without empty fields */
export function listPath(query) {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return ['/results', String(new URLSearchParams(given))].filter(Boolean).join('?');
}

/** @param {readonly string[]} ids the first is the baseline @returns {string} where they are side by side */
export function comparePath(ids) {
  return `/compare?ids=${ids.join(',')}`;
}
