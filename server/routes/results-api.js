/**
 * `/api/results`: saves, lists, reads and deletes runs, for the site's pages and for programs.
 */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import express, { Router } from 'express';
import { DocumentError } from '../../core/experiment/documents/check.js';
import { RefusalError } from '../http/answer.js';
import { isOwnOrigin } from '../http/gate.js';
import { limitAtOnce, limitRate, limitUploads } from '../http/limit-requests.js';
import { ERROR_STATUS } from '../saved-runs/schemas.js';
import { parseListQuery, QueryError } from '../saved-runs/list-query.js';
import { MAX_SUBMISSION_BYTES } from '../saved-runs/submission.js';
import { formatOpenApi } from '../saved-runs/open-api.js';
import { StoreError } from '../store/index.js';

/**
 * @import { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
 * @import { Logger } from 'pino'
 * @import { Archive } from '../saved-runs/archive.js'
 * @import { SavedRun } from '../store/index.js'
 * @import { StoreReason } from '../store/store-error.js'
 * @import { Parts } from '../parts.js'
 */

const PATH = '/api/results';
const HOUR_MS = 3_600_000;

/** 24 bytes, as a saver's page makes them. */
const KEY = /^[\w-]{32}$/;

/**
 * What visitors read when the database cannot be used. The log has the file and the cause.
 *
 * @type {Readonly<Record<StoreReason, { code: keyof typeof ERROR_STATUS, message: string }>>}
 */
const STORE_PROBLEMS = {
  full: {
    code: 'store-full',
    message: 'The server has no room for more shared runs. Download the JSON, or try again later',
  },
  'read-only': { code: 'store-read-only', message: 'The server cannot change its shared runs. Try again later' },
  damaged: { code: 'store-unavailable', message: 'The server cannot reach its shared runs. Try again later' },
  unavailable: { code: 'store-unavailable', message: 'The server cannot reach its shared runs. Try again later' },
};

const TOO_SLOW = 'The upload was too slow. Try again over a faster connection';

/** The methods that each path has. */
const ALLOWED = {
  [PATH]: 'GET, HEAD, POST',
  [`${PATH}/:id.csv`]: 'GET, HEAD',
  [`${PATH}/:id`]: 'GET, HEAD, DELETE',
  '/api/openapi.json': 'GET, HEAD',
};

/**
 * @typedef {Pick<Parts, 'archive' | 'documents' | 'limits' | 'log' | 'reads'> & { version: string }} ApiParts
 * @typedef {(parts: ApiParts, req: Request, res: Response) => Promise<void>} Answer
 */

/** @param {ApiParts} parts */
export function resultsApiRoutes(parts) {
  const { archive, limits, reads, version, log } = parts;
  const router = Router();
  const answerError = createErrorAnswer(log);
  const saves = limitRate({ windowMs: HOUR_MS, limit: limits.savesPerHour });
  const deletions = limitRate({ windowMs: HOUR_MS, limit: limits.deletionsPerHour });
  const submissions = limitUploads({
    addressCount: limits.submissionAddressCount,
    perAddress: limits.submissionsPerAddress,
    graceMs: limits.submissionGraceMs,
    bytesPerSecond: limits.submissionBytesPerSecond,
    onTooSlow: (req, res) => answerError(refusal('too-slow', TOO_SLOW), req, res.set('Connection', 'close')),
  });
  // Each may be some MiB, and its client may not read.
  const answers = limitAtOnce({ count: limits.answerCount, limitMs: limits.answerMs });
  const openApi = formatOpenApi(version);
  const readBody = express.raw({ type: 'application/json', limit: MAX_SUBMISSION_BYTES });

  router.use('/api', (_req, res, next) => {
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'no-cache');
    next();
  });
  router.get('/api/openapi.json', reads, (_req, res) => {
    res.type('json').send(openApi);
  });
  // Before the body: what is coming in is held, too. Whoever finds no room may come again without using up the limit.
  router.post(PATH, refuseOtherSites, submissions, saves, readBody, (req, res) => saveRun(parts, req, res));
  router.get(PATH, reads, async (req, res) => {
    const { runs, next } = await archive.list(parseListQuery(req.query));
    res.json({ results: runs.map(describe), next });
  });
  router.get(`${PATH}/:id.csv`, reads, answers, (req, res) => sendCsv(parts, req, res));
  router.get(`${PATH}/:id`, reads, answers, (req, res) => sendRun(parts, req, res));
  router.delete(`${PATH}/:id`, refuseOtherSites, deletions, (req, res) => deleteRun(parts, req, res));
  refuseOthers(router);
  router.use(
    '/api',
    /** @type {ErrorRequestHandler} */
    (
      (error, req, res, next) => {
        if (!res.headersSent) answerError(error, req, res);
        // One that was refused while it came in has its answer.
        else if (!res.writableEnded) next(error);
      }
    ),
  );
  return router;
}

/** @param {Router} router what it has no route for */
function refuseOthers(router) {
  for (const [path, allowed] of Object.entries(ALLOWED)) {
    router.all(path, (req, res) => {
      res.set('Allow', allowed);
      throw refusal('wrong-method', `method: expected one of ${allowed}, got ${req.method}`);
    });
  }
  router.use('/api', () => {
    throw refusal('not-found', 'path: expected a path of /api/openapi.json');
  });
}

/** @type {Answer} */
async function saveRun({ archive, documents, log }, req, res) {
  if (!Buffer.isBuffer(req.body)) throw refusal('wrong-type', 'Content-Type: expected application/json');
  const key = req.get('idempotency-key');
  if (key !== undefined && !KEY.test(key)) {
    throw refusal('bad-request', 'Idempotency-Key: expected 24 bytes in base64url (32 characters)');
  }
  const { outcome, run, deleteToken } = await archive.save(await documents.check(req.body), key);
  if (outcome === 'conflict') throw refusal('conflict', 'Idempotency-Key: expected a new key, got that of another run');
  if (outcome === 'saved') log.info({ id: run.id, experiment: run.experiment }, 'run saved');
  res
    .status(outcome === 'saved' ? 201 : 200)
    .location(`${PATH}/${run.id}`)
    .json({ ...describe(run), deleteToken });
}

/** @type {Answer} */
async function sendCsv({ archive, documents }, req, res) {
  const { run, document } = await findWhole(archive, req);
  const csv = await documents.formatCsv({ experiment: run.experiment, document });
  res
    .attachment(`sockshootout-${run.id}.csv`)
    .type('text/csv')
    .send(Buffer.from(csv.buffer, csv.byteOffset, csv.length));
}

/** @type {Answer} */
async function sendRun({ archive, log }, req, res) {
  const { run, document } = await findWhole(archive, req);
  const words = JSON.stringify(describe(run));
  // A document never changes, and of what stands beside it all is in the words.
  res.type('json').set('ETag', `W/"${createHash('sha256').update(words).digest('base64url')}"`);
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  // It goes out as it came in, without being read, and no faster than its client reads.
  await pipeline(embed(words, document), res).catch((error) => {
    // Otherwise its client is gone, or was too slow.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error, path: req.path }, 'document not sent');
  });
}

/** @type {Answer} */
async function deleteRun({ archive, log }, req, res) {
  const [, token] = /^Bearer ([\w-]+)$/.exec(req.get('authorization') ?? '') ?? [];
  if (!token) throw refusal('no-token', 'Authorization: expected Bearer and the delete token');
  const outcome = await archive.delete(String(req.params.id), token);
  if (outcome === 'unknown') throw unknownRun();
  if (outcome === 'wrong-token')
    throw refusal('wrong-token', 'Authorization: expected the delete token of this run, got another');
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

/** @param {SavedRun} run */
function describe({ id, savedAt, experiment, label, note, place, digest }) {
  return { id, url: `/results/${id}`, savedAt, experiment, label, note, place, digest };
}

/** @param {keyof typeof ERROR_STATUS} code @param {string} message */
function refusal(code, message) {
  return new RefusalError(code, message, ERROR_STATUS[code]);
}

function unknownRun() {
  return refusal('not-found', 'id: expected the ID of a shared run, got none; it may have been deleted');
}

/** @param {string} words JSON of an object @param {Uint8Array} document its JSON, by gzip */
async function* embed(words, document) {
  const gunzip = createGunzip();
  gunzip.end(document);
  yield `${words.slice(0, -1)},"document":`;
  for await (const chunk of gunzip) yield chunk;
  yield '}';
}

/**
 * Another site's page must not make its visitors' browsers save or delete here. A program sends no Origin.
 *
 * @type {RequestHandler}
 */
const refuseOtherSites = (req, _res, next) => {
  const { origin, host } = req.headers;
  const isOwn = origin === undefined || isOwnOrigin(origin, host);
  next(isOwn ? undefined : refusal('origin-refused', `Origin: expected this site, got ${origin}`));
};

/** @param {Logger} log @returns {(error: unknown, req: Request, res: Response) => void} */
function createErrorAnswer(log) {
  return (error, req, res) => {
    const { code, message, path } = toApiError(error);
    if (error instanceof StoreError) log.error({ err: error, path: req.path }, 'the store cannot be used');
    if (code === 'internal') log.error({ err: error, path: req.path }, 'request failed');
    if (code === 'busy') res.set('Retry-After', '1');
    res.status(ERROR_STATUS[code]).json({ error: { code, message, path } });
  };
}

/** @param {any} error @returns {{ code: keyof typeof ERROR_STATUS, message: string, path?: string }} */
function toApiError(error) {
  if (error instanceof RefusalError) return /** @type {any} */ ({ code: error.code, message: error.message });
  if (error instanceof DocumentError) return { code: 'bad-run', message: error.reason, path: error.path || undefined };
  if (error instanceof StoreError) return STORE_PROBLEMS[error.reason];
  if (error instanceof QueryError) return { code: 'bad-query', message: error.reason, path: error.path || undefined };
  if (error?.type === 'entity.too.large') {
    return { code: 'too-large', message: `body: expected at most ${MAX_SUBMISSION_BYTES} bytes` };
  }
  // What the body's reader found: an encoding that there is not, a length that is wrong.
  if (error?.status >= 400 && error.status < 500) return { code: 'bad-request', message: error.message };
  return { code: 'internal', message: 'The server failed, and logged the error' };
}
