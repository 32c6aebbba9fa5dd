import { headOf } from '../../../../core/experiment/table.js';
import { tabulateReport } from '../../../../core/experiments/shootout/report-table.js';
import { element } from '../element.js';
import { fillTable } from '../table.js';

/** @import { Report } from '../../../../core/experiments/shootout/report.js' */

/**
 * Shows a report’s tables, notes and trust checks.
 *
 * @param {Report} report
 * @param {string} origin what is to be said of where it comes from; empty for a run that was made just now
 */
export function showReport(report, origin) {
  const { notes, trust } = report;
  const table = tabulateReport(report);
  element('#result-origin', HTMLElement).textContent = origin;
  fillTable(element('#rows', HTMLTableElement), table);
  element('#notes', HTMLElement).replaceChildren(...notes.map(createItem));
  element('#columns', HTMLElement).replaceChildren(
    ...table.columns.flatMap((column) => createEntry(headOf(column), String(column.explanation))),
  );
  const warningCount = trust.filter(({ isWarning }) => isWarning).length;
  element('#trust-count', HTMLElement).textContent =
    warningCount === 0 ? 'no warnings' : `${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}`;
  element('#trust-facts', HTMLElement).replaceChildren(
    ...trust.flatMap(({ name, value, isWarning }) => createEntry(name, value, isWarning)),
  );
}

/**
 * @param {string} name
 * @param {string} value
 * @param {boolean} [isWarning]
 */
function createEntry(name, value, isWarning = false) {
  const [term, description] = ['dt', 'dd'].map((tag) => document.createElement(tag));
  term.textContent = name;
  description.textContent = isWarning ? `⚠ ${value}` : value;
  if (isWarning) description.classList.add('warning');
  return [term, description];
}

/** @param {string} text */
function createItem(text) {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}
