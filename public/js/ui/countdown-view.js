import { COLUMNS, formatNotes, formatRow, formatSetUp } from '../../core/experiments/countdown-export.js';
import { element } from './element.js';
import { showMeanBars } from './mean-bars.js';

/**
 * Shows all tests that were made: their table, their means, what must be said beside them.
 *
 * @param {import('../../core/experiments/countdown-export.js').CountdownResult} result
 */
export function showCountdown(result) {
  const { tests } = result;
  element('#result', HTMLElement).hidden = tests.length === 0;
  element('#means', HTMLElement).hidden = tests.length === 0;
  element('#tests tbody', HTMLElement).replaceChildren(
    ...tests.map((test, index) => createRow(formatRow(test, index))),
  );
  element('#notes', HTMLElement).textContent = formatNotes(result);
  element('#set-up', HTMLElement).textContent = formatSetUp(result);
  showMeanBars(tests);
}

/** @param {readonly string[]} texts a test that did not finish has fewer cells: the last says why */
function createRow(texts) {
  const row = document.createElement('tr');
  row.append(
    ...texts.map((text, column) => {
      const cell = document.createElement(column === 0 ? 'th' : 'td');
      if (column === 0) cell.setAttribute('scope', 'row');
      if (COLUMNS[column].isText) cell.classList.add('text');
      cell.textContent = text;
      return cell;
    }),
  );
  const last = row.cells[row.cells.length - 1];
  last.colSpan += COLUMNS.length - texts.length;
  if (last.colSpan > 1) last.classList.add('reason');
  return row;
}
