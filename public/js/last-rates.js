/** The last figures of the two classic pages, as this tab remembers them: so that each page can show both. */
import { keep, readKept } from './storage.js';

const KEY = 'sockshootout/classic-rates/1';

/** How many messages the figures are of. */
export const COUNTS = Object.freeze([10, 100, 1000]);
const TRANSPORTS = Object.freeze(['ajax', 'sockjs']);

/** @typedef {Record<string, number>} Rates messages per second by iterations */

/** @returns {Record<string, Rates>} by transport; a transport that has not run has none */
export function readLastRates() {
  const kept = readKept('sessionStorage', KEY);
  return Object.fromEntries(TRANSPORTS.map((transport) => [transport, pickRates(kept?.[transport])]));
}

/**
 * @param {string} transport @param {number} iterations of a run that finished @param {number} rate messages per second
 */
export function keepLastRate(transport, iterations, rate) {
  const rates = readLastRates();
  rates[transport] = pickRates({ ...rates[transport], [iterations]: rate });
  keep('sessionStorage', KEY, rates);
}

/** @param {any} kept @returns {Rates} */
function pickRates(kept) {
  const isRate = (/** @type {unknown} */ rate) => typeof rate === 'number' && Number.isFinite(rate) && rate > 0;
  return Object.fromEntries(COUNTS.filter((count) => isRate(kept?.[count])).map((count) => [count, kept[count]]));
}
