/** The pages that show no saved run, and the static files. */
import { studyPath } from '../../core/base/base-url.js';
import { BASELINE, MIN_BLOCKS } from '../../core/experiment/answer/compare.js';
import { fewestBlocks, USUAL_LOOKS } from '../../core/experiment/plan/blocks.js';
import { formatFields, parseFields } from '../../core/experiment/plan/fields.js';
import { parsePlan } from '../../core/experiment/plan/plan-link.js';
import { describeNeeds, SITUATION_FIELDS } from '../../core/experiment/plan/situation.js';
import { EXPERIMENTS, isPlanned } from '../../core/experiments/all.js';
import { KINDS } from '../../core/experiments/countdown/plan.js';
import {
  CHALLENGERS,
  createFairPlan,
  formatPlan,
  DEFAULT_TRANSPORTS,
  FIELDS,
  WARM_UP_COUNT,
} from '../../core/experiments/shootout/plan.js';
import { membersOf } from '../../core/full-test/plan.js';
import { transports } from '../../core/net/echo/index.js';
import { createDocumentation } from '../documentation.js';
import { PAGE_DATA, pagePartialsOf } from '../page-partials.js';
import { FULL_TEST_DURATION, listTests } from '../test-list.js';
import { sendFile } from '../http/made-once.js';
import { parseLabel } from '../saved-runs/list.js';
import { FORM_LIMITS } from '../saved-runs/submission.js';
import { headersOfAsset } from './your-page.js';

/**
 * @import { RequestHandler, Router } from 'express'
 * @import { Experiment, Planned } from '../../core/experiment/contract.js'
 * @import { Assets } from '../assets.js'
 * @import { At } from '../base-path.js'
 * @import { KeptAnswers } from '../http/kept-answers.js'
 * @import { MadeOnce, PageSender, Render } from '../http/made-once.js'
 * @typedef {{ view: string, data: object }} View `data`: what it shows
 */

/** Returns what the page of an experiment shows besides its description. @param {Experiment} experiment */
export const viewOf = ({ name }) => {
  const { advice, details } = pagePartialsOf(name);
  return { advice, details, ...PAGE_DATA[name] };
};

/** What a visitor chooses among, ms: a link may have any other. */
const INTERVALS = [500, 1000, 2000, 5000, 10_000, 30_000, 60_000];
const LATE = [1000, 10_000];
const NEWS_SIZES = [1000, 4000, 16_000, 64_000].map((bytes) => [bytes, `${bytes / 1000} kB`]);
const NEWS_INTERVALS = [1000, 5000, 10_000, 30_000, 60_000, 300_000];
const inMs = (/** @type {readonly number[]} */ times) => times.map((ms) => [ms, `${ms} ms`]);
const MATTERS = [
  { field: SITUATION_FIELDS.messageMattersMs, only: 'sending', choices: inMs([10, 20, 50]) },
  { field: SITUATION_FIELDS.newsMattersMs, only: 'news', choices: inMs([50, 100, 500]) },
  { field: SITUATION_FIELDS.device, only: 'sending', choices: Object.entries(SITUATION_FIELDS.device.choices) },
];

/** What views/test.ejs shows only where a page asks for it. */
const TEST = { isHome: false, hasStopFirst: true, hasSkip: false, legend: '', beneath: /** @type {string[]} */ ([]) };

/** Pages by address; `linked`: if the address has a query. @type {Record<string, View & { linked?: View }>} */
const VIEWS = {
  '/': { ...describeHome({ isLinked: false }), linked: describeHome({ isLinked: true }) },
  ...Object.fromEntries(EXPERIMENTS.filter(isPlanned).map((experiment) => [experiment.path, pageOf(experiment)])),
  '/all': describeFullTest(),
  '/countdown': { view: 'countdown', data: describeCountdown() },
  '/tests': { view: 'tests', data: { groups: listTests() } },
  '/how-it-works': {
    view: 'how-it-works',
    data: {
      fewestBlocks: fewestBlocks(USUAL_LOOKS),
      mostBlocks: USUAL_LOOKS.blocks,
      neededBlocks: MIN_BLOCKS,
      warmUpCount: WARM_UP_COUNT,
    },
  },
  ...Object.fromEntries(['ajaxtest', 'socktest', 'privacy'].map((view) => [`/${view}`, { view, data: {} }])),
};

function describeSituation() {
  const options = (/** @type {readonly number[]} */ times) => times.map((ms) => [ms, `${ms / 1000} s`]);
  const [intervals, newsIntervals, lates] = [INTERVALS, NEWS_INTERVALS, LATE].map(options);
  return { situation: SITUATION_FIELDS, intervals, newsIntervals, newsSizes: NEWS_SIZES, lates, matters: MATTERS };
}

/** What a visitor chooses among. */
function describeChoices() {
  return { ...describeSituation(), transports: listTransports(), challenger: CHALLENGERS[0] };
}

/** @param {{ isLinked: boolean }} address */
function describeHome({ isLinked }) {
  // The full test answers what the home page leaves open.
  const others = membersOf(EXPERIMENTS).filter(({ fullTest }) => !fullTest.isNeeded && !fullTest.isExtra);
  return {
    view: 'test',
    data: {
      ...TEST,
      ...describeChoices(),
      ...{ title: 'Should you move from AJAX to WebSocket?', program: 'js/home.js', isHome: true, form: 'home' },
      isLinked,
      payload: FIELDS.payloadBytes,
      next: {
        title: 'Not checked yet',
        words: others.map(({ name, fullTest }) => pagePartialsOf(name).asked ?? `${fullTest.question}?`).join(' '),
        ...{ path: '/all', action: `Run the full test, ${FULL_TEST_DURATION}` },
      },
      result: pagePartialsOf('shootout').result,
    },
  };
}

function describeFullTest() {
  const members = membersOf(EXPERIMENTS).map(({ name, fullTest: { question, about } }) => ({ name, question, about }));
  return {
    view: 'test',
    data: {
      ...TEST,
      ...describeChoices(),
      ...{
        title: 'Full test',
        intro: 'Runs the tests that you choose, then makes one decision.',
        program: 'js/all.js',
      },
      ...{ legend: 'Your page', form: 'full-test', members, hasSkip: true, result: 'full-test-result' },
      needs: describeNeeds(parseFields(new URLSearchParams(), SITUATION_FIELDS)),
      next: {
        title: 'One test in depth',
        words: 'Each test has a page of its own, with all its options.',
        ...{ path: '/tests', action: 'Choose a test' },
      },
      beneath: ['live'],
    },
  };
}

function listTransports() {
  return Object.values(transports).map(({ name, label, only, fallback, isCandidate }) => {
    const isDefault = DEFAULT_TRANSPORTS.includes(name);
    const isFallback = fallback === 'always';
    return { name, label, only, isFallback, isCandidate, isBaseline: name === BASELINE, isDefault };
  });
}

/** @param {Planned} experiment */
function pageOf(experiment) {
  const { name, path, label, question, fields } = experiment;
  const { legend = 'Plan', form, cost, live = 'live', picture } = pagePartialsOf(name);
  const data = {
    ...{ title: label, path, intro: question, legend, program: `js/run-${name}.js`, hasStopFirst: false },
    ...{ form: 'single', fields, planFields: form ?? 'plan-fields', cost, result: 'report' },
    beneath: [live, ...(picture ? [picture] : [])],
    presets: presetsOf(experiment),
  };
  return { view: 'test', data: { ...TEST, ...viewOf(experiment), ...data } };
}

/**
 * Lists the presets that a page offers, with the plan that its form has at first.
 * @param {Planned} experiment @returns {{ label: string, plan: string, isDefault: boolean }[]} none where it has none
 */
function presetsOf(experiment) {
  const fields = Object.fromEntries(Object.entries(experiment.fields).filter(([name]) => name !== 'seed'));
  const usual = formatFields(parseFields(new URLSearchParams(), fields), fields);
  const planOf = (/** @type {string} */ query) =>
    formatFields(parsePlan(experiment, new URLSearchParams(query), { seed: 0 }), fields);
  const offered = (experiment.presets ?? [])
    .filter(({ isInForm }) => !isInForm)
    .map(({ label, plan }) => ({ label, plan, isDefault: planOf(plan) === usual }));
  const isOffered = offered.length === 0 || offered.some(({ isDefault }) => isDefault);
  return isOffered ? offered : [{ label: 'Standard', plan: usual, isDefault: true }, ...offered];
}

/** The plan is for its link as long as no script has run: 100 iterations, as its field says. */
function describeCountdown() {
  const kinds = Object.entries(KINDS).map(([name, { label }]) => ({ name, label }));
  return { kinds, fairPlan: formatPlan(createFairPlan(100, 1)) };
}

/**
 * Serves the pages that show no saved run.
 * @param {Router} routes @param {{ kept: KeptAnswers, madeOnce: MadeOnce, reads: RequestHandler, render: Render, sendPage:
 *   PageSender }} parts
 */
export function servePages(routes, { kept, madeOnce, reads, render, sendPage }) {
  for (const [path, { linked, ...plain }] of Object.entries(VIEWS)) {
    routes.get(path, reads, async (req, res) => {
      res.set('Cache-Control', 'no-cache');
      const page = linked && Object.keys(req.query).length > 0 ? linked : plain;
      const study = studyOf(req.query);
      if (!study) return kept.keep(req, res, { url: path, body: await sendPage(req, res, page), isLimited: true });
      const make = () => render(page.view, { ...page.data, study });
      return madeOnce.send(req, res, { key: `${path} ${study.text}`, type: 'html', make });
    });
  }
}

/**
 * Serves the documentation.
 * @param {Router} routes @param {{ at: At, kept: KeptAnswers, reads: RequestHandler, sendPage: PageSender }} parts
 */
export function serveDocumentation(routes, { at, kept, reads, sendPage }) {
  const documents = createDocumentation(at);
  for (const path of ['/docs', '/docs/:name']) {
    routes.get(path, reads, async (req, res, next) => {
      const url = path.replace(':name', String(req.params.name));
      const document = documents.get(url)?.();
      if (!document) return next();
      const data = { ...document, isPart: url !== '/docs' };
      res.set('Cache-Control', 'no-cache');
      kept.keep(req, res, { url, body: await sendPage(req, res, { view: 'document', data }), isLimited: true });
    });
  }
}

/**
 * Reads the label that a study's runs get, and where they are gathered.
 * @param {{ label?: unknown }} query of a study's link @throws {QueryError} where no run could be saved with it
 */
function studyOf({ label }) {
  if (typeof label !== 'string' || label.trim() === '' || label.length > FORM_LIMITS.label) return undefined;
  const text = parseLabel(label);
  return { text, path: studyPath(text) };
}

/** Everyone may read all pages. */
const ROBOTS = 'User-agent: *\nAllow: /\n';
const DAY_S = 86_400;

/**
 * The static files, from memory, compressed beforehand. @param {Router} routes @param {{ assets: Assets, kept: KeptAnswers }}
 *   parts
 */
export function serveAssets(routes, { assets, kept }) {
  routes.get(`${assets.prefix}*name`, (req, res, next) => {
    const name = [req.params.name].flat().join('/');
    const file = assets.find(name);
    if (!file) return next();
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type(name.slice(name.lastIndexOf('.')));
    res.set(headersOfAsset(name));
    kept.keep(req, res, { url: assets.prefix + name, body: sendFile(req, res, file), isLimited: false });
  });
  // Programs ask for these two at the root, whatever a page says.
  routes.get('/favicon.ico', (req, res) => {
    const icon = assets.find('img/favicon.ico');
    if (icon) sendFile(req, res.set('Cache-Control', `public, max-age=${DAY_S}`).type('ico'), icon);
  });
  routes.get('/robots.txt', (_req, res) => {
    res.set('Cache-Control', `public, max-age=${DAY_S}`).type('txt').send(ROBOTS);
  });
}
