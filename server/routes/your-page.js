/**
 * Serves `/yourpage`, where a recording of the visitor's own page is read. It is read in the browser: neither this page nor
 * its worker may send anything, which the headers of both say.
 */
import { readChange } from '../moving.js';

/**
 * @import { RequestHandler, Router } from 'express'
 * @import { KeptAnswers } from '../http/kept-answers.js'
 * @import { PageSender } from '../http/made-once.js'
 */

const PATH = '/yourpage';
const POLICY = 'Content-Security-Policy';
/** The scripts, styles and icons of the page itself, no connection, and no form. */
const SEALED_PAGE = [
  ...["default-src 'self'", "connect-src 'none'", "img-src 'self' data:", "form-action 'none'", "frame-src 'none'"],
  ...["base-uri 'none'", "frame-ancestors 'self'", "object-src 'none'"],
].join(';');
/** A worker has the policy that its script comes with, not that of its page. */
const SEALED_WORKER = "default-src 'none'";
const WORKER = 'js/recording-worker.js';

const PAGE = Object.freeze({
  view: 'your-page',
  data: { codes: ['sse', 'sockjs'].map(readChange) },
});

/**
 * Serves the page that reads a recording.
 * @param {Router} routes @param {{ kept: KeptAnswers, reads: RequestHandler, sendPage: PageSender }} parts
 */
export function serveYourPage(routes, { kept, reads, sendPage }) {
  routes.get(PATH, reads, async (req, res) => {
    res.set('Cache-Control', 'no-cache').set(POLICY, SEALED_PAGE);
    kept.keep(req, res, { url: PATH, body: await sendPage(req, res, PAGE), isLimited: true });
  });
}

/** @param {string} name of an asset @returns {Record<string, string>} the headers that it has besides those of all */
export const headersOfAsset = (name) => (name === WORKER ? { [POLICY]: SEALED_WORKER } : {});
