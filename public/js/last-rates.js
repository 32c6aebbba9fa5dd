/**
 * The last figures of the two classic pages, as this tab remembers them: so that each page can show both.
 *
 * What is there may be broken, and a browser may refuse to keep anything: then there is less to show, and nothing else
 * happens.
 */
const KEY = 'sockshootout/classic-rates/1';

/** How many messages the figures are of. */
export const COUNTS = Object.freeze([10, 100, 1000]);
const TRANSPORTS = Object.freeze(['ajax', 'sockjs']);

/** @typedef {Record<string, number>} Rates messages per second by iterations */

/** @returns {Record<string, Rates>} by transport; a transport that has not run has none */
export function readLastRates() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return Object.fromEntries(TRANSPORTS.map((transport) => [transport, pickRates(kept?.[transport])]));
  } catch {
    // Forbidden, or not ours.
    return Object.fromEntries(TRANSPORTS.map((transport) => [transport, {}]));
  }
}

/**
 * @param {string} transport
 * @param {number} iterations of a run that finished
 * @param {number} rate messages per second
 */
export function keepLastRate(transport, iterations, rate) {
  const rates = readLastRates();
  rates[transport] = pickRates({ ...rates[transport], [iterations]: rate });
  try {
    sessionStorage.setItem(KEY, JSON.stringify(rates));
  } catch {
    // Forbidden, or full.
  }
}

/** @param {any} kept */
function pickRates(kept) {
  const isRate = (/** @type {unknown} */ rate) => typeof rate === 'number' && Number.isFinite(rate) && rate > 0;
  return Object.fromEntries(COUNTS.filter((count) => isRate(kept?.[count])).map((count) => [count, kept[count]]));
}
