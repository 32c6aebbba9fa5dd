/**
 * The pages of several shared runs: the list, the comparison, and the campaign. They show what the runs' rows hold; the
 * pages' scripts read the documents.
 */
import { Router } from 'express';
import { BROWSER_NAMES, addBrowser, formatBeside, titleOf, titlesOf } from '../../core/experiment/names.js';
import { EXPERIMENTS, findExperiment } from '../../core/experiments/all.js';
import { formatPlan, parsePlan } from '../../core/experiments/shootout/plan.js';
import { labelOf, LABELS } from '../../core/net/labels.js';
import { visibleThroughout } from '../../core/base/foreign-text.js';
import { createCampaign, formatCampaignPath, MAX_CAMPAIGN_RUNS, parsePlanLink } from '../saved-runs/campaign.js';
import { MAX_COMPARED, parseCompareQuery, parseListQuery, QueryError } from '../saved-runs/list-query.js';
import { findPartial } from './pages.js';
import { campaignPath, comparePath, describeListed, experimentOf, listPath } from '../saved-runs/listed-run.js';

/**
 * @import { ErrorRequestHandler, Request, Response } from 'express'
 * @import { ListedRun } from '../../core/experiment/names.js'
 * @import { SavedRun } from '../store/index.js'
 * @import { Parts } from '../parts.js'
 */

const FILTERS = ['experiment', 'transport', 'browser', 'place', 'label', 'server', 'valid'];

/** With commas between. */
const IDS = /^[\w-]{16}(,[\w-]{16})*$/;

const CHOICES = {
  experiments: EXPERIMENTS.map(({ name, label }) => ({ value: name, label })),
  transports: Object.entries(LABELS).map(([value, label]) => ({ value, label })),
  browsers: BROWSER_NAMES.map((name) => ({ value: name, label: name })),
};

/** @typedef {(parts: Pick<Parts, 'archive' | 'originOf'>, req: Request, res: Response) => Promise<void> | void} Show */

/** @param {Pick<Parts, 'archive' | 'originOf' | 'reads'>} parts */
export function resultListRoutes({ reads, ...parts }) {
  const router = Router();
  /** @param {string} path @param {Show} show */
  const page = (path, show) => router.get(path, reads, (req, res) => show(parts, req, res));
  router.use(['/results', '/compare', '/c'], (_req, res, next) => {
    res.set('Cache-Control', 'no-cache');
    next();
  });
  page('/results', showList);
  page('/compare', showComparison);
  page('/c', showCampaignForm);
  page('/c/:label', showCampaign);
  router.use(['/compare', '/c'], refuseQuery);
  return router;
}

/** @type {Show} */
async function showList({ archive }, req, res) {
  const { beside: given, ...query } = req.query;
  const beside = IDS.test(String(given)) ? String(given) : undefined;
  const values = Object.fromEntries(FILTERS.map((name) => [name, [query[name] ?? ''].flat().join(',')]));
  const page = { ...CHOICES, values, beside, most: MAX_COMPARED, clearHref: listPath({ beside }) };
  try {
    const { runs, next } = await archive.list(parseListQuery(query));
    const filters = { ...values, beside };
    res.render('results', {
      ...page,
      rows: runs.map(describeListed),
      isFiltered: FILTERS.some((name) => values[name]),
      isLater: Boolean(query.cursor),
      firstHref: listPath(filters),
      nextHref: next && listPath({ ...filters, cursor: next }),
    });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    res.status(400).render('results', { ...page, problem: error.message });
  }
}

/** @type {Show} */
async function showComparison({ archive, originOf }, req, res) {
  const ids = parseCompareQuery(req.query);
  if (req.query.ids !== ids.join(',')) {
    res.redirect(303, comparePath(ids.map(encodeURIComponent)));
    return;
  }
  const found = await Promise.all(ids.map((id) => archive.find(id)));
  const unknown = ids.filter((_, index) => !found[index]);
  const runs = found.filter((run) => run !== undefined).map(visibleThroughout);
  if (unknown.length === 0) {
    res.render('compare', describeComparison(runs, originOf(req)));
    return;
  }
  refuse(res.status(404), {
    title: 'No such run',
    message: `There is no shared run with ${unknown.length === 1 ? 'this ID' : 'these IDs'}: ${unknown.map((id) => id.slice(0, 60)).join(', ')}. It may have been deleted.`,
    link: runs.length > 0 ? { href: comparePath(runs.map(({ id }) => id)), text: 'Compare the others' } : undefined,
  });
}

/** @type {Show} */
function showCampaignForm({ originOf }, req, res) {
  const [label, plan] = ['label', 'plan'].map((name) => [req.query[name] ?? ''].flat().join(' ').trim());
  const readLink = () => readPlan(() => parsePlanLink(plan));
  try {
    const path = label && formatCampaignPath(checkLabel(label), readLink());
    res.render('campaign-form', { label, plan, link: path && originOf(req) + path });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    res.status(400).render('campaign-form', { label, plan, problem: error.message });
  }
}

/** @type {Show} */
async function showCampaign({ archive, originOf }, req, res) {
  const label = checkLabel(String(req.params.label));
  const linked = readPlan(() => parsePlan(new URL(req.url, 'http://x').searchParams));
  const { runs, next } = await archive.list({ filter: { label }, limit: MAX_CAMPAIGN_RUNS });
  const campaign = createCampaign({ label, linked, runs, isWhole: next === undefined });
  const origin = originOf(req);
  res.render('campaign', { ...campaign, link: origin + campaign.path, preview: describeCampaign(campaign, origin) });
}

/** @type {ErrorRequestHandler} */
function refuseQuery(error, _req, res, next) {
  if (!(error instanceof QueryError)) {
    next(error);
    return;
  }
  const link = error.path === 'plan' ? { href: '/c', text: 'Make another link' } : undefined;
  refuse(res.status(400), { title: 'This link is not valid', message: `${error.message}.`, link });
}

/** @param {Response} res @param {{ title: string, message: string, link?: { href: string, text: string } }} words */
function refuse(res, { link = { href: '/results', text: 'Results' }, ...words }) {
  res.render('error', { ...words, section: '/results', link });
}

/** @param {string} given @returns {string} as it is saved with a run @throws {QueryError} */
function checkLabel(given) {
  const label = given.normalize('NFC').trim();
  if (label === '') throw new QueryError('label', 'expected text, got none');
  parseListQuery({ label });
  return label;
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T} throws a QueryError where it is no plan
 */
function readPlan(read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new QueryError('plan', error.message);
  }
}

/** @param {readonly SavedRun[]} runs the baseline first @param {string} origin */
function describeComparison(runs, origin) {
  const ids = runs.map(({ id }) => id);
  const [{ experiment, label, digest }] = runs;
  const compared = runs.filter((run) => run.experiment === experiment);
  const paths = experiment === 'classic' ? asListed(compared).map(titleOf) : titlesOf(asListed(compared));
  const titles = paths.map((path, index) => addBrowser(path, compared[index].digest));
  // The AJAX run and the SockJS run of a place are one table of the classic comparison.
  const title = formatBeside(experiment === 'classic' ? [...new Set(titles)] : titles);
  const cards = compared.map((run, index) => ({
    ...describeListed(run),
    // The last of its lines says less than the transport, as all of them follow.
    ...(experiment === 'classic' && { headline: run.transports.map(labelOf).join(', ') }),
    number: index + 1,
    title: titles[index],
    firstHref: index > 0 ? comparePath([run.id, ...ids.filter((id) => id !== run.id)]) : undefined,
    removeHref: ids.length > 1 ? comparePath(ids.filter((id) => id !== run.id)) : undefined,
  }));
  const isDrawn = findExperiment(experiment) !== undefined;
  return {
    title,
    experiment,
    experimentName: experimentOf(experiment),
    isDrawn,
    facts: ['Place', 'Server', 'Browser'].map((name) => ({ name, values: cards.map((card) => factOf(card, name)) })),
    partial: findPartial(`experiments/${experiment}-compare`) ?? 'compare',
    cards,
    others: groupOthers(runs, experiment),
    addHref: runs.length < MAX_COMPARED ? listPath({ beside: ids.join(','), experiment }) : undefined,
    gatherHref: `/c?${new URLSearchParams({ label: label ?? '', plan: digest.plan ? `?${formatPlan(digest.plan)}` : '' })}`,
    campaignHref: label && runs.every((run) => run.label === label) ? campaignPath(label) : undefined,
    preview: {
      title,
      description: compared.map((run, index) => `${titles[index]}: ${run.digest.headline}.`).join(' '),
      url: origin + comparePath(ids),
    },
    script: isDrawn ? `js/compare-${experiment}.js` : undefined,
  };
}

/** @param {ReturnType<typeof describeListed>} card @param {string} name @returns {string} */
function factOf({ place, server, location, browser }, name) {
  const values = { Place: place, Server: [server, location].filter(Boolean).join(', '), Browser: browser };
  return values[/** @type {keyof typeof values} */ (name)] || '–';
}

/** The store does not look into a digest; the archive has put it there. @param {readonly SavedRun[]} runs */
function asListed(runs) {
  return /** @type {ListedRun[]} */ (/** @type {unknown} */ (runs));
}

/**
 * @param {readonly SavedRun[]} runs
 * @param {string} experiment that is compared
 * @returns {{ name: string, count: number, href: string }[]} what else was asked for, by experiment
 */
function groupOthers(runs, experiment) {
  const others = new Set(runs.map((run) => run.experiment).filter((name) => name !== experiment));
  return [...others].map((name) => {
    const ids = runs.filter((run) => run.experiment === name).map(({ id }) => id);
    return { name: experimentOf(name), count: ids.length, href: comparePath(ids) };
  });
}

/** @param {ReturnType<typeof createCampaign>} campaign @param {string} origin */
function describeCampaign({ label, words, rows, path }, origin) {
  const runs = rows.length === 1 ? '1 run' : `${rows.length} runs`;
  return {
    title: `${label}: measure it from where you are`,
    description: [words, `${runs} so far.`].filter(Boolean).join(' '),
    url: origin + path,
  };
}
