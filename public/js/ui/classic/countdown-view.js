import { COLUMNS, formatNotes, formatSetUp } from '../../../../core/experiments/countdown/index.js';
import { hasFigures } from '../../../../core/experiment/lone-trials.js';
import { element } from '../element.js';
import { showMeanBars } from '../../charts/mean-bars.js';
import { fillTable } from '../table.js';

/** @import { CountdownResult } from '../../../../core/experiments/countdown/index.js' */

/**
 * Shows all tests that were made: their table, their means, what must be said beside them.
 * @param {CountdownResult} result
 */
export function showCountdown(result) {
  const { tests } = result;
  const isEmpty = !tests.some(hasFigures);
  element('#result').hidden = isEmpty;
  element('#means').hidden = isEmpty;
  fillTable(element('#tests', HTMLTableElement), { columns: COLUMNS, rows: tests });
  element('#notes').textContent = formatNotes(result);
  element('#set-up').textContent = formatSetUp(result);
  showMeanBars(tests);
}
