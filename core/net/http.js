/** What is the same for all that goes over HTTP: one exchange, what a failed one means, and whose the connections are. */
import { ExchangeError, parseRejection } from './exchange-error.js';
import { watchRequests } from './echo/resource-timing.js';

/** @import { Connection } from './echo/index.js' */

/**
 * @typedef {object} Outlet where a request's end goes
 * @property {(answer: any) => void} resolve
 * @property {(error: ExchangeError) => void} reject
 */

/**
 * What there is of a connection: the browser's pool opens them when it needs them, and keeps them.
 *
 * @param {Performance} performance
 * @param {string} url of the endpoint
 * @returns {Omit<Connection, 'exchange'>}
 */
export function watchConnection(performance, url) {
  const requests = watchRequests(performance, url);
  /** @type {string | undefined} */
  let protocol;
  return {
    get protocol() {
      // Kept, as whoever looks at requests next takes this one's entries away.
      return (protocol ??= requests.protocol());
    },
    get setUpMs() {
      return requests.setUpMs();
    },
    get requests() {
      return requests.count();
    },
    close() {},
  };
}

/**
 * @template T
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url
 * @param {RequestInit} init
 * @param {(response: Response) => Promise<T>} read the body of an answer
 * @returns {Promise<T>}
 * @throws {ExchangeError}
 */
export async function fetchAnswer(fetch, url, init, read) {
  let status = 0;
  let error;
  try {
    const response = await fetch(url, init);
    status = response.status;
    if (status < 400) return await read(response);
    error = await response.json();
  } catch (fault) {
    // No answer, or half of one; of what came as a whole and is no JSON the status tells more.
    if (status < 400 && !(fault instanceof SyntaxError)) status = 0;
  }
  throw failureOf(status, error);
}

/**
 * @param {number} status 0 where no answer came
 * @param {unknown} answer absent where it is not JSON
 * @returns {ExchangeError} why this is no answer
 */
export function failureOf(status, answer) {
  if (status >= 400) {
    return parseRejection(answer) ?? new ExchangeError('rejected', `The server answered ${status}.`);
  }
  if (status === 0) return new ExchangeError('closed', 'The connection was lost, or could not be opened.');
  return new ExchangeError('mismatch', 'The answer is not JSON.');
}

/** As long as the server may take to speak of itself. */
const LIMIT_MS = 5000;

/**
 * Asks what goes beside a run, so that its failure is no fault.
 *
 * @template T
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url
 * @param {(answer: any) => T} pick what is known of an answer; may throw where it is another
 * @param {AbortSignal} [signal]
 * @returns {Promise<T | undefined>} absent where nobody could be asked, or said something else
 */
export async function fetchBeside(fetch, url, pick, signal) {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    const response = await fetch(url, {
      cache: 'no-store',
      signal: AbortSignal.any(signal ? [limit, signal] : [limit]),
    });
    return response.ok ? pick(await response.json()) : undefined;
  } catch {
    return undefined;
  }
}
