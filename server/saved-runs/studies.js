/** Studies: the runs that were shared with one label, summed up by place. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CSV_FILE_START } from '../../core/base/foreign-text.js';
import { studyPath } from '../../core/base/base-url.js';
import { formatRtt, formatSeconds } from '../../core/base/format.js';
import { toMarkup } from '../../core/base/svg.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { fullTest } from '../../core/full-test/all.js';
import { drawMatrixCard } from '../../core/matrix/card.js';
import { drawMatrixCurve } from '../../core/matrix/curve.js';
import * as exports from '../../core/matrix/export.js';
import { createStudy } from '../../core/matrix/index.js';
import { formatInvitation, parseInvitation, usualPlan } from '../../core/matrix/link.js';
import { describeCell, describeColumn } from './matrix.js';

/**
 * @import { SvgNode } from '../../core/base/svg.js'
 * @import { SavedRun } from '../store/index.js'
 * @import { STUDY_FORMATS } from './schemas.js'
 * @import { Matrix, MatrixRow } from '../../core/matrix/index.js'
 * @import { MatrixColumn } from '../../core/matrix/cells.js'
 * @import { Parts } from '../parts.js'
 * @import { Invitation } from '../../core/matrix/link.js'
 */

/** The places that its page shows; anybody may add some. */
export const MAX_PLACES = 50;

const KNOWN = Object.freeze({ experiments: EXPERIMENTS, fullTest });

/** @param {URLSearchParams} query of a study's link @throws {InvalidInputError} */
export const readInvitation = (query) => parseInvitation(query, KNOWN);

/** The distance curve on screens, and on the smallest phones, in CSS pixels: a smaller picture has smaller letters. */
const CURVE_SIZES = Object.freeze({ wide: { width: 640, height: 300 }, narrow: { width: 240, height: 260 } });

/**
 * The forms of a study: `page` is JSON of what its page shows, the others are its exports.
 * @typedef {'page' | typeof STUDY_FORMATS[number]} StudyForm
 * @type {Record<StudyForm, (study: Matrix, label: string) => string>}
 */
const FORMS = {
  page: (study) => JSON.stringify({ ...describeStudy(study), curve: drawOnce(study) }),
  json: (study, label) => exports.formatMatrixJson(label, study),
  csv: (study) => CSV_FILE_START + exports.formatMatrixCsv(study),
  markdown: (study, label) => exports.formatMatrixMarkdown(label, study),
  svg: (study, label) => drawMatrixCard(label, study),
};

/**
 * @param {readonly SavedRun[]} runs of a label, the newest
 * @param {{ label: string, form: StudyForm, olderCount: number }} given `olderCount`: of the label's other runs
 */
export function formatStudy(runs, { label, form, olderCount }) {
  return FORMS[form](createStudy(runs, EXPERIMENTS, { olderCount }), label);
}

/**
 * Reads the newest runs with a label, and has them summed up.
 * @param {Pick<Parts, 'archive' | 'documents'>} parts @param {{ label: string, form: StudyForm }} study
 * @param {string | undefined} address of who asks
 */
export async function readStudy({ archive, documents }, study, address) {
  const found = await archive.listRows({ filter: { label: study.label }, limit: exports.MAX_STUDY_RUNS });
  return documents.sumUp({ ...study, ...found }, address);
}

/** @typedef {Record<keyof typeof CURVE_SIZES, string>} Curves markup by size */

/**
 * Keyed by the data of the curve: placing its names takes some tenths of a second, and a study stays the same until a run of it is
 * shared or deleted. @type {LRUCache<string, { curves?: Curves }>}
 */
const drawnCurves = new LRUCache({ max: 100 });

/** @param {Matrix} study @returns {Curves | undefined} */
function drawOnce({ rows, columns }) {
  const key = createHash('sha256')
    .update(JSON.stringify([columns, rows]))
    .digest('base64');
  const kept = drawnCurves.get(key) ?? { curves: drawCurves({ rows, columns }) };
  drawnCurves.set(key, kept);
  return kept.curves;
}

/** @param {Pick<Matrix, 'rows' | 'columns'>} study @returns {Curves | undefined} */
function drawCurves(study) {
  const drawn = Object.entries(CURVE_SIZES).map(([name, size]) => [name, drawMatrixCurve(study, size)]);
  if (!drawn[0][1]) return undefined;
  return Object.fromEntries(drawn.map(([name, svg]) => [name, toMarkup(/** @type {SvgNode} */ (svg))]));
}

/** @param {string} key of a place @returns {string} short, for links */
const shortKeyOf = (key) => createHash('sha256').update(key).digest('base64url').slice(0, 10);

/** @param {string} label @param {Invitation} invitation @returns {string} the study's address, without its site */
export const invitationPath = (label, invitation) =>
  [studyPath(label), formatInvitation(invitation)].filter(Boolean).join('&');

/** Describes what whoever opens the link is asked to measure. @param {string} label @param {Invitation} invitation */
export function describeAsked(label, { plan = usualPlan(KNOWN), say }) {
  // The visitor has pressed the button: the page starts the run by itself.
  const fields = [...new URLSearchParams(plan.query), ['label', label], ['autostart', '1']];
  return { say, action: plan.path, fields, description: plan.description, duration: formatSeconds(plan.seconds) };
}

/** What the page shows of a study. @param {Matrix} study */
export function describeStudy(study) {
  const { columns, rows, leftOut, sentence } = study;
  // Those with the most runs, in the order of all.
  const shown = [...rows].sort((a, b) => b.runCount - a.runCount).slice(0, MAX_PLACES);
  return {
    sentence,
    summary: exports.describeMatrix(study),
    count: study.runCount,
    columns: columns.map(describeColumn),
    rows: rows.filter((row) => shown.includes(row)).map((row) => describeRow(row, columns)),
    hiddenCount: rows.length - shown.length,
    notes: exports.listLeftOut(leftOut),
  };
}

/** @param {MatrixRow} row @param {readonly MatrixColumn[]} columns */
function describeRow({ key, name, scope, rttMs, days, runCount, cells }, columns) {
  const short = shortKeyOf(key);
  return {
    name,
    tag: scope === 'path' ? undefined : `same ${scope}`,
    rtt: rttMs === undefined ? undefined : `${formatRtt(rttMs)} ms`,
    // Of one day, nobody asks which.
    runs: [exports.formatCount(runCount), days.from === days.to ? '' : exports.formatDays(days)]
      .filter(Boolean)
      .join(', '),
    cells: cells.map((cell, i) => ({ ...describeCell(cell), value: `${short}.${columns[i].experiment}` })),
  };
}

/**
 * Finds a cell that the page shows, with runs behind it.
 * @param {ReturnType<typeof describeStudy>} shown @param {string} asked the cell's value
 * @returns {{ place: string, question: string, ids: readonly string[] } | undefined}
 */
export function findCell({ rows, columns }, asked) {
  const all = rows.flatMap(({ name, cells }) =>
    cells.map(({ value, ids }, i) => ({ place: name, question: columns[i].question, value, ids })),
  );
  return all.find(({ value, ids }) => value === asked && ids.length > 0);
}
