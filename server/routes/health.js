import { Router } from 'express';

/** `/healthz`: this process is alive and answers. */
export function healthRoutes() {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  return router;
}
