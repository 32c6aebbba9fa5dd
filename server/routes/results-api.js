/** `/api/results`: saves, lists, reads and deletes runs, for the site's pages and for programs. `/submission`: Share of 2019. */
import { parseUrl } from '../../core/base/base-url.js';
import { createHash, randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import express from 'express';
import { clientOf } from '../http/fair-queue.js';
import { HOUR_MS, limitAtOnce, limitRate, limitUploads } from '../http/limit-requests.js';
import { parseListQuery } from '../saved-runs/list.js';
import { formatOpenApi } from '../saved-runs/open-api.js';
import { checkWords, MAX_FORM_BYTES, MAX_SUBMISSION_BYTES, MAX_WORDS_BYTES } from '../saved-runs/submission.js';
import { answerNewStudy, answerStudyChange, answerStudyDeletion } from './field-api.js';
import { answerError, notJson, refusal, refuseFault, tokenOf } from './refusals.js';
import { answerComparison, answerStudy } from './matrix-exports.js';

/**
 * @import { SavedRun } from '../store/index.js'
 * @import { ErrorRequestHandler, Request, RequestHandler, Response, Router } from 'express'
 * @import { Logger } from 'pino'
 * @import { At } from '../base-path.js'
 * @import { Identity } from '../http/identity.js'
 * @import { Limits } from '../http/limits.js'
 * @import { MadeOnce } from '../http/made-once.js'
 * @import { Archive } from '../saved-runs/archive.js'
 * @import { Documents } from '../saved-runs/documents.js'
 * @import { FieldStudies } from '../field/studies.js'
 * @import { UsersReader } from '../field/users.js'
 */

const PATH = '/api/results';

const KEY = /^[\w-]{32}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * @typedef {{ archive: Archive, at: At, documentReads: RequestHandler, documents: Documents, identity: Identity, limits:
 *   Limits, log: Logger, madeOnce: MadeOnce, reads: RequestHandler, saves: RequestHandler, studyReads: RequestHandler[], version: string, fieldStudies:
 *   FieldStudies, usersReader: UsersReader }} ApiParts
 * @typedef {(parts: ApiParts, req: Request, res: Response) => Promise<void>} Answer
 */

/** Serves the API of saved runs and studies. @param {Router} routes @param {ApiParts} parts */
export function serveResultsApi(routes, parts) {
  const { archive, at, documentReads, limits, madeOnce, reads, saves, version, log } = parts;
  const deletions = limitRate({ windowMs: HOUR_MS, limit: limits.deletionsPerHour });
  const tooSlow = refusal('too-slow', 'The upload was too slow. Try again over a faster connection');
  const submissions = limitUploads({
    count: limits.submissionCount,
    graceMs: limits.submissionGraceMs,
    bytesPerSecond: limits.submissionBytesPerSecond,
    onTooSlow: (req, res) => answerError(log, tooSlow, req, res.set('Connection', 'close')),
  });
  // Each answer may be some MiB, and its client may not read.
  const answers = limitAtOnce({
    count: limits.answerCount,
    noun: 'documents being sent',
    limitMs: limits.answerMs,
  });
  /** Created at the first request. @type {string | undefined} */
  let openApi;
  /**
   * Limits that apply before the body is read, as it is held, too. Finding no room does not use up a client's limit.
   */
  const refuseOthers = refuseOtherSites(parts.identity);
  const beforeSaving = [refuseOthers, submissions, saves];
  const readBody = (/** @type {string} */ type, limit = MAX_SUBMISSION_BYTES) => express.raw({ type, limit });
  /** @param {Answer} answer @returns {RequestHandler} */
  const by = (answer) => (req, res) => answer(parts, req, res);

  routes.use(['/api', '/submission'], (_req, res, next) => {
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'no-cache');
    next();
  });
  routes
    .route('/api/openapi.json')
    .get(reads, (_req, res) => void res.type('json').send((openApi ??= formatOpenApi(version, at('')))))
    .all(allow('GET, HEAD'));
  routes
    .route(PATH)
    .get(reads, async (req, res) => {
      const asked = parseListQuery(req.query);
      const make = async () => {
        const { runs, next } = await archive.list(asked);
        return JSON.stringify({ results: runs.map((run) => describe(run, at)), next });
      };
      await madeOnce.send(req, res, { key: `list ${JSON.stringify(req.query)}`, type: 'json', make });
    })
    .post(beforeSaving, readBody('application/json'), by(saveRun))
    .all(allow('GET, HEAD, POST'));
  routes
    .route('/submission')
    .post(beforeSaving, readBody('multipart/form-data', MAX_FORM_BYTES), by(saveSubmission))
    .all(allow('POST'));
  routes.route(`${PATH}/:id.csv`).get(documentReads, answers, by(sendCsv)).all(allow('GET, HEAD'));
  routes.route(`${PATH}/:id.png`).get(documentReads, by(sendPicture)).all(allow('GET, HEAD'));
  routes
    .route(`${PATH}/:id`)
    .get(documentReads, answers, by(sendRun))
    .patch(beforeSaving, readBody('application/json', MAX_WORDS_BYTES), by(describeRun))
    .delete(refuseOthers, deletions, by(deleteRun))
    .all(allow('GET, HEAD, PATCH, DELETE'));
  serveStudies(routes, parts, { beforeSaving, refuseOthers, deletions });
  routes.route('/api/compare').get(reads, answerComparison(parts)).all(allow('GET, HEAD'));
  routes.use('/api', () => {
    throw refusal('not-found', `path: expected a path described in ${at('/api/openapi.json')}`);
  });
  /** @type {ErrorRequestHandler} */
  const answerWrong = (error, req, res, next) => {
    if (!res.headersSent) answerError(log, error, req, res);
    // A request that was refused during its upload has its answer.
    else if (!res.writableEnded) next(error);
  };
  routes.use(['/api', '/submission'], answerWrong);
}

/**
 * @param {Router} routes @param {ApiParts} parts
 * @param {{ beforeSaving: RequestHandler[], refuseOthers: RequestHandler, deletions: RequestHandler }} limits
 */
function serveStudies(routes, parts, { beforeSaving, refuseOthers, deletions }) {
  const { studyReads } = parts;
  const readWords = express.raw({ type: 'application/json', limit: MAX_WORDS_BYTES });
  routes.route('/api/studies/:label').get(studyReads, answerStudy(parts)).all(allow('GET, HEAD'));
  routes
    .route('/api/studies')
    .get(studyReads, answerStudy(parts))
    .post(beforeSaving, readWords, answerNewStudy(parts))
    .patch(beforeSaving, readWords, answerStudyChange(parts))
    .delete(refuseOthers, deletions, answerStudyDeletion(parts))
    .all(allow('GET, HEAD, POST, PATCH, DELETE'));
}

/** @param {string} methods that a path has @returns {RequestHandler} for all others */
function allow(methods) {
  return (req, res) => {
    res.set('Allow', methods);
    throw refusal('wrong-method', `method: expected ${methods.replaceAll(', ', ' or ')}, got ${req.method}`);
  };
}

/**
 * Refuses other sites, which must not make browsers save or delete here.
 * @param {Identity} identity @returns {RequestHandler}
 */
const refuseOtherSites = (identity) => (req, _res, next) => {
  const got = req.headers.origin ?? 'another site';
  next(identity.isOwn(req) ? undefined : refusal('origin-refused', `Origin: expected this site, got ${got}`));
};

/** @type {Answer} */
async function saveRun({ archive, at, documents, log }, req, res) {
  if (!Buffer.isBuffer(req.body)) throw notJson();
  const key = req.get('idempotency-key');
  if (key !== undefined && !KEY.test(key)) {
    throw refusal('bad-request', 'Idempotency-Key: expected 24 bytes in base64url (32 characters)');
  }
  const { outcome, run, deleteToken } = await archive.save(await documents.check(req.body, clientOf(req, res)), key);
  if (outcome === 'conflict')
    throw refusal('conflict', 'Idempotency-Key: expected a new key, got the key of another run');
  if (outcome === 'saved') log.info({ id: run.id, experiment: run.experiment }, 'run saved');
  res
    .status(outcome === 'saved' ? 201 : 200)
    .location(at(`${PATH}/${run.id}`))
    .json({ ...describe(run, at), deleteToken });
}

/** Saves what the app of 2019 shares. Its uuid is the delete token. @type {Answer} */
async function saveSubmission({ archive, at, documents, log }, req, res) {
  if (!Buffer.isBuffer(req.body)) throw refusal('wrong-type', 'Content-Type: expected multipart/form-data');
  const form = await documents.checkForm(req.body, String(req.get('content-type')), clientOf(req, res));
  const { submission, counts, uuid = randomUUID() } = form;
  const isNew = form.uuid === undefined;
  if (!isNew && !UUID.test(uuid))
    throw refusal('bad-request', 'submission: expected the uuid of an earlier submission');
  const run = isNew ? (await archive.save(submission, uuid)).run : await archive.replace(submission, uuid);
  if (!run) throw unknownSubmission();
  log.info({ id: run.id, experiment: run.experiment }, isNew ? 'run saved' : 'run replaced');
  res
    .status(isNew ? 201 : 200)
    .location(at(`${PATH}/${run.id}`))
    .json({ submission: { uuid, runs: counts } });
}

/** @type {Answer} */
async function sendCsv({ archive, documents }, req, res) {
  const { run, document } = await findWhole(archive, req);
  const csv = await documents.formatCsv({ experiment: run.experiment, document }, clientOf(req, res));
  res.attachment(`sockshootout-${run.id}.csv`).type('text/csv').send(Buffer.from(csv));
}

/** Sends what other sites show beside a link to the run. @type {Answer} */
async function sendPicture({ archive, documents, identity, madeOnce, version }, req, res) {
  const run = await archive.find(String(req.params.id));
  if (!run) throw unknownRun();
  const url = identity.urlOf(req);
  const site = parseUrl(url)?.host ?? '';
  // The run may have changed since it was read.
  const key = `picture ${site} ${version} ${JSON.stringify(run)}`;
  res.set({
    ETag: `W/"${createHash('sha256').update(key).digest('base64url')}"`,
    'Cache-Control': 'public, max-age=3600',
  });
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  const make = async () => {
    const { document } = await findWhole(archive, req);
    return documents.drawPicture({ experiment: run.experiment, document, place: run.place?.name, site }, req.ip);
  };
  res.set('Cross-Origin-Resource-Policy', 'cross-origin');
  await madeOnce.send(req, res, { key, type: 'png', make });
}

/** @type {Answer} */
async function sendRun({ archive, at, log }, req, res) {
  const { run, document } = await findWhole(archive, req);
  const parts = await archive.findParts(run.id);
  const words = JSON.stringify({ ...describe(run, at), parts: Object.keys(parts).length > 0 ? parts : undefined });
  // A document changes only with the time when it was saved, which is in `words`, with everything else that is sent.
  res.type('json').set('ETag', `W/"${createHash('sha256').update(words).digest('base64url')}"`);
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  // The document is sent as it was stored, without being parsed, and no faster than its client reads.
  await pipeline(embed(words, document), res).catch((error) => {
    // That code means that its client has left, or was too slow.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error, path: req.path }, 'document not sent');
  });
}

/** @param {string} words JSON of an object @param {Uint8Array} document its JSON, by gzip */
async function* embed(words, document) {
  const gunzip = createGunzip();
  gunzip.end(document);
  yield `${words.slice(0, -1)},"document":`;
  yield* gunzip;
  yield '}';
}

/** Changes label, note and place. @type {Answer} */
async function describeRun({ archive, at, log }, req, res) {
  if (!Buffer.isBuffer(req.body)) throw notJson();
  const id = String(req.params.id);
  refuseFault(await archive.describe(id, tokenOf(req), checkWords(req.body)), THIS_RUN);
  const run = await archive.find(id);
  if (!run) throw unknownRun();
  log.info({ id }, 'run described');
  res.json(describe(run, at));
}

/** @type {Answer} */
async function deleteRun({ archive, log }, req, res) {
  refuseFault(await archive.delete(String(req.params.id), tokenOf(req)), THIS_RUN);
  log.info({ id: req.params.id }, 'run deleted');
  res.status(204).end();
}

/** @param {Archive} archive @param {Request} req @returns {Promise<{ run: SavedRun, document: Uint8Array }>} by gzip */
async function findWhole(archive, req) {
  const id = String(req.params.id);
  const run = await archive.find(id);
  const document = run && (await archive.findDocument(id));
  if (!run || document === undefined) throw unknownRun();
  return { run, document };
}

/** @param {SavedRun} run @param {At} at */
const describe = ({ id, savedAt, experiment, label, note, place, partOf, digest }, at) => {
  return { id, url: at(`/results/${id}`), savedAt, experiment, label, note, place, partOf, digest };
};

const THIS_RUN = Object.freeze({
  unknown: 'id: expected the ID of a shared run, got an unknown ID. The run may have been deleted',
  wrong: 'Authorization: expected the delete token of this run, got another',
});

const unknownRun = () => refusal('not-found', THIS_RUN.unknown);

const unknownSubmission = () =>
  refusal(
    'not-found',
    'submission: expected the uuid of a submission, got an unknown uuid. The run may have been deleted',
  );
