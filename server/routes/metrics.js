/**
 * `/metrics` for Prometheus: whichever worker is asked, it answers for all of them. `/metrics/own` is one worker's, for
 * the others to gather.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Router } from 'express';
import { AggregatorRegistry } from 'prom-client';
import { createAddressList, LOOPBACK } from '../http/addresses.js';

/** @import { Parts } from '../parts.js' */

/** @param {Pick<Parts, 'config' | 'gather' | 'metrics'>} parts */
export function metricsRoutes({ config: { metrics: access, trustProxy }, gather, metrics: { registry } }) {
  const addresses = createAddressList([...LOOPBACK, ...access.addresses]);
  const tokenHeaders = access.token ? { authorization: `Bearer ${access.token}` } : undefined;
  const router = Router();

  router.use('/metrics', (req, res, next) => {
    if (mayRead(req)) next();
    else
      res
        .status(403)
        .json({ error: { code: 'forbidden', message: 'metrics: expected a token, or an allowed address' } });
  });

  router.get('/metrics', async (_req, res) => {
    const [own, others] = await Promise.all([registry.getMetricsAsJSON(), gather('/metrics/own', tokenHeaders)]);
    const all = AggregatorRegistry.aggregate([own, ...others.filter((figures) => figures !== undefined)]);
    res.type(registry.contentType).send(await all.metrics());
  });

  router.get('/metrics/own', async (_req, res) => {
    res.json(await registry.getMetricsAsJSON());
  });

  /** @param {import('express').Request} req */
  const mayRead = (req) => {
    if (access.token && isSame(req.get('authorization') ?? '', `Bearer ${access.token}`)) return true;
    // Behind a proxy that is not to be believed every visitor has the proxy's address.
    if (trustProxy === 0 && req.get('x-forwarded-for') !== undefined) return false;
    return addresses.includes(req.ip ?? '');
  };

  return router;
}

/** Compares without telling by its time how much was right. @param {string} got @param {string} expected */
function isSame(got, expected) {
  const [a, b] = [got, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a, b);
}
