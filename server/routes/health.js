import { Router } from 'express';
import { shareResult } from '../workers.js';
import { StoreError } from '../store/index.js';

/**
 * @import { StoreReason } from '../store/store-error.js'
 * @import { Parts } from '../parts.js'
 */

/** Less than whoever asks usually waits. */
const STORE_LIMIT_MS = 3000;

/**
 * `/healthz`: this process is alive and answers. `/readyz`: it takes visitors, as it does not drain, and its store can be
 * written and read. Visitors get a word why it cannot; the file, the cause and the remedy are for the log.
 *
 * @param {Pick<Parts, 'isReady' | 'limits' | 'log' | 'store'> & { storeLimitMs?: number }} parts `storeLimitMs`: how long it
 *   may take to answer
 */
export function healthRoutes({ isReady, store, limits, log, storeLimitMs = STORE_LIMIT_MS }) {
  const findStoreProblem = shareResult(
    async () => {
      try {
        await withLimit(store.check(), storeLimitMs);
        return undefined;
      } catch (error) {
        log.error({ err: error }, 'the store cannot be used');
        return reasonOf(error);
      }
    },
    { keptMs: limits.storeCheckEveryMs },
  );

  const router = Router();
  router.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const reason = isReady() ? await findStoreProblem() : undefined;
    // It may have begun to drain since.
    const answer = isReady() ? describe(reason) : { status: 'draining' };
    res
      .set('Cache-Control', 'no-store')
      .status(answer.status === 'ready' ? 200 : 503)
      .json(answer);
  });
  return router;
}

/** @param {StoreReason | undefined} reason */
function describe(reason) {
  return reason ? { status: 'store unavailable', reason } : { status: 'ready' };
}

/** @param {unknown} error @returns {StoreReason} */
function reasonOf(error) {
  return error instanceof StoreError ? error.reason : 'unavailable';
}

/** @param {Promise<void>} work @param {number} limitMs @throws {Error} where it takes longer */
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
