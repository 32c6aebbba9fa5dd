/** The list of shared runs. */
import { visible } from '../../core/base/foreign-text.js';
import { BROWSER_NAMES } from '../../core/experiment/names.js';
import { DESCRIBED } from '../../core/full-test/all.js';
import { LABELS } from '../../core/experiment/labels.js';
import { SHARES } from '../list-shares.js';
import { describeListed, listPath, MAX_COMPARED, parseListQuery, QueryError } from '../saved-runs/list.js';
import { SEARCHED_AT_ONCE } from '../store/lists.js';

/**
 * @import { Parts } from '../parts.js'
 * @import { Request, Response, Router } from 'express'
 * @typedef {Pick<Parts, 'archive' | 'documents' | 'madeOnce' | 'render'>} PageParts
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
