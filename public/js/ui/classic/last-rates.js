/** The last figures of the two classic pages, as this tab remembers them: so that each page can show both. */
import { formatNumber } from '../../../../core/base/format.js';
import { keep, readKept } from '../../storage.js';
import { element } from '../element.js';

const KEY = 'sockshootout/classic-rates/1';

/** How many messages the figures are of. */
const COUNTS = Object.freeze([10, 100, 1000]);
const TRANSPORTS = Object.freeze(['ajax', 'sockjs']);

/** @typedef {Record<string, number>} Rates messages per second by iterations */

/** @returns {Record<string, Rates>} by transport; a transport that has not run has none */
function readLastRates() {
  const kept = readKept('sessionStorage', KEY);
  return Object.fromEntries(TRANSPORTS.map((transport) => [transport, pickRates(kept?.[transport])]));
}

/** @param {any} kept @returns {Rates} */
function pickRates(kept) {
  const isRate = (/** @type {unknown} */ rate) => typeof rate === 'number' && Number.isFinite(rate) && rate > 0;
  return Object.fromEntries(COUNTS.filter((count) => isRate(kept?.[count])).map((count) => [count, kept[count]]));
}

/**
 * @param {string} transport @param {number} iterations of a run that finished
 * @param {number} rate messages per second
 */
export function keepLastRate(transport, iterations, rate) {
  const rates = readLastRates();
  rates[transport] = pickRates({ ...rates[transport], [iterations]: rate });
  keep('sessionStorage', KEY, rates);
}

/** Shows them, each page's in its table; one that has not run in this tab has none. */
export function showLastRates() {
  const rates = readLastRates();
  const shown = TRANSPORTS.filter((transport) => Object.keys(rates[transport]).length > 0);
  element('#rates').hidden = shown.length === 0;
  // With both there, nothing is left to be run for a comparison.
  element('#rates-other').hidden = shown.length === TRANSPORTS.length;
  for (const transport of TRANSPORTS) {
    const table = element(`#rates-${transport}`, HTMLTableElement);
    table.hidden = !shown.includes(transport);
    for (const [index, count] of COUNTS.entries()) {
      table.tBodies[0].rows[index].cells[1].textContent = formatNumber(rates[transport][count], 1);
    }
  }
}
