/**
 * What it costs that a browser asks another origin for leave before it sends JSON there (CORS preflight). It asks once for
 * an address and keeps the answer, so within a run only the first message pays, and that is a warm-up.
 *
 * @typedef {object} Preflight pairs of requests to the same address, one after the other
 * @property {number[]} firstMs with the question before it
 * @property {number[]} secondMs without, as the answer is kept
 */

/** @import { Now } from '../base/clock.js' */

const PAIRS = 3;

/**
 * @param {object} options
 * @param {typeof globalThis.fetch} options.fetch
 * @param {string} options.url of an endpoint that takes JSON by POST
 * @param {Now} options.now
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Preflight | undefined>} absent where it could not be measured
 */
export async function measurePreflight({ fetch, url, now, signal }) {
  /** @param {string} address @returns {Promise<number>} milliseconds */
  const post = async (address) => {
    const startedAtMs = now();
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"count":0}',
      signal,
    });
    await response.text();
    return now() - startedAtMs;
  };
  /** @type {Preflight} */
  const preflight = { firstMs: [], secondMs: [] };
  try {
    // So that a connection is open.
    await post(url);
    for (let pair = 0; pair < PAIRS; pair++) {
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
