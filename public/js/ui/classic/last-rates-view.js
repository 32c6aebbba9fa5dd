import { formatNumber } from '../../../../core/base/format.js';
import { COUNTS, readLastRates } from '../../last-rates.js';
import { element } from '../element.js';

/** Shows the last figures of both classic pages, each in its table; one that has not run in this tab has none. */
export function showLastRates() {
  const rates = readLastRates();
  const shown = Object.keys(rates).filter((transport) => Object.keys(rates[transport]).length > 0);
  element('#rates').hidden = shown.length === 0;
  // With both there, nothing is left to be run for a comparison.
  element('#rates-other').hidden = shown.length === Object.keys(rates).length;
  for (const transport of Object.keys(rates)) {
    const table = element(`#rates-${transport}`, HTMLTableElement);
    table.hidden = !shown.includes(transport);
    for (const [index, count] of COUNTS.entries()) {
      const rate = rates[transport][count];
      table.tBodies[0].rows[index].cells[1].textContent = formatNumber(rate, 1);
    }
  }
}
