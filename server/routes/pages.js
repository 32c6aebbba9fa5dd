import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { KINDS } from '../../core/experiments/countdown/measure.js';
import { EXPERIMENTS, isPlanned } from '../../core/experiments/all.js';
import { BASELINE } from '../../core/experiment/compare.js';
import { createFairPlan, formatPlan, USUAL_TRANSPORTS } from '../../core/experiments/shootout/plan.js';
import { LABELS } from '../../core/net/labels.js';
import { campaignPath } from '../saved-runs/listed-run.js';
import { FORM_LIMITS } from '../saved-runs/submission.js';

const transports = Object.entries(LABELS).map(([name, label]) => ({
  name,
  label,
  isBaseline: name === BASELINE,
  isUsual: USUAL_TRANSPORTS.includes(name),
}));

/** @import { Experiment, Planned } from '../../core/experiment/contract.js' */

/** For its link as long as no script has run: 100 iterations, as its field says. */
const countdown = {
  kinds: Object.entries(KINDS).map(([name, { label }]) => ({ name, label })),
  fairPlan: formatPlan(createFairPlan(100, 1)),
};

/** Its folder `experiments` has what only one experiment's page has: `NAME-form.ejs`, `-live`, `-details`, `-result`, `-compare`. */
const PARTIALS = fileURLToPath(new URL('../../views/partials', import.meta.url));

/**
 * @param {string} name of a file in views/partials
 * @returns {string | undefined} the name; absent where there is none
 */
export const findPartial = (name) => (existsSync(`${PARTIALS}/${name}.ejs`) ? name : undefined);

/** @param {Experiment} experiment */
export const viewOf = ({ name, viewData }) => ({ details: findPartial(`experiments/${name}-details`), ...viewData });

/** @param {Planned} experiment */
const pageOf = (experiment) => {
  const { name, path, label, intro, legend, fields, presets = [] } = experiment;
  const [form, live] = ['form', 'live'].map((part) => findPartial(`experiments/${name}-${part}`));
  const data = { path, label, intro, legend, fields, presets, form, live, script: `js/run-${name}.js` };
  return { view: 'experiment', data: { ...viewOf(experiment), ...data } };
};

/** Those that have a page beside the home page and the classic pages. */
const experiments = EXPERIMENTS.filter(({ intro }) => intro).map(({ name, path, label, intro }) => ({
  path,
  label,
  intro,
  picture: findPartial(`pictures/${name}`),
}));

/** Pages by address: each is a view, with what it shows. */
const VIEWS = {
  '/': { view: 'home', data: { transports } },
  ...Object.fromEntries(EXPERIMENTS.filter(isPlanned).map((experiment) => [experiment.path, pageOf(experiment)])),
  '/ajaxtest': { view: 'ajaxtest', data: {} },
  '/socktest': { view: 'socktest', data: {} },
  '/countdown': { view: 'countdown', data: countdown },
  '/tests': { view: 'tests', data: { experiments } },
  '/how-it-works': { view: 'how-it-works', data: {} },
  '/privacy': { view: 'privacy', data: {} },
};

/** The pages. */
export function pageRoutes() {
  const router = Router();
  for (const [path, { view, data }] of Object.entries(VIEWS)) {
    router.get(path, (req, res) => {
      res.set('Cache-Control', 'no-cache').render(view, { ...data, campaign: campaignOf(req.query) });
    });
  }
  return router;
}

/**
 * @param {import('express').Request['query']} query of a campaign's link
 * @returns {{ text: string, path: string } | undefined} what the runs are to be called, and where they are gathered
 */
function campaignOf({ label }) {
  if (typeof label !== 'string' || label === '' || label.length > FORM_LIMITS.label) return undefined;
  return { text: label, path: campaignPath(label) };
}
