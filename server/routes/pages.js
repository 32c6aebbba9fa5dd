import { Router } from 'express';
import { createFairPlan, KINDS } from '../../core/experiments/countdown.js';
import { COLUMNS } from '../../core/experiments/countdown-export.js';
import { NUMBERS as FIXED_RATE_NUMBERS } from '../../core/experiments/fixed-rate-plan.js';
import { NUMBERS as DEPTH_NUMBERS, USUAL_DEPTHS } from '../../core/experiments/in-flight-plan.js';
import { USUAL_TRANSPORTS as EXPERIMENT_TRANSPORTS } from '../../core/experiments/plan-link.js';
import { BASELINE, formatPlan, USUAL_TRANSPORTS } from '../../core/plan.js';
import { LABELS } from '../../core/transports/labels.js';

/** What a page on another site would need, and what hardly any visitor asks about. */
const RARE = /^sockjs-(iframe|jsonp)/;

const transports = Object.entries(LABELS).map(([name, label]) => ({
  name,
  label,
  isBaseline: name === BASELINE,
  isUsual: USUAL_TRANSPORTS.includes(name),
  isRare: RARE.test(name),
}));

/** For its link as long as no script has run: 100 iterations, as its field says. */
const countdown = {
  kinds: Object.entries(KINDS).map(([name, { label }]) => ({ name, label })),
  columns: COLUMNS,
  fairPlan: formatPlan(createFairPlan(100, 1)),
};

const inflight = { transports, usual: EXPERIMENT_TRANSPORTS, numbers: DEPTH_NUMBERS, depths: USUAL_DEPTHS };
const fixedrate = { transports, usual: EXPERIMENT_TRANSPORTS, numbers: FIXED_RATE_NUMBERS };

/** Pages by address: each is a view, with what it shows. */
const VIEWS = {
  '/': { view: 'home', data: { transports } },
  '/inflight': { view: 'inflight', data: inflight },
  '/fixedrate': { view: 'fixedrate', data: fixedrate },
  '/ajaxtest': { view: 'ajaxtest', data: {} },
  '/socktest': { view: 'socktest', data: {} },
  '/countdown': { view: 'countdown', data: countdown },
};

/** The pages. */
export function pageRoutes() {
  const router = Router();
  for (const [path, { view, data }] of Object.entries(VIEWS)) {
    router.get(path, (_req, res) => {
      res.set('Cache-Control', 'no-cache').render(view, data);
    });
  }
  return router;
}
