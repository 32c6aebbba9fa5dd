/** Exports of matrices: `/api/studies` those of a study, `/api/compare` those of a comparison. */
import { visibleThroughout } from '../../core/base/foreign-text.js';
import { compareSaved } from '../saved-runs/comparisons.js';
import { parseCompareQuery, parseLabel, QueryError } from '../saved-runs/list.js';
import { formatMatrix } from '../saved-runs/matrix.js';
import { MATRIX_FORMATS } from '../saved-runs/schemas.js';
import * as studies from '../saved-runs/studies.js';
import { USERS_FORMS } from '../field/users.js';
import { refusal } from './refusals.js';

/**
 * @import { UsersReader } from '../field/users.js'
 * @import { MadeOnce } from '../http/made-once.js'
 * @import { ExportParts } from '../parts.js'
 * @import { Archive } from '../saved-runs/archive.js'
 * @import { Documents } from '../saved-runs/documents.js'
 * @import { SavedRun } from '../store/index.js'
 * @import { Request, RequestHandler, Response } from 'express'
 */

/** The types of exports, by their formats. @type {Record<typeof MATRIX_FORMATS[number], string>} */
const TYPES = { json: 'json', csv: 'text/csv', markdown: 'text/markdown', svg: 'image/svg+xml', png: 'png' };

/** @param {ExportParts} parts @returns {RequestHandler} of `/api/studies`, and of `/api/studies/:label` */
export const answerStudy = (parts) => async (req, res) => {
  const { label: given, part, ...query } = { ...req.query, ...req.params };
  const label = parseLabel(given);
  if (part !== undefined) return answerUsers(parts, { label, part: String(part), query }, req, res);
  const form = parseForm(query);
  const make = () => studies.readStudy(parts, { label, form }, req.ip);
  await sendExport(req, res, { ...parts, form, name: label, key: `study ${label}`, make });
};

/**
 * Answers for the part of a study that its users fill.
 * @param {{ documents: Documents, madeOnce: MadeOnce, usersReader: UsersReader }} parts
 * @param {{ label: string, part: string, query: Record<string, unknown> }} asked @param {Request} req @param {Response} res
 */
async function answerUsers({ usersReader, ...parts }, { label, part, query }, req, res) {
  if (part !== 'users') throw new QueryError('part', "expected 'users', or no such field");
  const form = parseForm(query);
  const format = USERS_FORMS[form];
  if (!format) throw new QueryError('format', `expected one of ${Object.keys(USERS_FORMS).join(', ')}`);
  const users = await usersReader.read(label);
  if (!users) throw refusal('not-found', 'label: expected that of a study of users, got another');
  const text = format(users);
  await sendExport(req, res, { ...parts, form, name: `users-${label}`, key: `users ${text}`, make: async () => text });
}

/** @param {ExportParts} parts @returns {RequestHandler} of `/api/compare` */
export const answerComparison =
  ({ archive, ...parts }) =>
  async (req, res) => {
    const { ids: given, ...query } = req.query;
    const ids = parseCompareQuery({ ids: given });
    const form = parseForm(query);
    const { runs, unknown } = await findRuns(archive, ids);
    if (unknown.length > 0) throw refusal('not-found', describeUnknown(unknown));
    const make = async () => {
      const { matrix, title, shortNames } = compareSaved(runs);
      return formatMatrix(form, matrix, { title, asked: { ids }, shortNames });
    };
    await sendExport(req, res, { ...parts, form, name: 'matrix', key: `compare ${JSON.stringify(runs)}`, make });
  };

/**
 * @param {Record<string, unknown>} query without what is asked about @returns {typeof MATRIX_FORMATS[number]}
 * @throws {QueryError}
 */
function parseForm({ format = 'json', ...others }) {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new QueryError(other.slice(0, 60), 'expected no such field');
  const form = MATRIX_FORMATS.find((one) => one === format);
  if (!form) throw new QueryError('format', `expected one of ${MATRIX_FORMATS.join(', ')}`);
  return form;
}

/**
 * @param {Request} req @param {Response} res
 * @param {object} given
 * @param {typeof MATRIX_FORMATS[number]} given.form
 * @param {string} given.name of a file
 * @param {string} given.key
 * @param {Documents} given.documents
 * @param {MadeOnce} given.madeOnce
 * @param {() => Promise<string>} given.make
 */
async function sendExport(req, res, { form, name, key, documents, madeOnce, make }) {
  // A name of a file has no slashes.
  if (form === 'csv') res.attachment(`sockshootout-${name.replace(/[\\/]/g, '-')}.csv`);
  const makeFile = form === 'png' ? async () => documents.rasterize(await make(), req.ip) : make;
  if (form === 'png') res.set('Cross-Origin-Resource-Policy', 'cross-origin');
  await madeOnce.send(req, res, { key, type: TYPES[form], make: makeFile });
}

/**
 * Finds runs, and says which IDs are of none.
 * @param {Archive} archive @param {readonly string[]} ids @returns {Promise<{ runs: SavedRun[], unknown: string[] }>}
 */
export async function findRuns(archive, ids) {
  const found = await Promise.all(ids.map((id) => archive.find(id)));
  return {
    runs: found.filter((run) => run !== undefined).map(visibleThroughout),
    unknown: ids.filter((_, index) => !found[index]).map((id) => id.slice(0, 60)),
  };
}

/** Says which runs are not there. @param {readonly string[]} ids @returns {string} sentences */
export const describeUnknown = (ids) =>
  `There is no shared run with ${ids.length === 1 ? 'this ID' : 'these IDs'}: ${ids.join(', ')}. It may have been deleted.`;
