import { Router } from 'express';

/**
 * `/healthz`: this process is alive and answers. `/readyz`: it takes visitors, as it does not drain.
 *
 * @param {{ isReady: () => boolean }} options
 */
export function healthRoutes({ isReady }) {
  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', (_req, res) => {
    const ready = isReady();
    res
      .set('Cache-Control', 'no-store')
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'draining' });
  });
  return router;
}
