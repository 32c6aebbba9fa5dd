/** The pages of several shared runs, which show what the runs' rows hold; the pages' scripts read the documents. */
import { studyPath } from '../../core/base/base-url.js';
import { foldName } from '../../core/base/fold.js';
import { asClause, DASH, formatRtt } from '../../core/base/format.js';
import { visible, visibleThroughout } from '../../core/base/foreign-text.js';
import { isByTransport, pathsOf } from '../../core/matrix/comparison.js';
import { BROWSER_NAMES, addBrowser, formatBeside } from '../../core/experiment/names.js';
import { EXPERIMENTS } from '../../core/experiments/all.js';
import { DESCRIBED, findDescribed } from '../../core/full-test/all.js';
import { formatPlan } from '../../core/experiments/shootout/plan.js';
import { labelOf, LABELS } from '../../core/experiment/labels.js';
import { createComparison } from '../../core/matrix/index.js';
import { SHARES } from '../page-partials.js';
import {
  comparePath,
  describeListed,
  experimentOf,
  listPath,
  MAX_COMPARED,
  parseCompareQuery,
  parseListQuery,
  QueryError,
} from '../saved-runs/list.js';
import { describeCell, describeColumn, ICONS } from '../saved-runs/matrix.js';
import { SEARCHED_AT_ONCE } from '../store/lists.js';
import { refuse } from './refusals.js';

/**
 * @import { Parts } from '../parts.js'
 * @import { SavedRun } from '../store/index.js'
 * @import { Request, Response, Router } from 'express'
 * @import { Experiment } from '../../core/experiment/contract.js'
 * @typedef {Pick<Parts, 'archive' | 'at' | 'documents' | 'madeOnce' | 'render' | 'identity'>} PageParts
 * @typedef {(parts: PageParts, req: Request, res: Response) => Promise<void> | void} Show
 */

const FILTERS = ['experiment', 'transport', 'browser', 'place', 'label', 'server', 'valid'];

/** The number of the newest runs that shares are computed from. */
const MAX_SHARED_RUNS = 1000;

const IDS = /^[\w-]{16}(,[\w-]{16})*$/;

const CHOICES = {
  experiments: DESCRIBED.map(({ name, label }) => ({ value: name, label })),
  transports: Object.entries(LABELS).map(([value, label]) => ({ value, label })),
  browsers: BROWSER_NAMES.map((name) => ({ value: name, label: name })),
};

/** @param {Router} routes @param {PageParts & Pick<Parts, 'reads'>} parts */
export function serveResultLists(routes, { reads, ...parts }) {
  routes.use(['/results', '/compare'], (_req, res, next) => {
    res.set('Cache-Control', 'no-cache');
    next();
  });
  const pages = { '/results': showList, '/compare': showComparison };
  for (const [path, show] of Object.entries(pages)) routes.get(path, reads, (req, res) => show(parts, req, res));
}

/** @type {Show} */
async function showList(parts, req, res) {
  const { archive, madeOnce, render } = parts;
  const { beside: given, ...query } = req.query;
  const beside = IDS.test(String(given)) ? String(given) : undefined;
  const values = Object.fromEntries(FILTERS.map((name) => [name, visible([query[name] ?? ''].flat().join(','))]));
  const page = { ...CHOICES, values, beside, most: MAX_COMPARED, clearHref: listPath({ beside }) };
  try {
    const asked = parseListQuery(query);
    const filters = { ...values, beside };
    const make = async () => {
      const { runs, next } = await archive.list(asked);
      return render('results', {
        ...page,
        rows: runs.map(describeListed),
        shares: query.cursor ? [] : await findShares(parts, values.experiment, req.ip),
        isLater: Boolean(query.cursor),
        firstHref: listPath(filters),
        nextHref: next && listPath({ ...filters, cursor: next }),
        searchedCount: SEARCHED_AT_ONCE,
      });
    };
    await madeOnce.send(req, res, { key: JSON.stringify([query, beside]), type: 'html', make });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    res.status(400).render('results', { ...page, problem: error.message });
  }
}

/** @param {PageParts} parts @param {string} experiment @param {string | undefined} address of who asks */
async function findShares({ archive, documents, madeOnce }, experiment, address) {
  if (!SHARES.has(experiment)) return [];
  const make = async () => {
    const { rows } = await archive.listRows({ filter: { experiment, isValid: true }, limit: MAX_SHARED_RUNS });
    return documents.countShares({ experiment, rows }, address);
  };
  return JSON.parse(await madeOnce.read(`shares ${experiment}`, make));
}

/** @type {Show} */
async function showComparison({ archive, at, identity, madeOnce, render }, req, res) {
  const ids = parseCompareQuery(req.query);
  if (req.query.ids !== ids.join(',')) {
    res.redirect(303, at(comparePath(ids.map(encodeURIComponent))));
    return;
  }
  const found = await Promise.all(ids.map((id) => archive.find(id)));
  const runs = found.filter((run) => run !== undefined).map(visibleThroughout);
  if (runs.length === ids.length) {
    const url = identity.urlOf(req);
    const make = () => render('compare', describeComparison(runs, url));
    // The runs may have changed since they were read.
    await madeOnce.send(req, res, { key: JSON.stringify([url, runs]), type: 'html', make });
    return;
  }
  const unknown = ids.filter((_, index) => !found[index]).map((id) => id.slice(0, 60));
  refuse(res.status(404), {
    title: 'No such run',
    message: `There is no shared run with ${unknown.length === 1 ? 'this ID' : 'these IDs'}: ${unknown.join(', ')}. It may have been deleted.`,
    link: runs.length > 0 ? { href: comparePath(runs.map(({ id }) => id)), text: 'Compare the others' } : undefined,
  });
}

/** @param {readonly SavedRun[]} runs the baseline first @param {string} siteUrl */
function describeComparison(runs, siteUrl) {
  const ids = runs.map(({ id }) => id);
  const [{ experiment, label, digest }] = runs;
  const compared = runs.filter((run) => run.experiment === experiment);
  const listed = compared.map((run, index) => ({ ...run, number: index + 1 }));
  /** @type {Partial<Experiment>} */
  const described = findDescribed(experiment) ?? {};
  const isGrouped = isByTransport(described);
  // What an experiment says of several runs is about the first one, unless it groups them.
  const isComparedWithFirst = Boolean(described.comparisonPart) && !isGrouped;
  const paths = pathsOf(described, listed);
  // One browser for all of them is among the facts.
  const isOneBrowser = compared.length > 1 && new Set(compared.map((run) => run.digest.browser)).size === 1;
  const titles = isOneBrowser ? paths : paths.map((path, index) => addBrowser(path, compared[index].digest));
  // The AJAX run and the SockJS run of a place are one table of the classic comparison.
  const title = formatBeside(isGrouped ? [...new Set(titles)] : titles);
  const matrix = createComparison(listed, EXPERIMENTS, titles);
  const rows = compared.map((run, index) => {
    const others = ids.filter((id) => id !== run.id);
    return {
      ...describeListed(run),
      // The last of its lines says less than the transport, as all of them follow.
      ...(isGrouped && { headline: run.transports.map(labelOf).join(', ') }),
      number: index + 1,
      title: titles[index],
      rtt: formatFloor(run.digest.floorMs),
      cells: matrix.rows[index].cells.map((cell) => describeCell(cell, { isOfRun: true })),
      firstHref: isComparedWithFirst && index > 0 ? comparePath([run.id, ...others]) : undefined,
      removeHref: others.length > 0 ? comparePath(others) : undefined,
    };
  });
  const isDrawn = findDescribed(experiment) !== undefined;
  const plan = digest.shootout ? `?${formatPlan(digest.shootout.plan)}` : '';
  return {
    title,
    answer: matrix.sentence,
    experiment,
    experimentTitle: `${experimentOf(experiment)}:`,
    isDrawn,
    isByTransport: isGrouped,
    isComparedWithFirst,
    facts: [
      { name: 'Place', values: rows.map(({ place }) => place || '–') },
      { name: 'Server', values: rows.map(nameServer) },
      { name: 'Fastest round trip', values: rows.map(({ rtt }) => rtt) },
      { name: 'Browser', values: rows.map(({ browser }) => browser || '–') },
    ],
    columns: matrix.columns.map(describeColumn),
    icons: ICONS,
    rows,
    others: groupOthers(runs, experiment),
    addHref: runs.length < MAX_COMPARED ? listPath({ beside: ids.join(','), experiment }) : undefined,
    gatherHref: `/c?${new URLSearchParams({ label: label ?? '', plan, make: 'link' })}`,
    studyHref:
      label && runs.every((run) => foldName(run.label ?? '') === foldName(label)) ? studyPath(label) : undefined,
    preview: {
      title,
      description: compared.map((run, index) => `${titles[index]}: ${asClause(run.digest.headline)}.`).join(' '),
      url: siteUrl + comparePath(ids),
    },
    script: isDrawn ? `js/compare-${experiment}.js` : undefined,
  };
}

/** @param {unknown} ms @returns {string} like '158 ms'; a dash for none, or for what is no number */
const formatFloor = (ms) => (Number.isFinite(ms) ? `${formatRtt(Number(ms))} ms` : DASH);

/** @param {ReturnType<typeof describeListed>} run @returns {string} like 'fra-1, Frankfurt, measured on localhost' */
function nameServer({ server, location, isLocal }) {
  return [server, location, isLocal && 'measured on localhost'].filter(Boolean).join(', ');
}

/** Groups the runs of other experiments. @param {readonly SavedRun[]} runs @param {string} experiment that is compared */
function groupOthers(runs, experiment) {
  const others = new Set(runs.map((run) => run.experiment).filter((name) => name !== experiment));
  return [...others].map((name) => {
    const ids = runs.filter((run) => run.experiment === name).map(({ id }) => id);
    return { name: experimentOf(name), count: ids.length, href: comparePath(ids) };
  });
}
