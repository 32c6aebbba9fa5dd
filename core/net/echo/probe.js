/** Measures what a run does not time: the round-trip time to the server, a new connection, a browser's preflight. */
import { measureStepMs } from '../../base/clock.js';
import { summarize } from '../../base/statistics.js';
import { createDeadline } from '../deadline.js';
import { runTrial } from './trial.js';
import { ExchangeError } from '../exchange-error.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Transport } from './index.js'
 * @typedef {{ payloadBytes: number, signal?: AbortSignal }} ProbeOptions of the plan
 * @typedef {{ firstMs: number[], secondMs: number[] }} Preflight pairs of requests to the same URL, one after the
 *   other: the first with a preflight, the second without, as the browser caches its answer
 */

const FIRST = { iterations: 5, warmUpCount: 2 };
const SECOND = { iterations: 20, warmUpCount: 0 };
/** A round-trip time below this depends more on how busy the browser is than on the network. */
const SHORT_MS = 50;
/** The limit of all requests together that provoke a new connection. */
const COLD_LIMIT_MS = 10_000;
const PREFLIGHT_PAIRS = 3;

/**
 * Estimates the time of a message in ms, from which the iterations of a plan are set. It is not part of any result.
 * @param {Transport} transport @param {Now} now @param {ProbeOptions} options
 * @throws {ExchangeError} why there was no answer
 */
export async function probe(transport, now, options) {
  const roundTripMs = await look(transport, now, { ...FIRST, ...options });
  return roundTripMs >= SHORT_MS ? roundTripMs : look(transport, now, { ...SECOND, ...options });
}

/** @param {Transport} transport @param {Now} now @param {typeof FIRST & ProbeOptions} options */
async function look(transport, now, options) {
  const trial = await runTrial({ transport, now, ...options });
  const { p50Ms } = summarize(trial);
  if (p50Ms === undefined) {
    const [failure] = trial.failures;
    throw new ExchangeError(failure?.outcome ?? 'aborted', failure?.message ?? 'Stopped.');
  }
  // A clock that is too coarse for a round trip cannot measure less than its own step.
  return Math.max(p50Ms, measureStepMs(now) ?? 1);
}

/**
 * Measures the setup of a new connection in ms, after the run.
 * @param {{ transport: Transport, now: Now, signal?: AbortSignal }} options
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

/**
 * Measures the CORS preflight with which a browser asks another origin before it sends JSON there. It is sent once for
 * each URL, so it only delays the first message, which is a warm-up.
 * @param {{ fetch: typeof globalThis.fetch, url: string, now: Now, signal?: AbortSignal }} options `url` takes JSON by
 *   POST @returns {Promise<Preflight | undefined>} absent if it could not be measured
 */
export async function measurePreflight({ fetch, url, now, signal }) {
  /** @param {string} address @returns {Promise<number>} milliseconds */
  const post = async (address) => {
    const startedAtMs = now();
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(address, { method: 'POST', headers, body: '{"count":0}', signal });
    await response.text();
    return now() - startedAtMs;
  };
  /** @type {Preflight} */
  const preflight = { firstMs: [], secondMs: [] };
  try {
    // This opens a connection.
    await post(url);
    for (let pair = 0; pair < PREFLIGHT_PAIRS; pair++) {
      // A different query makes a different URL.
      const address = `${url}?preflight=${pair}-${now()}`;
      preflight.firstMs.push(await post(address));
      preflight.secondMs.push(await post(address));
    }
    return preflight;
  } catch (error) {
    // These are thrown if a request is refused, lost, or aborted; anything else is a bug.
    const { name } = /** @type {Error} */ (error);
    if (name === 'TypeError' || name === 'AbortError' || error === signal?.reason) return undefined;
    throw error;
  }
}
