/**
 * `/api/results`: runs saved, listed, read and deleted by programs, the site's own pages among them.
 */
import express, { Router } from 'express';
import { DocumentError, kindOf } from '../../core/documents/index.js';
import { limitRate } from '../limit-rate.js';
import { ERROR_STATUS } from '../saved-runs/schemas.js';
import { parseListQuery, QueryError } from '../saved-runs/list-query.js';
import { MAX_SUBMISSION_BYTES } from '../saved-runs/submission.js';
import { formatOpenApi } from '../saved-runs/open-api.js';

const PATH = '/api/results';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** @typedef {import('../store/index.js').SavedRun} SavedRun */

/** An answer that says what is wrong. */
class ApiError extends Error {
  /**
   * @param {keyof typeof ERROR_STATUS} code
   * @param {string} message
   * @param {string} [path] of the field that is wrong
   */
  constructor(code, message, path) {
    super(message);
    /** @type {keyof typeof ERROR_STATUS} */
    this.code = code;
    this.path = path;
  }
}

/**
 * @param {object} options
 * @param {import('../saved-runs/archive.js').Archive} options.archive
 * @param {import('../saved-runs/submission-checker.js').SubmissionChecker} options.checker
 * @param {import('../limits.js').Limits} options.limits
 * @param {string} options.version of this server
 * @param {import('pino').Logger} options.log
 */
export function resultsApiRoutes({ archive, checker, limits, version, log }) {
  const router = Router();
  const reads = limitRate({ windowMs: MINUTE_MS, limit: limits.readsPerMinute, refuse });
  const writes = limitRate({ windowMs: HOUR_MS, limit: limits.savesPerHour, refuse });
  const openApi = formatOpenApi(version);

  router.use('/api', (_req, res, next) => {
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'no-cache');
    next();
  });

  router.get('/api/openapi.json', reads, (_req, res) => {
    res.type('json').send(openApi);
  });

  router.post(
    PATH,
    refuseOtherSites,
    writes,
    (_req, _res, next) => {
      const isBusy = checker.waitingCount() >= limits.submissionCount;
      next(isBusy ? new ApiError('busy', 'This server is checking other runs; try again in a moment') : undefined);
    },
    express.raw({ type: 'application/json', limit: MAX_SUBMISSION_BYTES }),
    async (req, res) => {
      if (!Buffer.isBuffer(req.body)) throw new ApiError('wrong-type', 'Content-Type: expected application/json');
      const { run, deleteToken } = await archive.save(await checker.check(req.body));
      log.info({ id: run.id, experiment: run.experiment }, 'run saved');
      res
        .status(201)
        .location(`${PATH}/${run.id}`)
        .json({ ...describe(run), deleteToken });
    },
  );

  router.get(PATH, reads, async (req, res) => {
    const { runs, next } = await archive.list(parseListQuery(req.query));
    res.json({ results: runs.map(describe), next });
  });

  router.get(`${PATH}/:id.csv`, reads, async (req, res) => {
    const { run, document } = await findWhole(String(req.params.id));
    const kind = kindOf(run.experiment);
    res
      .attachment(`sockshootout-${run.id}.csv`)
      .type('text/csv')
      .send(kind?.formatCsv(JSON.parse(document)));
  });

  router.get(`${PATH}/:id`, reads, async (req, res) => {
    const { run, document } = await findWhole(String(req.params.id));
    // The document goes out as it came in, without being read.
    const words = JSON.stringify(describe(run)).slice(0, -1);
    res.type('json').send(`${words},"document":${document}}`);
  });

  router.delete(`${PATH}/:id`, refuseOtherSites, writes, async (req, res) => {
    const [, token] = /^Bearer ([\w-]+)$/.exec(req.get('authorization') ?? '') ?? [];
    if (!token) throw new ApiError('no-token', 'Authorization: expected Bearer and the token that saving answered');
    const outcome = await archive.delete(String(req.params.id), token);
    if (outcome === 'unknown') throw unknownRun();
    if (outcome === 'wrong-token')
      throw new ApiError('wrong-token', 'Authorization: this is not the token of that run');
    log.info({ id: req.params.id }, 'run deleted');
    res.status(204).end();
  });

  router.all([PATH, `${PATH}/:id`, '/api/openapi.json'], (req) => {
    throw new ApiError('wrong-method', `method: expected another for this path, got ${req.method}`);
  });
  router.use('/api', () => {
    throw new ApiError('not-found', 'path: there is nothing here; /api/openapi.json says what there is');
  });
  router.use('/api', answerApiError(log));

  /**
   * @param {string} id
   * @returns {Promise<{ run: SavedRun, document: string }>}
   */
  const findWhole = async (id) => {
    const run = await archive.find(id);
    const document = run && (await archive.findDocument(id));
    if (!run || document === undefined) throw unknownRun();
    return { run, document };
  };

  return router;
}

/** @param {SavedRun} run */
function describe({ id, savedAt, experiment, label, note, place, digest }) {
  return { id, url: `/results/${id}`, savedAt, experiment, label, note, place, digest };
}

function unknownRun() {
  return new ApiError('not-found', 'id: there is no run by this id; it may have been deleted');
}

/** @type {import('express').RequestHandler} */
const refuse = (_req, _res, next) =>
  next(new ApiError('too-many', 'Too many requests from this address; try again later'));

/**
 * Another site's page must not make its visitors' browsers save or delete here. A program sends no Origin.
 *
 * @type {import('express').RequestHandler}
 */
const refuseOtherSites = (req, _res, next) => {
  const { origin, host } = req.headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  next(isOwn ? undefined : new ApiError('origin-refused', `Origin: ${origin} may not save or delete here`));
};

/**
 * @param {import('pino').Logger} log
 * @returns {import('express').ErrorRequestHandler}
 */
function answerApiError(log) {
  return (error, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const { code, message, path } = toApiError(error);
    if (code === 'internal') log.error({ err: error, path: req.path }, 'request failed');
    if (code === 'busy') res.set('Retry-After', '1');
    res.status(ERROR_STATUS[code]).json({ error: { code, message, path } });
  };
}

/**
 * @param {any} error
 * @returns {{ code: keyof typeof ERROR_STATUS, message: string, path?: string }}
 */
function toApiError(error) {
  if (error instanceof ApiError) return error;
  if (error instanceof DocumentError) return { code: 'bad-run', message: error.reason, path: error.path || undefined };
  if (error instanceof QueryError) return { code: 'bad-query', message: error.reason, path: error.path || undefined };
  if (error?.type === 'entity.too.large') {
    return { code: 'too-large', message: `body: expected at most ${MAX_SUBMISSION_BYTES} bytes` };
  }
  // What the body's reader found: an encoding that there is not, a length that is wrong.
  if (error?.status >= 400 && error.status < 500) return { code: 'bad-request', message: error.message };
  return { code: 'internal', message: 'The fault is ours; it has been logged' };
}
