/** One exchange over HTTP, and what a failed one means. */
import { ExchangeError, parseRejection } from './exchange-error.js';

/**
 * The maximum number of HTTP/1.1 connections of a browser to a server:
 * https://chromium.googlesource.com/chromium/src/+/main/net/socket/client_socket_pool_manager.cc
 */
export const HTTP1_CONNECTION_COUNT = 6;
const REACH_LIMIT_MS = 10_000;
const BESIDE_LIMIT_MS = 5000;
const IGNORE = () => {};

/** @typedef {{ resolve: (answer: any) => void, reject: (error: ExchangeError) => void }} Outlet of a request's end */

/**
 * Requests an address, and reads the answer.
 * @template T @param {typeof globalThis.fetch} fetch @param {string} url @param {RequestInit} init
 * @param {(response: Response) => Promise<T>} read @throws {ExchangeError}
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
    // The answer is missing or incomplete. If it is complete but not JSON, the status says more.
    if (status < 400 && !(fault instanceof SyntaxError)) status = 0;
  }
  throw failureOf(status, error);
}

/**
 * Returns the error for a failed request.
 * @param {number} status 0 if no answer came @param {unknown} [answer] absent: not JSON
 */
export function failureOf(status, answer) {
  if (status >= 400) {
    return parseRejection(answer) ?? new ExchangeError('rejected', `The server answered ${status}.`);
  }
  if (status === 0) return new ExchangeError('closed', 'No answer, because the connection failed.');
  return new ExchangeError('mismatch', 'The answer is not JSON.');
}

/**
 * Fetches what is not part of a run; absent if the server could not be asked, or `pick` threw.
 * @template T @param {typeof globalThis.fetch} fetch @param {string} url @param {(answer: any, headers: Headers) => T} pick
 * @param {AbortSignal} [signal]
 */
export async function fetchBeside(fetch, url, pick, signal) {
  try {
    const response = await fetchOnce(fetch, url, AbortSignal.timeout(BESIDE_LIMIT_MS), signal);
    if (response.ok) return pick(await response.json(), response.headers);
    await readOut(response);
    return undefined;
  } catch {
    return undefined;
  }
}

/**
 * Asks once: if the server does not answer, no transport needs to be tried. Any answer will do, however it ends.
 * @param {typeof globalThis.fetch} fetch @param {string} url
 * @param {AbortSignal} [signal] of the run, which says itself that it ended @throws {ExchangeError}
 */
export async function reachServer(fetch, url, signal) {
  const limit = AbortSignal.timeout(REACH_LIMIT_MS);
  try {
    await readOut(await fetchOnce(fetch, url, limit, signal));
  } catch {
    if (signal?.aborted) return;
    throw limit.aborted ? new ExchangeError('timeout', `No answer within ${REACH_LIMIT_MS} ms.`) : failureOf(0);
  }
}

/**
 * Reads the rest of an answer, however it ends: what is not read keeps its connection, of which a browser has few, until the limit
 * breaks it in the middle of a run.
 * @param {Response} response
 */
const readOut = (response) => response.arrayBuffer().then(IGNORE, IGNORE);

/** @param {typeof globalThis.fetch} fetch @param {string} url @param {AbortSignal} limit @param {AbortSignal} [signal] */
function fetchOnce(fetch, url, limit, signal) {
  return fetch(url, { cache: 'no-store', signal: AbortSignal.any(signal ? [limit, signal] : [limit]) });
}
