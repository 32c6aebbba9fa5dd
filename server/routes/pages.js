import { Router } from 'express';
import { KINDS } from '../../core/experiments/countdown/measure.js';
import { FIELDS as FIXED_RATE_FIELDS } from '../../core/experiments/fixed-rate/plan.js';
import { FIELDS as DEPTH_FIELDS } from '../../core/experiments/in-flight/plan.js';
import { FIELDS as JOB_FIELDS } from '../../core/experiments/jobs/plan.js';
import { PLANNER_FIELDS } from '../../core/experiments/jobs/planner.js';
import { formatSize } from '../../core/experiments/payload/format-size.js';
import { BUDGETS, SPARING_MEGABYTES } from '../../core/experiments/payload/budget.js';
import {
  FIELDS as PAYLOAD_FIELDS,
  PUBLISHED,
  PUBLISHED_SIZES,
  USUAL_SIZES,
} from '../../core/experiments/payload/plan.js';
import { BEST_OF_NOTE } from '../../core/experiments/payload/published.js';
import { BASELINE } from '../../core/experiment/compare.js';
import { createFairPlan, formatPlan, USUAL_TRANSPORTS } from '../../core/experiments/shootout/plan.js';
import { LABELS } from '../../core/net/echo/labels.js';
import { campaignPath } from '../saved-runs/listed-run.js';
import { FORM_LIMITS } from '../saved-runs/submission.js';

const transports = Object.entries(LABELS).map(([name, label]) => ({
  name,
  label,
  isBaseline: name === BASELINE,
  isUsual: USUAL_TRANSPORTS.includes(name),
}));

/** For its link as long as no script has run: 100 iterations, as its field says. */
const countdown = {
  kinds: Object.entries(KINDS).map(([name, { label }]) => ({ name, label })),
  fairPlan: formatPlan(createFairPlan(100, 1)),
};

const polltest = {
  fields: JOB_FIELDS,
  // What a browser's six connections over HTTP/1.1 hold up.
  notes: { poll: 'connections', 'long-poll': 'connections', sse: 'connections' },
  presets: [
    {
      label: 'As in 2018',
      plan: 'ways=poll,socket-per-job,push&intervals=500,250&users=20&jobs=10&least=0&most=10000&limit=11000',
    },
    // Ten times faster with a tenth of the jobs: as many polls a second. More than that is the browser's own limit.
    {
      label: 'Quick',
      plan: 'ways=poll,socket-per-job,push&intervals=50,25&users=4&jobs=5&least=0&most=1000&limit=2000',
    },
  ],
  planner: PLANNER_FIELDS,
};

const payloadtest = {
  sizes: USUAL_SIZES.map((size) => ({
    size,
    label: size === 1 ? '1 B (1 character)' : formatSize(size),
    isPublished: PUBLISHED_SIZES.includes(size),
  })),
  fields: PAYLOAD_FIELDS,
  published: PUBLISHED,
  bestOfNote: BEST_OF_NOTE,
  budgets: BUDGETS,
  sparingMegabytes: SPARING_MEGABYTES,
};

/** Pages by address: each is a view, with what it shows. */
const VIEWS = {
  '/': { view: 'home', data: { transports } },
  '/inflight': { view: 'inflight', data: { fields: DEPTH_FIELDS } },
  '/fixedrate': { view: 'fixedrate', data: { fields: FIXED_RATE_FIELDS } },
  '/polltest': { view: 'polltest', data: polltest },
  '/payloadtest': { view: 'payloadtest', data: payloadtest },
  '/ajaxtest': { view: 'ajaxtest', data: {} },
  '/socktest': { view: 'socktest', data: {} },
  '/countdown': { view: 'countdown', data: countdown },
  '/tests': { view: 'tests', data: {} },
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
