import { Router } from 'express';
import { shareCalls } from '../share-calls.js';

/** Less than whoever asks usually waits. */
const STORE_LIMIT_MS = 3000;

/**
 * `/healthz`: this process is alive and answers. `/readyz`: it takes visitors, as it does not drain, and its store can be
 * read and written. Why it cannot is for the log, not for visitors.
 *
 * @param {object} options
 * @param {() => boolean} options.isReady false as soon as this worker drains
 * @param {Pick<import('../store/index.js').Store, 'check'>} options.store
 * @param {import('pino').Logger} options.log
 * @param {number} [options.storeLimitMs] how long it may take to answer
 */
export function healthRoutes({ isReady, store, log, storeLimitMs = STORE_LIMIT_MS }) {
  // However many ask, the store is asked once at a time.
  const canStore = shareCalls(async () => {
    try {
      await withLimit(store.check(), storeLimitMs);
      return true;
    } catch (error) {
      log.error({ err: error }, 'the store cannot be used');
      return false;
    }
  });
  const findStatus = async () => {
    if (isReady() && !(await canStore())) return 'store unavailable';
    // It may have begun to drain meanwhile.
    return isReady() ? 'ready' : 'draining';
  };

  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const status = await findStatus();
    res
      .set('Cache-Control', 'no-store')
      .status(status === 'ready' ? 200 : 503)
      .json({ status });
  });
  return router;
}

/**
 * @param {Promise<void>} work
 * @param {number} limitMs
 * @throws {Error} where it takes longer
 */
async function withLimit(work, limitMs) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`expected an answer within ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
