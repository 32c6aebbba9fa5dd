import { Router } from 'express';
import { BASELINE, USUAL_TRANSPORTS } from '../../core/plan.js';
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

/** Pages by address: each is a view, with what it shows. */
const VIEWS = {
  '/': { view: 'home', data: { transports } },
  '/ajaxtest': { view: 'ajaxtest', data: {} },
  '/socktest': { view: 'socktest', data: {} },
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
