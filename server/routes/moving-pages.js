/** Serves `/moving/NAME`: what moving to a method takes, also for the visitor's own number of users, which the link keeps. */
import { InvalidInputError, visible } from '../../core/base/foreign-text.js';
import { parseField } from '../../core/experiment/plan/fields.js';
import { createMovings, scaleMemory, USERS } from '../moving.js';

/**
 * @import { RequestHandler, Router } from 'express'
 * @import { KeptAnswers } from '../http/kept-answers.js'
 * @import { MadeOnce, PageSender, Render } from '../http/made-once.js'
 * @import { Moving } from '../moving.js'
 * @typedef {{ given?: string, users?: number, problem?: string }} AskedUsers `given`: as it is shown again
 */

const VIEW = 'moving';
/** Of what is no number, in characters. */
const MAX_SHOWN = 20;

/**
 * Serves the pages about moving.
 * @param {Router} routes
 * @param {{ kept: KeptAnswers, madeOnce: MadeOnce, reads: RequestHandler, render: Render, sendPage: PageSender }} parts
 */
export function serveMovings(routes, { kept, madeOnce, reads, render, sendPage }) {
  const pages = new Map([...createMovings()].map(([url, page]) => [url, { page, usual: describe(page) }]));
  routes.get('/moving/:name', reads, async (req, res, next) => {
    const url = `/moving/${req.params.name}`;
    const found = pages.get(url);
    if (!found) return next();
    res.set('Cache-Control', 'no-cache');
    const asked = readUsers(req.query.users);
    if (asked.problem) return void res.status(400).render(VIEW, describe(found.page, asked));
    if (!asked.users)
      return kept.keep(req, res, {
        url,
        body: await sendPage(req, res, { view: VIEW, data: found.usual }),
        isLimited: true,
      });
    const make = () => render(VIEW, describe(found.page, asked));
    return madeOnce.send(req, res, { key: `${url} ${asked.users}`, type: 'html', make });
  });
}

/** @param {Moving} page @param {AskedUsers} [asked] */
const describe = (page, asked = {}) => ({
  ...page,
  ...asked,
  field: USERS,
  rows: page.memory && scaleMemory(page.memory, asked.users),
});

/**
 * @param {unknown} query by a link; a form sends an empty field, too
 * @returns {AskedUsers}
 */
function readUsers(query) {
  const given = [query ?? ''].flat().join().trim();
  if (given === '') return {};
  try {
    return { given, users: parseField(given, USERS) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { given: visible(given.slice(0, MAX_SHOWN)), problem: error.message };
  }
}
