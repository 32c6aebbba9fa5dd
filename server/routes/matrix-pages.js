/**
 * Pages of matrices: of a study, `/c?label=LABEL`, and of a comparison, `/compare?ids=A,B`. `/c` makes links of studies.
 */
import { createHash } from 'node:crypto';
import { studyPath } from '../../core/base/base-url.js';
import { InvalidInputError, visible, visibleThroughout } from '../../core/base/foreign-text.js';
import { formatBrowsers } from '../../core/field/sentence.js';
import { CURVE_CAPTION } from '../../core/matrix/curve.js';
import { describeRows } from '../saved-runs/brief.js';
import { describeComparison } from '../saved-runs/comparisons.js';
import { comparePath, listPath, parseCompareQuery, parseLabel, QueryError } from '../saved-runs/list.js';
import { findCell, ICONS } from '../saved-runs/matrix.js';
import { MATRIX_FORMATS } from '../saved-runs/schemas.js';
import * as studies from '../saved-runs/studies.js';
import { describeUsersPart, USERS_FORMS } from '../field/users.js';
import { describeUnknown, findRuns } from './matrix-exports.js';
import { refuse } from './refusals.js';
import { UNFILLED } from './users-form.js';

/**
 * @import { Invitation } from '../../core/matrix/link.js'
 * @import { At } from '../base-path.js'
 * @import { FieldScript } from '../field/script.js'
 * @import { UsersReader } from '../field/users.js'
 * @import { Identity } from '../http/identity.js'
 * @import { PageParts, SharingLimits } from '../parts.js'
 * @import { Archive } from '../saved-runs/archive.js'
 * @import { FoundCell, ShownMatrix } from '../saved-runs/matrix.js'
 * @import { Request, RequestHandler, Response, Router } from 'express'
 * @typedef {PageParts & { at: At, identity: Identity }} MatrixParts
 * @typedef {(parts: MatrixParts, req: Request, res: Response) => Promise<void> | void} Show
 *
 * @typedef {object} OpenedStudy
 * @property {{ label: string, path: string, listHref: string }} own what each of its pages shows; `path`: of its invitation
 * @property {URLSearchParams} query of the request
 * @property {Invitation} given by the link
 * @property {Invitation} invitation that, with the usual plan of its runs if the link has none
 * @property {() => ShownMatrix} parseShown parses its matrix, which takes long
 * @property {{ browserCount: number, isOn: boolean }} [users] absent where it has no part that users fill
 * @property {string} siteUrl
 * @property {string} key the same as long as its page is
 */

/** The runs behind a cell that its page lists. */
const MAX_LISTED = 100;

/** Whoever made the link wrote it, and not this site. */
const FROM_SENDER = 'From whoever sent this link:';

/** Serves `/c` and `/compare`. @param {Router} routes @param {MatrixParts & SharingLimits} parts */
export function serveMatrices(routes, { reads, studyReads, ...parts }) {
  routes.use(['/c', '/compare'], (_req, res, next) => {
    res.set('Cache-Control', 'no-cache');
    next();
  });
  routes.get('/c', unlessForm, ...studyReads, (req, res) => showStudy(parts, req, res));
  routes.get('/c', reads, (req, res) => showForm(parts, req, res));
  routes.get('/compare', reads, (req, res) => showComparison(parts, req, res));
  routes.get('/c/*label', reads, (req, res) => redirectToStudy(parts, req, res));
}

/** The form sends its label, too, with `make`. @type {RequestHandler} */
const unlessForm = ({ query: { label, make } }, _res, next) => next(label && make === undefined ? undefined : 'route');

/** Serves the links of earlier releases, also where a proxy has decoded the slash of a label. @type {Show} */
function redirectToStudy({ at }, req, res) {
  const label = [req.params.label].flat().join('/').replace(/\/$/, '');
  const { search } = new URL(req.url, 'http://x');
  res.redirect(301, at(studyPath(label) + search.replace('?', '&')));
}

/** @type {Show} */
async function showComparison({ archive, at, identity, madeOnce, render }, req, res) {
  const ids = parseCompareQuery(req.query);
  if (req.query.ids !== ids.join(',')) {
    res.redirect(303, at(comparePath(ids.map(encodeURIComponent))));
    return;
  }
  const { runs, unknown } = await findRuns(archive, ids);
  if (unknown.length === 0) {
    const url = identity.urlOf(req);
    const make = () => render('matrix', { ...describeComparison(runs, url), ...SHOWN });
    // The runs may have changed since they were read.
    await madeOnce.send(req, res, { key: JSON.stringify([url, runs]), type: 'html', make });
    return;
  }
  refuse(res.status(404), {
    title: 'No such run',
    message: describeUnknown(unknown),
    link: runs.length > 0 ? { href: comparePath(runs.map(({ id }) => id)), text: 'Compare the others' } : undefined,
  });
}

/** What all pages of a matrix show. */
const SHOWN = Object.freeze({ icons: ICONS, caption: CURVE_CAPTION });

/** @type {Show} */
function showForm({ identity }, req, res) {
  const [label, plan, say] = ['label', 'plan', 'say'].map((name) => [req.query[name] ?? ''].flat().join(' ').trim());
  try {
    const path = label && studies.invitationPath(parseLabel(label), readInvitation({ plan, say }));
    res.render('study-form', { ...UNFILLED, label, plan, say, link: path && identity.urlOf(req) + path });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const shown = { ...UNFILLED, label: visible(label), plan: visible(plan), say: visible(say) };
    res.status(400).render('study-form', { ...shown, problem: { at: error.path, words: error.message } });
  }
}

/** @param {Record<string, string> | URLSearchParams} query @throws {QueryError} */
function readInvitation(query) {
  try {
    return studies.readInvitation(new URLSearchParams(query));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const isSay = error.message.startsWith('say: ');
    throw new QueryError(isSay ? 'say' : 'plan', isSay ? error.message.slice(5) : error.message.replace(/^plan: /, ''));
  }
}

/** @type {Show} */
async function showStudy(parts, req, res) {
  const { madeOnce, render } = parts;
  const study = await openStudy(parts, req);
  const { key, query } = study;
  const cell = query.get('cell');
  if (cell !== null) return showCell(parts, { ...study, cell }, req, res);
  await madeOnce.send(req, res, { key, type: 'html', make: () => render('matrix', describeStudy(study)) });
}

/**
 * Reads what pages of a study show.
 * @param {MatrixParts} parts @param {Request} req @returns {Promise<OpenedStudy>}
 */
async function openStudy(parts, req) {
  const query = new URL(req.url, 'http://x').searchParams;
  const label = parseLabel(query.get('label'));
  const given = readInvitation(query);
  const plan = given.plan ?? (await studies.readUsualPlan(parts, label, req.ip));
  const invitation = { ...given, ...(plan && { plan }) };
  const make = () => studies.readStudy(parts, { label, form: 'page' }, req.ip);
  const json = await parts.madeOnce.read(`study ${label}`, make);
  const siteUrl = parts.identity.urlOf(req);
  const users = await describeUsersOf(parts, label, siteUrl);
  const path = studies.invitationPath(label, invitation);
  // Of the address, the page depends on all. The study may have changed since it was read.
  const shownJson = json + JSON.stringify(users);
  const key = `${siteUrl}${req.url} ${path} ${createHash('sha256').update(shownJson).digest('base64')}`;
  const own = { label, path, listHref: listPath({ label }) };
  return { own, query, given, invitation, parseShown: () => JSON.parse(json), users, siteUrl, key };
}

/**
 * Shows the runs behind a cell of a study.
 * @param {MatrixParts} parts @param {OpenedStudy & { cell: string }} study @param {Request} req @param {Response} res
 */
async function showCell(parts, { own, key, parseShown, cell }, req, res) {
  const found = findCell(parseShown(), cell);
  if (!found) {
    const link = { href: studyPath(own.label), text: 'Open the study' };
    const message = 'No run of this study is behind this cell. It may have been deleted.';
    refuse(res.status(404), { title: 'No such runs', message, link });
    return;
  }
  const make = async () => parts.render('study-runs', { ...own, ...(await describeCell(parts, found)) });
  await parts.madeOnce.send(req, res, { key, type: 'html', make });
}

/** What the page of a study shows. @param {OpenedStudy} study */
function describeStudy({ own, query, given, invitation, parseShown, users, siteUrl }) {
  const { label, path, listHref } = own;
  const shown = parseShown();
  const measured = shown.columns.map((column) => column.experiment);
  return {
    ...SHOWN,
    ...own,
    ...shown,
    columns: studies.withAsking(shown.columns, label),
    summary: describeCounted(shown, users),
    title: `Study: ${label}`,
    script: 'js/study.js',
    hidden: [...query].filter(([name]) => name !== 'cell'),
    asked: studies.describeAsked(label, { ...invitation, isLinked: given.plan !== undefined }, measured),
    fromSender: FROM_SENDER,
    users,
    // The line to add is else what a page begins with.
    hasActions: shown.rows.length > 0 || !users?.isOn || users.browserCount > 0,
    link: siteUrl + path,
    // There is nothing to export where nobody has measured.
    exports: shown.rows.length > 0 ? MATRIX_FORMATS.map((format) => ({ format, href: exportPath(label, format) })) : [],
    links: [{ text: 'All runs', href: listHref }],
    preview: {
      title: `Study: ${label}`,
      description: [invitation.say && `${FROM_SENDER} ${invitation.say}`, shown.sentence].filter(Boolean).join(' '),
      // What the newest run adds to it changes with the next one.
      url: siteUrl + studies.invitationPath(label, given),
      image: siteUrl + exportPath(label, 'png'),
    },
  };
}

/**
 * @param {{ count: number, summary: string }} runs @param {{ browserCount: number, isOn: boolean }} [users]
 * @returns {string} such as '132 browsers of users, and 4 runs from 4 places, 2026-11-27'
 */
function describeCounted({ count, summary }, users) {
  const browserCount = users?.browserCount ?? 0;
  const counted = [browserCount > 0 && `${formatBrowsers(browserCount)} of users`, count > 0 && summary];
  return (
    counted.filter(Boolean).join(', and ') ||
    (users?.isOn ? 'Waiting for the first browser' : 'Nobody has measured yet')
  );
}

/** @param {{ fieldScript: FieldScript, usersReader: UsersReader }} parts @param {string} label @param {string} url of the site */
async function describeUsersOf({ fieldScript, usersReader }, label, url) {
  const users = await usersReader.read(label);
  if (!users) return undefined;
  const exports = Object.keys(USERS_FORMS).map((format) => ({
    format,
    href: `${exportPath(label, format)}&part=users`,
  }));
  return { ...describeUsersPart(users, { url, integrity: fieldScript.integrity }), exports };
}

/** @param {string} label @param {string} format */
const exportPath = (label, format) => `/api/studies?label=${encodeURIComponent(label)}&format=${format}`;

/** @param {{ archive: Archive }} parts @param {FoundCell} cell */
async function describeCell({ archive }, { place, question, ids }) {
  const runs = await Promise.all(ids.slice(0, MAX_LISTED).map((id) => archive.find(id)));
  const found = runs.filter((run) => run !== undefined);
  return { ...visibleThroughout({ place, question }), ...describeRows(found), icons: ICONS, count: ids.length };
}
