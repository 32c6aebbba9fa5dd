import { Router } from 'express';

/**
 * The pages, each a view of its own name.
 *
 * @param {{ server: import('../../core/trial.js').Server }} options
 */
export function pageRoutes({ server }) {
  const router = Router();
  /** @type {(path: string, view: string) => void} */
  const page = (path, view) =>
    router.get(path, (_req, res) => {
      res.set('Cache-Control', 'no-cache').render(view, { server });
    });
  page('/', 'home');
  page('/ajaxtest', 'ajaxtest');
  page('/socktest', 'socktest');
  return router;
}
