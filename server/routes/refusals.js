/** What cannot be shown, or done: the page that says why, and the errors of the API, each with a code and its status. */
import { QueryError } from '../saved-runs/list.js';
import { DocumentError } from '../../core/experiment/documents/check.js';
import { RefusalError } from '../http/exchange.js';
import { ERROR_STATUS } from '../saved-runs/schemas.js';
import { StoreError } from '../store/store-error.js';

/**
 * @import { ErrorRequestHandler, Response, Request } from 'express'
 * @import { Logger } from 'pino'
 */

/** The names of a link's parts on pages, by its parameters. @type {Readonly<Record<string, string>>} */
const PARTS_OF_LINK = { ids: 'Its list of runs', label: 'Its label', plan: 'Its plan', say: 'Its message' };

/** What can be done instead, by the wrong parameter. @type {Readonly<Record<string, { href: string, text: string }>>} */
const LINKS = {
  ids: { href: '/results', text: 'Choose runs' },
  plan: { href: '/c', text: 'Create another link' },
};

/** Refuses an invalid link. Its text is not repeated, as it may be misleading. @type {ErrorRequestHandler} */
export function refuseQuery(error, _req, res, next) {
  if (!(error instanceof QueryError)) return next(error);
  const link = LINKS[error.path];
  const subject = PARTS_OF_LINK[error.path] ?? error.path;
  refuse(res.status(400), { title: 'This link is invalid', message: `${subject} is invalid: ${error.reason}.`, link });
}

/**
 * Shows a page that says why there is no other.
 * @param {Response} res @param {{ title: string, message: string, link?: { href: string, text: string } }} words
 */
export function refuse(res, { link = { href: '/results', text: 'See all results' }, ...words }) {
  res.render('error', { ...words, section: '/results', link });
}

/** @typedef {keyof typeof ERROR_STATUS} Code */

const OUT_OF_REACH = 'The server cannot reach its shared runs. Try again later';
/** The errors for visitors if the database cannot be used. The log has the file and the cause. */
const STORE_PROBLEMS = /** @type {const} */ ({
  full: ['store-full', 'The server has no room for more shared runs. Download the JSON, or try again later'],
  'read-only': ['store-read-only', 'The server cannot save or delete runs now. Try again later'],
  damaged: ['store-unavailable', OUT_OF_REACH],
  unavailable: ['store-unavailable', OUT_OF_REACH],
});

/** Creates the error of a refused request of the API. @param {Code} code @param {string} message */
export const refusal = (code, message) => new RefusalError(code, message, ERROR_STATUS[code]);

/** Answers an error of the API as JSON. @param {Logger} log @param {unknown} error @param {Request} req @param {Response} res */
export function answerError(log, error, req, res) {
  const [code, message, path] = toApiError(error);
  if (error instanceof StoreError) log.error({ err: error, path: req.path }, 'the store cannot be used');
  if (code === 'internal') log.error({ err: error, path: req.path }, 'request failed');
  if (code === 'busy') res.set('Retry-After', '1');
  res.status(ERROR_STATUS[code]).json({ error: { code, message, path: path || undefined } });
}

/** @param {any} error @returns {readonly [code: Code, message: string, path?: string]} */
function toApiError(error) {
  if (error instanceof RefusalError) return [/** @type {Code} */ (error.code), error.message];
  if (error instanceof DocumentError) return ['bad-run', error.reason, error.path];
  if (error instanceof QueryError) return ['bad-query', error.reason, error.path];
  if (error instanceof StoreError) return STORE_PROBLEMS[error.reason];
  if (error?.type === 'entity.too.large') return ['too-large', `body: expected at most ${error.limit} bytes`];
  // The body parser found an unknown encoding or a wrong length.
  if (error?.status >= 400 && error.status < 500) return ['bad-request', error.message];
  return ['internal', 'The server failed, and logged the error'];
}

export const notJson = () => refusal('wrong-type', 'Content-Type: expected application/json');

/** @param {Request} req @returns {string} the secret of whoever may change something @throws {RefusalError} without one */
export function tokenOf(req) {
  const [, token] = /^Bearer ([\w-]+)$/.exec(req.get('authorization') ?? '') ?? [];
  if (!token) throw refusal('no-token', 'Authorization: expected Bearer and the token');
  return token;
}

/**
 * Throws what kept a change from being made.
 * @param {string} outcome of the change @param {{ unknown: string, wrong: string }} texts @throws {RefusalError}
 */
export function refuseFault(outcome, { unknown, wrong }) {
  if (outcome === 'unknown') throw refusal('not-found', unknown);
  if (outcome === 'wrong-token') throw refusal('wrong-token', wrong);
  if (outcome === 'is-part')
    throw refusal('conflict', 'id: expected a whole run, got a part, which is changed and deleted with it');
}
