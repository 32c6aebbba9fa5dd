import { createDeadline } from './deadline.js';
import { ExchangeError } from './exchange-error.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { Transport } from './echo/index.js'
 */

/** For all the requests that provoke a new connection, together. */
const COLD_LIMIT_MS = 10_000;

/**
 * What a connection costs where the run reused one; asked after the run, outside its clock.
 *
 * @param {object} options
 * @param {Transport} options.transport
 * @param {Now} options.now
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<number | undefined>} milliseconds; absent where it could not be measured
 */
export async function measureColdSetUp({ transport, now, signal }) {
  const deadline = createDeadline({ now, limitMs: COLD_LIMIT_MS, signal });
  try {
    return await transport.measureColdSetUp?.({ signal: deadline.start() });
  } catch (error) {
    if (error instanceof ExchangeError) return undefined;
    throw error;
  } finally {
    deadline.close();
  }
}
