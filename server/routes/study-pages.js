/** Studies: `/c` makes their links, `/c/LABEL` shows one, `/api/studies/LABEL` exports it. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CSV_FILE_START, InvalidInputError, visible, visibleThroughout } from '../../core/base/foreign-text.js';
import { toMarkup } from '../../core/base/svg.js';
import { MARKS } from '../../core/experiment/answers.js';
import { drawStudyCard } from '../../core/study/card.js';
import { CURVE_CAPTION, drawStudyCurve } from '../../core/study/curve.js';
import { formatStudyCsv, formatStudyJson, formatStudyMarkdown } from '../../core/study/export.js';
import { MAX_STUDY_RUNS } from '../../core/study/index.js';
import { MAX_SAY } from '../../core/study/link.js';
import { iconOf } from '../../core/full-test/icons.js';
import { describeListed, listPath, parseLabel, QueryError, studyPath } from '../saved-runs/list.js';
import { STUDY_FORMATS } from '../saved-runs/schemas.js';
import * as studies from '../saved-runs/studies.js';
import { refuse } from './refusals.js';

/**
 * @import { Parts } from '../parts.js'
 * @import { Request, RequestHandler, Response, Router } from 'express'
 * @import { SvgNode } from '../../core/base/svg.js'
 * @import { Study } from '../../core/study/index.js'
 * @import { SavedRun } from '../store/index.js'
 * @typedef {(parts: Pick<Parts, 'readStudy' | 'siteUrlOf'>, req: Request, res: Response) => Promise<void> | void} Show
 */

/** The runs behind a cell that its page lists. */
const MAX_LISTED = 100;

/** The distance curve on screens, and on the smallest phones, in CSS pixels: a smaller picture has smaller letters. */
/** Whoever made the link wrote it, and not this site. */
const FROM_SENDER = 'From whoever sent this link:';
const CURVE_SIZES = Object.freeze({ wide: { width: 640, height: 300 }, narrow: { width: 240, height: 260 } });

/** The formats of an export. @type {Record<typeof STUDY_FORMATS[number], { type: string, format: (label: string, study: Study) => string }>} */
const FORMATS = {
  json: { type: 'json', format: formatStudyJson },
  csv: { type: 'text/csv', format: (_, study) => CSV_FILE_START + formatStudyCsv(study) },
  markdown: { type: 'text/markdown', format: formatStudyMarkdown },
  svg: { type: 'image/svg+xml', format: drawStudyCard },
};

const ICONS = MARKS.map((mark) => ({ mark, symbol: toMarkup(iconOf(mark)).replace(/^<svg[^>]*>|<\/svg>$/g, '') }));

/** @param {Router} routes @param {Pick<Parts, 'readStudy' | 'siteUrlOf' | 'reads' | 'studyReads'>} parts */
export function serveStudies(routes, { reads, studyReads, ...parts }) {
  routes.use('/c', (_req, res, next) => {
    res.set('Cache-Control', 'no-cache');
    next();
  });
  routes.get('/c', reads, (req, res) => showForm(parts, req, res));
  routes.get('/c/:label', ...studyReads, (req, res) => showStudy(parts, req, res));
}

/** @param {Pick<Parts, 'readStudy'>} parts @returns {RequestHandler} of `/api/studies/:label` */
export const answerStudy =
  ({ readStudy }) =>
  async (req, res) => {
    const label = parseLabel(String(req.params.label));
    const { format: name = 'json', ...others } = req.query;
    const [other] = Object.keys(others);
    if (other !== undefined) throw new QueryError(other.slice(0, 60), 'expected no such field');
    const known = STUDY_FORMATS.find((one) => one === name);
    if (!known) throw new QueryError('format', `expected one of ${STUDY_FORMATS.join(', ')}`);
    const { study } = await readStudy(label);
    const { type, format } = FORMATS[known];
    // A name of a file has no slashes.
    if (name === 'csv') res.attachment(`sockshootout-${label.replace(/[\\/]/g, '-')}.csv`);
    res.type(type).send(format(label, study));
  };

/** @type {Show} */
function showForm({ siteUrlOf }, req, res) {
  const maxSay = MAX_SAY;
  const [label, plan, say] = ['label', 'plan', 'say'].map((name) => [req.query[name] ?? ''].flat().join(' ').trim());
  try {
    const path = label && studies.invitationPath(parseLabel(label), readInvitation({ plan, say }));
    res.render('study-form', { maxSay, label, plan, say, link: path && siteUrlOf(req) + path });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const shown = { maxSay, label: visible(label), plan: visible(plan), say: visible(say) };
    res.status(400).render('study-form', { ...shown, problem: error.message });
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
async function showStudy({ readStudy, siteUrlOf }, req, res) {
  const label = parseLabel(String(req.params.label));
  const query = new URL(req.url, 'http://x').searchParams;
  const invitation = readInvitation(query);
  const { study, runs, isWhole } = await readStudy(label);
  const path = studies.invitationPath(label, invitation);
  const own = { label, path, listHref: listPath({ label }) };
  const cell = query.get('cell');
  if (cell !== null) {
    showCell(res, own, studies.findCell(study, runs, cell));
    return;
  }
  const shown = studies.describeStudy(study);
  const curve = drawOnce(study);
  const preview = {
    title: `Study: ${label}`,
    description: [invitation.say && `${FROM_SENDER} ${invitation.say}`, study.sentence].filter(Boolean).join(' '),
    url: siteUrlOf(req) + path,
  };
  res.render('study', {
    ...own,
    ...shown,
    isWhole,
    maxRuns: MAX_STUDY_RUNS,
    count: runs.length,
    hidden: [...query].filter(([name]) => name !== 'cell'),
    asked: studies.describeAsked(label, invitation),
    fromSender: FROM_SENDER,
    link: siteUrlOf(req) + path,
    exports: STUDY_FORMATS.map((format) => ({ format, href: exportPath(label, format) })),
    icons: ICONS,
    curve,
    caption: CURVE_CAPTION,
    preview,
  });
}

/** @typedef {Record<keyof typeof CURVE_SIZES, string>} Curves markup by size */

/**
 * Keyed by the data of the curve: placing its names takes some hundredths of a second, and a study stays the same until a run of
 * it is shared or deleted. @type {LRUCache<string, { curves?: Curves }>}
 */
const drawnCurves = new LRUCache({ max: 100 });

/** @param {Study} study @returns {Curves | undefined} */
function drawOnce({ rows, columns }) {
  const key = createHash('sha256')
    .update(JSON.stringify([columns, rows]))
    .digest('base64');
  const kept = drawnCurves.get(key) ?? { curves: drawCurves({ rows, columns }) };
  drawnCurves.set(key, kept);
  return kept.curves;
}

/** @param {Pick<Study, 'rows' | 'columns'>} study @returns {Curves | undefined} */
function drawCurves(study) {
  const drawn = Object.entries(CURVE_SIZES).map(([name, size]) => [name, drawStudyCurve(study, size)]);
  if (!drawn[0][1]) return undefined;
  return Object.fromEntries(drawn.map(([name, svg]) => [name, toMarkup(/** @type {SvgNode} */ (svg))]));
}

/** @param {string} label @param {string} format */
const exportPath = (label, format) => `/api/studies/${encodeURIComponent(label)}?format=${format}`;

/**
 * Lists the runs behind a cell.
 * @param {Response} res @param {{ label: string, path: string, listHref: string }} own of the study
 * @param {ReturnType<typeof studies.findCell>} found
 */
function showCell(res, own, found) {
  if (!found) {
    const message = 'No run of this study is behind this cell. It may have been deleted.';
    refuse(res.status(404), {
      title: 'No such runs',
      message,
      link: { href: studyPath(own.label), text: 'The study' },
    });
    return;
  }
  const { place, question, runs } = found;
  const rows = runs
    .slice(0, MAX_LISTED)
    .map((run) => describeListed(/** @type {SavedRun} */ (/** @type {unknown} */ (run))));
  res.render('study-runs', { ...own, ...visibleThroughout({ place, question }), count: runs.length, rows });
}
