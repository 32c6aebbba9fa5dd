import { ExchangeError } from './exchange-error.js';

/** As long as a trial waits for an answer. */
const LIMIT_MS = 10_000;

/**
 * Asks the server once: where nobody is there, no transport needs to be tried.
 *
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url of `/status`, or of another small answer
 * @param {AbortSignal} [signal] of the run; where that ends the question, the run says so itself
 * @returns {Promise<void>}
 * @throws {ExchangeError} where no answer came; any answer will do
 */
export async function reachServer(fetch, url, signal) {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    await fetch(url, { cache: 'no-store', signal: AbortSignal.any(signal ? [limit, signal] : [limit]) });
  } catch {
    if (signal?.aborted) return;
    if (limit.aborted) throw new ExchangeError('timeout', `No answer within ${LIMIT_MS} ms.`);
    throw new ExchangeError('closed', 'The connection was lost, or could not be opened.');
  }
}
