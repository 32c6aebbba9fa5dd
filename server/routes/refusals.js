/** Renders the page that says why another cannot be shown. */
import { QueryError } from '../saved-runs/list.js';

/** @import { ErrorRequestHandler, Response } from 'express' */

/** The names of a link's parts on pages, by its parameters. @type {Readonly<Record<string, string>>} */
const PARTS_OF_LINK = { ids: 'Its list of runs', label: 'Its label', plan: 'Its plan', say: 'Its message' };

/** What can be done instead, by the wrong parameter. @type {Readonly<Record<string, { href: string, text: string }>>} */
const LINKS = {
  ids: { href: '/results', text: 'Choose runs' },
  plan: { href: '/c', text: 'Make another link' },
};

/** Refuses an invalid link. Its text is not repeated, as it may be misleading. @type {ErrorRequestHandler} */
export function refuseQuery(error, _req, res, next) {
  if (!(error instanceof QueryError)) return next(error);
  const link = LINKS[error.path];
  const subject = PARTS_OF_LINK[error.path] ?? error.path;
  refuse(res.status(400), { title: 'This link is invalid', message: `${subject} is invalid: ${error.reason}.`, link });
}

/** @param {Response} res @param {{ title: string, message: string, link?: { href: string, text: string } }} words */
export function refuse(res, { link = { href: '/results', text: 'Results' }, ...words }) {
  res.render('error', { ...words, section: '/results', link });
}
