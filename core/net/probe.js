/** What is measured beside a run, outside its clock: the way to the server, a new connection, a browser's preflight. */
import { measureStepMs } from '../base/clock.js';
import { summarize } from '../base/statistics.js';
import { createDeadline } from './deadline.js';
import { runTrial } from './echo/trial.js';
import { ExchangeError } from './exchange-error.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { Transport } from './echo/index.js'
 * @typedef {{ payloadBytes: number, signal?: AbortSignal }} ProbeOptions of the plan
 * @typedef {{ firstMs: number[], secondMs: number[] }} Preflight pairs of requests to the same address, one after the other:
 *   the first with the question before it, the second without, as the answer is kept
 */

const FIRST = { iterations: 5, warmUpCount: 2 };
const SECOND = { iterations: 20, warmUpCount: 0 };
/** Where the way is short, a busy browser shows more than the way does. */
const SHORT_MS = 50;
/** For all the requests that provoke a new connection, together. */
const COLD_LIMIT_MS = 10_000;
const PREFLIGHT_PAIRS = 3;

/**
 * What a message takes here, about, in ms, from which the iterations of a plan are set; it enters no result.
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
  // A clock that is too coarse to see a round trip cannot tell less than its own step.
  return Math.max(p50Ms, measureStepMs(now) ?? 1);
}

/** In ms; asked after the run. @param {{ transport: Transport, now: Now, signal?: AbortSignal }} options */
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
 * What it costs that a browser asks another origin for leave before it sends JSON there (CORS preflight): once for an
 * address, so only the first message pays, a warm-up.
 * @param {{ fetch: typeof globalThis.fetch, url: string, now: Now, signal?: AbortSignal }} options `url` takes JSON by
 *   POST @returns {Promise<Preflight | undefined>} absent where it could not be measured
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
    // So that a connection is open.
    await post(url);
    for (let pair = 0; pair < PREFLIGHT_PAIRS; pair++) {
      // What has another query is another address.
      const address = `${url}?preflight=${pair}-${now()}`;
      preflight.firstMs.push(await post(address));
      preflight.secondMs.push(await post(address));
    }
    return preflight;
  } catch (error) {
    // What fetch throws where a request is refused, lost, or given up; anything else is a fault of ours.
    const { name } = /** @type {Error} */ (error);
    if (name === 'TypeError' || name === 'AbortError' || error === signal?.reason) return undefined;
    throw error;
  }
}
