/** What the thread does with documents, and with many runs (documents.js). Errors are given as data, as threads do not pass on their classes. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { CSV_FILE_START, visibleThroughout } from '../../core/base/foreign-text.js';
import { DocumentError } from '../../core/experiment/documents/check.js';
import { planPath } from '../../core/experiment/run/open-run.js';
import { drawRun } from '../../core/experiment/report/draw-run.js';
import { findDescribed, fullTest } from '../../core/full-test/all.js';
import { SHARES } from '../../core/experiments/all.js';
import { toPng } from '../rasterize.js';
import { toListedRun } from '../store/rows.js';
import { formatStudy } from './studies.js';
import { checkForm as checkFormIn, checkSubmission } from './submission.js';

/**
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @import { Listed } from '../store/rows.js'
 * @import { MatrixForm } from './matrix.js'
 * @typedef {{ experiment: string, document: Uint8Array }} SavedDocument by gzip
 */

const decompress = promisify(gunzip);

/**
 * @template G, T @param {(given: G) => T | Promise<T>} job
 * @returns {(given: G) => Promise<{ done: T } | { problem: { path: string, message: string } }>} `problem`: of a DocumentError
 */
const answering = (job) => async (given) => {
  try {
    return { done: await job(given) };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { problem: { path: error.path, message: error.reason } };
  }
};

/** @param {SavedDocument} saved @returns {Promise<[experiment: Experiment, document: any]>} */
async function openSaved({ experiment, document }) {
  const found = findDescribed(experiment);
  if (!found) throw new RangeError(`experiment: expected a known experiment, got ${experiment}`);
  return [found, JSON.parse((await decompress(document)).toString())];
}

export const check = answering((/** @type {{ body: Uint8Array, nowMs: number }} */ { body, nowMs }) =>
  checkSubmission(body, { nowMs }),
);

export const checkForm = answering(checkFormIn);

/** Formats a saved document as a file; `document` is by gzip. */
export const formatCsv = answering(async (/** @type {SavedDocument} */ saved) => {
  const [experiment, document] = await openSaved(saved);
  return Buffer.from(CSV_FILE_START + experiment.formatCsv(document));
});

/** Draws a saved document as a PNG file; `document` is by gzip. */
export const drawPicture = answering(
  async (/** @type {SavedDocument & { place?: string, site: string }} */ { experiment, document, ...shared }) => {
    const [described, opened] = await openSaved({ experiment, document });
    return toPng(drawRun(described, visibleThroughout(opened), visibleThroughout(shared)));
  },
);

/**
 * Returns the link that makes the same run. Each place makes the plans of a full test's parts itself, as they depend on the distance.
 * It is empty for a run that nothing can read, such as one of a later version: a study is shown without it, too.
 */
export const planOf = answering(async (/** @type {SavedDocument} */ saved) => {
  try {
    const [experiment, document] = await openSaved(saved);
    const [path, query] = planPath(experiment, document).split('?');
    const kept = new URLSearchParams(query);
    if (experiment === fullTest) for (const { name } of fullTest.members) kept.delete(name);
    return `${path}?${kept}`;
  } catch {
    // Of a later release, before a revert, or damaged: its study asks for the usual plan.
    return '';
  }
});

/** Makes a PNG file of a picture. */
export const rasterize = answering((/** @type {string} */ svg) => toPng(svg));

/** Sums up a study. */
export const sumUp = answering(
  (/** @type {{ label: string, form: MatrixForm, rows: Listed[], olderCount: number }} */ { rows, ...given }) =>
    formatStudy(rows.map(toListedRun), given),
);

/** Counts shares by place, as JSON. */
export const countShares = answering((/** @type {{ experiment: string, rows: Listed[] }} */ { experiment, rows }) => {
  const runs = rows.map((row) => visibleThroughout(toListedRun(row)));
  return JSON.stringify(SHARES.get(experiment)?.(runs) ?? []);
});
