import { COLUMNS, formatNotes, formatRow, formatSetUp } from '../../../../core/experiments/countdown/export.js';
import { element } from '../element.js';
import { showMeanBars } from '../../charts/mean-bars.js';
import { createRow } from '../table.js';

/** @import { CountdownResult } from '../../../../core/experiments/countdown/export.js' */

/**
 * Shows all tests that were made: their table, their means, what must be said beside them.
 *
 * @param {CountdownResult} result
 */
export function showCountdown(result) {
  const { tests } = result;
  element('#result', HTMLElement).hidden = tests.length === 0;
  element('#means', HTMLElement).hidden = tests.length === 0;
  element('#tests tbody', HTMLElement).replaceChildren(
    ...tests.map((test, index) => createTestRow(formatRow(test, index))),
  );
  element('#notes', HTMLElement).textContent = formatNotes(result);
  element('#set-up', HTMLElement).textContent = formatSetUp(result);
  showMeanBars(tests);
}

const isText = (/** @type {number} */ column) => Boolean(COLUMNS[column].isText);

/** @param {readonly string[]} texts a test that did not finish has fewer cells: the last says why */
function createTestRow(texts) {
  const row = createRow(texts, 'row', isText);
  const last = row.cells[row.cells.length - 1];
  last.colSpan += COLUMNS.length - texts.length;
  if (last.colSpan > 1) last.classList.add('reason');
  return row;
}
