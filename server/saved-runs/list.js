/** Lists of shared runs: their queries, and what they show of a run from the result of a single query. */
import * as v from 'valibot';
import { studyPath } from '../../core/base/base-url.js';
import { InvalidInputError, isVisible, visibleThroughout } from '../../core/base/foreign-text.js';
import { formatMinute, formatRtt } from '../../core/base/format.js';
import { formatIssue } from '../../core/experiment/documents/check.js';
import { atMost, OF_LINE } from '../../core/experiment/documents/document-fields.js';
import { ENDINGS } from '../../core/experiment/report/headline.js';
import { BROWSER_NAMES, isLoopback, measuredAtOf } from '../../core/experiment/run/names.js';
import { formatWarningCount } from '../../core/experiment/run/trust.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { DESCRIBED, findDescribed, fullTest } from '../../core/full-test/all.js';
import { LABELS } from '../../core/experiment/answer/labels.js';
import { toMarkup } from '../../core/picture/svg.js';
import { formatAmount } from '../../core/experiment/answer/answer.js';
import { scopeOfDigest } from '../../core/experiment/run/scope.js';
import { createWhiskers } from '../../core/matrix/whiskers.js';

/**
 * @import { SavedRun } from '../store/index.js'
 * @import { Amount } from '../../core/experiment/answer/answer.js'
 * @import { StoredAnswer } from '../../core/experiment/documents/stored-answers.js'
 * @import { Figure } from '../../core/matrix/whiskers.js'
 */

const PAGE_LENGTH = 50;
export const MAX_COMPARED = 10;
/** The maximum length of a filter: a label of 80 characters has up to 240 in normal form, a server's name 500. */
const MAX_TEXT = 500;
/** Matches a cursor: when the last run of a page was saved, and its ID. */
const CURSOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~[\w-]{16}$/;

/** @param {RegExp} pattern @param {string} expected */
const matching = (pattern, expected) => v.pipe(v.string(), v.regex(pattern, expected));
const text = matching(
  atMost(MAX_TEXT, OF_LINE),
  `expected at most ${MAX_TEXT} characters of text, without direction-changing or control characters`,
);

/** The fields of a query, by their names in a URL. An empty field of a form filters nothing. */
export const listQuerySchema = v.strictObject({
  experiment: v.optional(v.picklist(DESCRIBED.map(({ name }) => name))),
  transport: v.optional(v.picklist(Object.keys(LABELS))),
  place: v.optional(text),
  label: v.optional(text),
  server: v.optional(text),
  browser: v.optional(v.picklist(BROWSER_NAMES)),
  search: v.optional(text),
  valid: v.optional(v.picklist(['true', 'false'])),
  limit: v.optional(
    v.pipe(matching(/^([1-9]|[1-4]\d|50)$/, `expected a whole number from 1 to ${PAGE_LENGTH}`), v.transform(Number)),
  ),
  cursor: v.optional(v.pipe(matching(CURSOR, 'expected the `next` value of a page'), v.transform(parseCursor))),
});

/** Says why a query is invalid, and which of its fields. */
export class QueryError extends InvalidInputError {
  /** @param {string} path @param {string} reason */
  constructor(path, reason) {
    super(reason, { fields: [path] });
    this.path = path;
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

/** Formats the cursor in the URL of the next page. @param {{ savedAt: string, id: string }} run the last of one */
export function formatCursor({ savedAt, id }) {
  return `${savedAt}~${id}`;
}

/** @param {string} cursor */
function parseCursor(cursor) {
  const [savedAt, id] = cursor.split('~');
  return { savedAt, id };
}

/**
 * Returns each ID once, as given: the first run predicts the others.
 * @param {Record<string, unknown>} query of an address: `ids=a,b`, or `ids=a&ids=b` as a form has it @throws {QueryError}
 */
export function parseCompareQuery({ ids = [] }) {
  const given = [ids].flat().flatMap((part) => String(part).split(','));
  const wanted = [...new Set(given.map((id) => id.trim()))].filter(Boolean);
  if (!wanted.every(isVisible)) {
    throw new QueryError('ids', 'expected IDs without direction-changing or control characters');
  }
  if (wanted.length > 0 && wanted.length <= MAX_COMPARED) return wanted;
  throw new QueryError('ids', `expected 1 to ${MAX_COMPARED} shared runs, got ${wanted.length || 'none'}`);
}

/** Describes a run as lists and comparisons show it. @param {SavedRun} saved */
export function describeListed(saved) {
  const run = visibleThroughout(saved);
  const { label, place, digest } = run;
  const { origin, link, location, browser, headline, detail, floorMs } = digest;
  const measuredAt = measuredAtOf(run);
  return {
    ...run,
    href: `/results/${run.id}`,
    measuredAt,
    when: formatMinute(measuredAt),
    experiment: testOf(run),
    labelHref: label && studyPath(label),
    place: place?.name,
    placeHref: place?.name && listPath({ place: place.name }),
    location: link ?? location,
    isLocal: isLoopback(origin),
    browser,
    headline,
    detail,
    mark: warningOf(run),
    floor: Number.isFinite(floorMs) ? `${formatRtt(floorMs)} ms` : '',
  };
}

/**
 * Warns of a run that is invalid or doubtful, unless its headline says so.
 * @param {{ isValid?: boolean, digest: any }} run
 */
function warningOf({ isValid, digest: { headline, warningCount = 0 } }) {
  if (/not valid|invalid/.test(headline) || headline === ENDINGS.cancelled) return undefined;
  if (isValid === false) return 'invalid';
  return warningCount > 0 ? formatWarningCount(warningCount) : undefined;
}

/** Returns the label of an experiment. @param {string} experiment */
export const experimentOf = (experiment) => findDescribed(experiment)?.label ?? experiment;

/**
 * Names the test of a run; the home page measures what a situation is about, and no more.
 * @param {{ experiment: string, digest: any }} run @returns {string}
 */
export function testOf({ experiment, digest }) {
  /** @type {readonly string[] | undefined} */
  const parts = digest[fullTest.name]?.parts;
  const isOfHome = parts?.every((name) => EXPERIMENTS.find((one) => one.name === name)?.fullTest?.isNeeded);
  return isOfHome ? 'Home page' : experimentOf(experiment);
}

/** Returns the path of the page that compares runs. @param {readonly string[]} ids the first is of the run that predicts the others */
export const comparePath = (ids) => `/compare?ids=${ids.join(',')}`;

/** @param {Record<string, string | undefined>} query @returns {string} of the list of shared runs, without empty fields */
export function listPath(query) {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return ['/results', String(new URLSearchParams(given))].filter(Boolean).join('?');
}

/** @param {unknown} given @returns {string} as it is saved with a run @throws {QueryError} */
export function parseLabel(given = '') {
  if (typeof given !== 'string') throw new QueryError('label', 'expected one value, got more than one');
  const label = given.normalize('NFC').trim();
  if (label === '') throw new QueryError('label', 'expected text, got none');
  // The untrimmed text is checked, too: it may end in characters that are refused.
  for (const text of [given, label]) parseListQuery({ label: text });
  return label;
}

/** Its pictures are small: the room between two ticks, as a part of 100. */
const LIST_GAP = 44;

/**
 * @typedef {Figure & { amount: Amount, rttMs?: number }} Listed `rttMs`: for which users it is predicted; absent where it is measured
 * @typedef {{ figure: string, picture: string, mark?: Listed['mark'], predicted?: string }} Cell `picture`: markup, empty where words take
 *   the figure's place; `predicted`: that it is, and for whom
 */

/** @type {readonly { topic: NonNullable<StoredAnswer['topic']>, name: string, short: string, unit: Amount['unit'] }[]} */
const COLUMNS = Object.freeze([
  { topic: 'news', name: 'News sooner by', short: 'News', unit: 'sooner-ms' },
  { topic: 'sending', name: 'Sending, times as fast', short: 'Sending', unit: 'times-as-fast' },
]);

/**
 * Draws the figures of a list on one scale for each question: what each run measured, or predicts for users elsewhere.
 * @param {readonly { digest: any, isValid?: boolean }[]} runs
 * @returns {{ heads: { name: string, short: string, predicted?: string, hasBand: boolean, scale: string }[], cells: (Cell | undefined)[][] }} a
 *   head for each question of which a run has a figure, and of each run a cell for each head; `predicted`: what all its figures are;
 *   `scale`: markup
 */
export function drawFigures(runs) {
  const columns = COLUMNS.flatMap(({ topic, name, short, unit }) => {
    const figures = runs.map((run) => figureIn(run, { topic, unit }));
    const whiskers = createWhiskers(
      unit,
      figures.flatMap((figure) => figure ?? []),
      { gap: LIST_GAP },
    );
    if (!whiskers) return [];
    const draw = (/** @type {Listed} */ figure) => ({
      figure: formatAmount(figure.amount),
      picture: toMarkup(whiskers.draw(figure)),
      mark: figure.mark,
      predicted: figure.rttMs === undefined ? undefined : `predicted at ${formatRtt(figure.rttMs)} ms`,
    });
    const cells = figures.map((figure, i) => (figure ? draw(figure) : isAsked(runs[i], topic) ? undefined : NOT_ASKED));
    const [predicted, ...others] = new Set(cells.flatMap((cell) => (cell?.picture ? [cell.predicted] : [])));
    const head = { name, short, ...(others.length === 0 && { predicted }) };
    return [{ head: { ...head, hasBand: whiskers.hasBand, scale: toMarkup(whiskers.drawHead()) }, cells }];
  });
  return {
    heads: columns.map(({ head }) => head),
    cells: runs.map((_, i) => columns.map(({ cells }) => cells[i])),
  };
}

/** @type {Cell} */
const NOT_ASKED = Object.freeze({ figure: 'not asked', picture: '' });

/** @param {{ digest: any }} run @param {string} topic */
const isAsked = ({ digest: { answers = [] } }, topic) =>
  answers.some((/** @type {StoredAnswer} */ one) => one.topic === topic);

/**
 * What one machine measured is no figure for a list of places: its prediction is.
 * @param {{ digest: any, isValid?: boolean }} run @param {{ topic: string, unit: string }} column @returns {Listed | undefined}
 */
function figureIn({ digest, isValid }, { topic, unit }) {
  /** @type {readonly StoredAnswer[]} */
  const answers = digest.answers ?? [];
  const answer = answers.find((one) => one.topic === topic);
  if (isValid === false || !answer || answer.isDoubtful) return undefined;
  const isPredicted = scopeOfDigest(digest) !== 'path';
  const { mark, amount } = (isPredicted ? answer.elsewhere : answer) ?? {};
  const rttMs = isPredicted ? answer.elsewhere?.rttMs : undefined;
  if (!mark || amount?.unit !== unit || !Number.isFinite(amount.value)) return undefined;
  return { ...amount, mark, local: isPredicted ? 'predicted' : undefined, amount, rttMs };
}
