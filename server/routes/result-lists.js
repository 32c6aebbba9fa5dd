/** The list of shared runs. */
import { visible } from '../../core/base/foreign-text.js';
import { BROWSER_NAMES } from '../../core/experiment/run/names.js';
import { DESCRIBED } from '../../core/full-test/all.js';
import { LABELS } from '../../core/experiment/answer/labels.js';
import { SHARES } from '../../core/experiments/all.js';
import { describeRows } from '../saved-runs/brief.js';
import { listPath, MAX_COMPARED, parseListQuery, QueryError } from '../saved-runs/list.js';
import { ICONS } from '../saved-runs/matrix.js';
import { SEARCHED_AT_ONCE } from '../store/lists.js';

/**
 * @import { PageParts } from '../parts.js'
 * @import { Request, RequestHandler, Response, Router } from 'express'
 */

const FILTERS = ['search', 'experiment', 'transport', 'browser', 'place', 'label', 'server', 'valid'];

/** The number of the newest runs that shares and places are summed up from. */
const MAX_SHARED_RUNS = 1000;
/** More places are found by a search. */
const MAX_PLACES = 8;

const IDS = /^[\w-]{16}(,[\w-]{16})*$/;

const CHOICES = {
  experiments: DESCRIBED.map(({ name, label }) => ({ value: name, label })),
  transports: Object.entries(LABELS).map(([value, label]) => ({ value, label })),
  browsers: BROWSER_NAMES.map((name) => ({ value: name, label: name })),
};

/** Serves the lists of saved runs. @param {Router} routes @param {PageParts & { reads: RequestHandler }} parts */
export function serveResultLists(routes, { reads, ...parts }) {
  routes.use('/results', (_req, res, next) => {
    res.set('Cache-Control', 'no-cache');
    next();
  });
  routes.get('/results', reads, (req, res) => showList(parts, req, res));
}

/** @param {PageParts} parts @param {Request} req @param {Response} res */
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
        ...describeRows(runs),
        icons: ICONS,
        places: query.cursor ? [] : await findPlaces(parts, beside),
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

/**
 * @param {PageParts} parts @param {string} [beside] what is selected
 * @returns {Promise<{ name: string, count: number, href: string }[]>} those with the most runs
 */
async function findPlaces({ archive, madeOnce }, beside) {
  const make = async () => JSON.stringify(await archive.countPlaces({ among: MAX_SHARED_RUNS, limit: MAX_PLACES }));
  const places = JSON.parse(await madeOnce.read('places', make));
  return places.map((/** @type {{ name: string, count: number }} */ { name, count }) => ({
    ...{ name: visible(name), count },
    href: listPath({ place: name, beside }),
  }));
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
