/** What whoever runs the server asks it: `/healthz`, `/readyz`, and `/metrics` for Prometheus. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import { AggregatorRegistry } from 'prom-client';
import { shareResult } from '../workers.js';
import { createAddressList, LOOPBACK } from '../http/addresses.js';
import { answerError } from '../http/answer.js';
import { StoreError } from '../store/index.js';

/** @import { Parts } from '../parts.js' */

/**
 * `/healthz`: this process is alive and answers. `/readyz`: it takes visitors, as it does not drain, and its store can be
 * written and read. Visitors get a word why it cannot; the file, the cause and the remedy are for the log.
 * @param {Pick<Parts, 'isReady' | 'limits' | 'log' | 'store'> & { storeLimitMs?: number }} parts `storeLimitMs`: how long it
 *   may take to answer, less than whoever asks usually waits
 */
export function healthRoutes({ isReady, store, limits, log, storeLimitMs = 3000 }) {
  const check = async () => {
    try {
      await Promise.race([store.check(), failAfter(storeLimitMs)]);
      return undefined;
    } catch (error) {
      log.error({ err: error }, 'the store cannot be used');
      return error instanceof StoreError ? error.reason : 'unavailable';
    }
  };
  const findStoreProblem = shareResult(check, { keptMs: limits.storeCheckEveryMs });

  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const reason = isReady() ? await findStoreProblem() : undefined;
    const problem = reason && { status: 'store unavailable', reason };
    // It may have begun to drain since.
    const answer = isReady() ? (problem ?? { status: 'ready' }) : { status: 'draining' };
    const status = answer.status === 'ready' ? 200 : 503;
    res.set('Cache-Control', 'no-store').status(status).json(answer);
  });
  return router;
}

/** @param {number} limitMs */
async function failAfter(limitMs) {
  await sleep(limitMs, undefined, { ref: false });
  throw new Error(`expected an answer within ${limitMs} ms`);
}

/**
 * Whichever worker is asked, `/metrics` answers for all of them. `/metrics/own` is one worker's, for the others to gather.
 * @param {Pick<Parts, 'config' | 'gather' | 'metrics'>} parts
 */
export function metricsRoutes({ config: { metrics: access, trustProxy }, gather, metrics: { registry } }) {
  const addresses = createAddressList([...LOOPBACK, ...access.addresses]);
  const token = access.token && `Bearer ${access.token}`;
  const mayRead = (/** @type {import('express').Request} */ req) => {
    if (token && isSame(req.get('authorization') ?? '', token)) return true;
    // Behind a proxy that is not to be believed every visitor has the proxy's address.
    if (trustProxy === 0 && req.get('x-forwarded-for') !== undefined) return false;
    return addresses.includes(req.ip ?? '');
  };

  const router = Router();
  router.use('/metrics', (req, res, next) => {
    if (mayRead(req)) next();
    else answerError(res, 403, 'forbidden', 'metrics: expected a token, or an allowed address');
  });
  router.get('/metrics', async (_req, res) => {
    const others = gather('/metrics/own', token ? { authorization: token } : undefined);
    const figures = [await registry.getMetricsAsJSON(), ...(await others)].filter((one) => one !== undefined);
    res.type(registry.contentType).send(await AggregatorRegistry.aggregate(figures).metrics());
  });
  router.get('/metrics/own', async (_req, res) => {
    res.json(await registry.getMetricsAsJSON());
  });
  return router;
}

/** Compares without telling by its time how much was right. @param {string} got @param {string} expected */
function isSame(got, expected) {
  const [a, b] = [got, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a, b);
}
