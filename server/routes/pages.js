import { Router } from 'express';

/** Pages by address: each is a view. */
const VIEWS = { '/': 'home', '/ajaxtest': 'ajaxtest', '/socktest': 'socktest' };

/** The pages. */
export function pageRoutes() {
  const router = Router();
  for (const [path, view] of Object.entries(VIEWS)) {
    router.get(path, (_req, res) => {
      res.set('Cache-Control', 'no-cache').render(view);
    });
  }
  return router;
}
