/**
 * `--fail-if CONDITION`: makes the command fail, for a script that monitors a site.
 *
 *     failures>0                   of the whole run
 *     invalid                      the run is
 *     sockjs p50_ms>50             figures of a row of the first table that names its figures, and of others about its
 *                                  rows; its transport, as in links, or its first cells name the row
 *     ws 8 messages_per_second<1000
 *     sockjs slower                of an experiment that compares
 */
import { cellsOf } from '../../core/experiment/report/table.js';
import { UsageError } from '../program/program.js';
import { listOf } from '../../core/base/format.js';
import { VERDICT_LABELS } from '../../core/experiment/answer/verdict.js';
import {
  DELIVERY_LABELS,
  labelOf,
  LABELS,
  NEW_CONNECTION_LABELS,
  TRANSFER_LABELS,
} from '../../core/experiment/answer/labels.js';

/**
 * @import { Experiment, Findings } from '../../core/experiment/contract.js'
 * @import { Table } from '../../core/experiment/report/table.js'
 * @import { Digest } from '../../core/experiment/documents/digest.js'
 * @import { Answer } from '../../core/experiment/answer/answer.js'
 * @typedef {Findings & { digest(): Digest }} Seen of the document
 * @typedef {{ answers: readonly Answer[], report: { tables: readonly Table<any>[] } }} Named what has the names that a condition may use
 * @typedef {object} Condition
 * @property {(seen: Named) => void} check throws a UsageError if it names something that does not exist
 * @property {(seen: Seen) => string | undefined} reasonOf a sentence if it is met, or cannot be evaluated
 * @typedef {{ name: string, operator: string, value: number }} Figure
 * @typedef {{ text: string, texts: readonly string[], figures: readonly Figure[] }} RowCondition
 * @typedef {{ names: string[], texts: string[], figures: Record<string, number> }} ReadRow the names of its subject, in
 *   links and documents, else its texts; its figures as the table shows them, NaN if it shows none
 */

const FIGURE = /^([a-z]\w*)(<=|>=|<|>|=)(-?\d+(?:\.\d+)?)$/;

/** @type {Readonly<Record<string, (a: number, b: number) => boolean>>} */
const OPERATORS = Object.freeze({
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
  '>=': (a, b) => a >= b,
  '>': (a, b) => a > b,
});

/**
 * @param {string} text @param {{ compares?: Experiment['compares'] }} experiment @returns {Condition}
 * @throws {UsageError} what, expected, got
 */
export const parseCondition = (text, { compares }) => (compares && parseVerdictCondition(text)) || parseFigures(text);

/** @param {string} text @returns {Condition} @throws {UsageError} what, expected, got */
function parseFigures(text) {
  const parts = text
    .replace(/\s*(<=|>=|<|>|=)\s*/g, '$1')
    .trim()
    .split(/\s+/);
  if (parts.join() === 'invalid') {
    return { check() {}, reasonOf: ({ digest }) => (digest().isValid ? undefined : 'the run is invalid.') };
  }
  const figures = parts.flatMap((part) => {
    const [, name, operator, value] = FIGURE.exec(part) ?? [];
    return name === undefined ? [] : { name, operator, value: Number(value) };
  });
  const texts = parts.filter((part) => !FIGURE.test(part));
  if (figures.length === 0 || texts.some((part) => /[<>=]/.test(part))) {
    throw new UsageError(
      `--fail-if: expected 'invalid', 'failures>0' or figures of a row, as in 'sockjs p50_ms>50', got “${text}”`,
    );
  }
  if (parts.length === 1 && figures[0].name === 'failures') {
    return { check() {}, reasonOf: ({ digest }) => whenFailed(digest(), figures[0]) };
  }
  return {
    check: ({ report }) => checkNames(report, { text, texts, figures }),
    reasonOf: ({ report }) => whenSomeRowFits(report, { text, texts, figures }),
  };
}

/** @param {Digest} digest @param {Figure} figure */
function whenFailed({ failureCount }, { operator, value }) {
  if (!OPERATORS[operator](failureCount, value)) return undefined;
  return failureCount === 1 ? 'there was 1 failure.' : `there were ${failureCount} failures.`;
}

/**
 * @param {Named['report']} report @param {RowCondition} condition @throws {UsageError} if it names something that does not exist
 */
function checkNames({ tables }, { text, texts, figures }) {
  const { names, rows } = readTables(tables);
  const unknown = figures.find(({ name }) => !names.includes(name));
  if (unknown) {
    const expected = names.length > 0 ? `invalid, failures or a figure of ${names.join(', ')}` : 'invalid or failures';
    throw new UsageError(`--fail-if: expected ${expected}, got “${unknown.name}” in “${text}”`);
  }
  // Some tables have a row only for what was measured.
  if (rows.length === 0 || select(rows, texts).length > 0) return;
  const known = [...new Set(rows.flatMap(({ names }) => names))];
  throw new UsageError(`--fail-if: expected a row of ${known.join(', ')}, got “${texts.join(' ')}” in “${text}”`);
}

/** @param {Named['report']} report @param {RowCondition} condition */
function whenSomeRowFits({ tables }, { texts, figures }) {
  const rows = select(readTables(tables).rows, texts).filter((row) =>
    figures.every(({ name }) => !Number.isNaN(row.figures[name])),
  );
  if (rows.length === 0) return 'it cannot be judged: too few samples.';
  const met = rows.find((row) =>
    figures.every(({ name, operator, value }) => OPERATORS[operator](row.figures[name], value)),
  );
  return met && `${[...texts, figures.map(({ name }) => `${name} is ${met.figures[name]}`).join(', ')].join(' ')}.`;
}

/** Reads the first table that has its figures, and what others say of its rows. @param {readonly Table<any>[]} tables */
function readTables(tables) {
  const { rows } = tables.find(({ columns }) => columns.some(({ name }) => name)) ?? tables[0];
  const columns = [...new Set(tables.filter((table) => table.rows === rows).flatMap((table) => table.columns))];
  const keys = columns.flatMap(({ isKey, idOf }, column) => (isKey ? { idOf, column } : []));
  /** @type {ReadRow[]} */
  const readRows = cellsOf({ columns, rows }).map((cells, row) => ({
    names: keys.map(({ idOf, column }) => idOf?.(rows[row]) ?? slugOf(cells[column] ?? '')),
    texts: keys.map(({ column }) => slugOf(cells[column] ?? '')),
    figures: Object.fromEntries(columns.flatMap(({ name }, column) => (name ? [[name, numberOf(cells[column])]] : []))),
  }));
  return { names: columns.flatMap(({ name }) => name ?? []), rows: readRows };
}

/**
 * Selects the rows that are about all texts. A name counts more than a text: `websocket` is one transport's name, and
 * another's text.
 * @param {readonly ReadRow[]} rows @param {readonly string[]} texts
 */
function select(rows, texts) {
  const named = rows.filter(({ names }) => texts.every((text) => names.includes(text)));
  return named.length > 0 ? named : rows.filter((row) => texts.every((text) => row.texts.includes(text)));
}

/** @param {string} text @example slugOf('Polling every 500 ms') // 'polling-every-500-ms' */
export const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * @param {string} [cell] that begins with the number, with a real minus sign if it is negative, and with separators of thousands; or
 *   with what it is under, for which half of that stands
 */
function numberOf(cell = '') {
  const number = Number.parseFloat(cell.replace('−', '-').replace(/,|^under /g, ''));
  return cell.startsWith('under ') ? number / 2 : number;
}

const VERDICTS = Object.keys(VERDICT_LABELS);
/** All that any experiment compares. */
const SUBJECTS = [LABELS, TRANSFER_LABELS, NEW_CONNECTION_LABELS, DELIVERY_LABELS].flatMap(Object.keys);

/**
 * Parses a condition such as 'sockjs slower', which is met by a run that gives this verdict.
 * @param {string} text @returns {Condition | undefined} absent if it is about figures
 * @throws {UsageError} what, expected, got
 */
export function parseVerdictCondition(text) {
  if (/[<>=]/.test(text) || text.trim() === 'invalid') return undefined;
  const [subject, verdict, ...more] = text.trim().split(/\s+/);
  if (!SUBJECTS.includes(subject) || !VERDICTS.includes(verdict) || more.length > 0) {
    throw new UsageError(
      `--fail-if: expected a method and one of ${VERDICTS.join(', ')}, as in 'sockjs slower', or figures, as in 'sockjs p50_ms>50', got “${text}”`,
    );
  }
  return {
    check: ({ answers }) => checkCompared(answers, text, subject),
    reasonOf: ({ answers }) => reasonOf(answers, subject, verdict),
  };
}

/**
 * @param {readonly Answer[]} answers none before anything is measured, of some experiments
 * @param {string} text @param {string} subject @throws {UsageError} if the run does not compare it
 */
function checkCompared(answers, text, subject) {
  const subjects = [...new Set(answers.map((one) => one.subject))];
  if (subjects.length === 0 || subjects.includes(subject)) return;
  const baselines = [...new Set(answers.map(({ baseline }) => baseline))];
  throw new UsageError(
    `--fail-if: expected one of ${subjects.join(', ')}, which this plan compares with ${listOf(baselines)}, got “${text}”`,
  );
}

/**
 * @param {readonly Answer[]} answers @param {string} subject @param {string} verdict
 * @returns {string | undefined} sentences about the comparisons that have this verdict, or too little for any
 */
function reasonOf(answers, subject, verdict) {
  const own = answers.filter((one) => one.subject === subject);
  if (own.length === 0) return 'it cannot be judged, because nothing was compared.';
  const met = own.filter((one) => one.verdict === verdict || one.verdict === undefined);
  return met.map(describe).join(' ') || undefined;
}

/** @param {Answer} answer @returns {string} a sentence */
function describe({ subject, baseline, at, verdict, word }) {
  const where = at === undefined ? '' : `, ${at}`;
  const found = verdict ? word.toLowerCase() : 'it cannot be judged, because too little was measured';
  return `${labelOf(subject)} compared with ${labelOf(baseline)}${where}: ${found}.`;
}
