/** Studies: the runs that were shared with one label, summed up by place. */
import { createHash } from 'node:crypto';
import { studyPath } from '../../core/base/base-url.js';
import { formatRtt, formatSeconds } from '../../core/base/format.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { fullTest } from '../../core/full-test/all.js';
import * as exports from '../../core/study/export.js';
import { createStudy, MAX_STUDY_RUNS } from '../../core/study/index.js';
import { formatInvitation, parseInvitation, usualPlan } from '../../core/study/link.js';
import { shareCalls } from '../workers.js';

/**
 * @import { Study, StudyRow } from '../../core/study/index.js'
 * @import { StudyCell, StudyColumn } from '../../core/study/cells.js'
 * @import { StudyRun } from '../../core/study/places.js'
 * @import { Parts } from '../parts.js'
 * @import { Invitation } from '../../core/study/link.js'
 */

/** The places that its page shows; anybody may add some. */
export const MAX_PLACES = 50;

const KNOWN = Object.freeze({ experiments: EXPERIMENTS, fullTest });

/** @param {URLSearchParams} query of a study's link @throws {InvalidInputError} */
export const readInvitation = (query) => parseInvitation(query, KNOWN);

/**
 * @typedef {{ study: Study, runs: readonly StudyRun[], isWhole: boolean }} ReadStudy `isWhole`: are these all runs with that label?
 * @param {Pick<Parts['archive'], 'listAsSaved'>} archive @param {string} label @returns {Promise<ReadStudy>}
 */
async function readStudy(archive, label) {
  const { runs, isWhole } = await archive.listAsSaved(label, MAX_STUDY_RUNS);
  const shown = /** @type {StudyRun[]} */ (/** @type {unknown} */ (runs));
  return { study: createStudy(shown, EXPERIMENTS), runs: shown, isWhole };
}

/**
 * Reads studies, each of them once for all who ask at the same time: a classroom opens one link at once, and a study may
 * have 2,000 runs.
 * @param {Pick<Parts['archive'], 'listAsSaved'>} archive @returns {(label: string) => Promise<ReadStudy>}
 */
export function createStudyReader(archive) {
  /** @type {Map<string, { read: () => Promise<ReadStudy>, askerCount: number }>} by label, while somebody waits */
  const readers = new Map();
  return async (label) => {
    const reader = readers.get(label) ?? { read: shareCalls(() => readStudy(archive, label)), askerCount: 0 };
    readers.set(label, reader);
    reader.askerCount++;
    try {
      return await reader.read();
    } finally {
      if (--reader.askerCount === 0) readers.delete(label);
    }
  };
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

/** What the page shows of a study. @param {Study} study */
export function describeStudy(study) {
  const { columns, rows, leftOut, sentence } = study;
  // Those with the most runs, in the order of all.
  const shown = [...rows].sort((a, b) => b.runCount - a.runCount).slice(0, MAX_PLACES);
  return {
    sentence,
    summary: exports.describeStudy(study),
    columns: columns.map((column) => ({ question: column.question, figures: exports.describeFigures(column) })),
    rows: rows.filter((row) => shown.includes(row)).map((row) => describeRow(row, columns)),
    hiddenCount: rows.length - shown.length,
    notes: exports.listLeftOut(leftOut),
  };
}

/** @param {StudyRow} row @param {readonly StudyColumn[]} columns */
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
    cells: cells.map((cell, i) => ({
      ...cell,
      value: `${short}.${columns[i].experiment}`,
      shown: cell.figure ?? (cell.kind === 'verdict' ? '' : '–'),
      about: describeCount(cell),
    })),
  };
}

/** @param {StudyCell} cell @returns {string} such as '6 runs, 95% CI 1.4x to 1.5x, 1 with warnings' */
function describeCount(cell) {
  if (cell.ids.length === 0) return '';
  const spread = cell.ends && `${cell.spread} ${cell.ends}`;
  return [exports.formatCount(cell.count), spread, exports.describeLeftOut(cell)].filter(Boolean).join(', ');
}

/**
 * Finds the runs behind a cell.
 * @param {Study} study @param {readonly StudyRun[]} runs @param {string} asked the value of a cell
 * @returns {{ place: string, question: string, runs: readonly StudyRun[] } | undefined} absent if there is no such cell, or none
 *   behind it
 */
export function findCell({ rows, columns }, runs, asked) {
  const [short, experiment] = asked.split('.');
  const row = rows.find(({ key }) => shortKeyOf(key) === short);
  const index = columns.findIndex((column) => column.experiment === experiment);
  const ids = new Set(row?.cells[index]?.ids);
  if (!row || ids.size === 0) return undefined;
  return { place: row.name, question: columns[index].question, runs: runs.filter(({ id }) => ids.has(id)) };
}
