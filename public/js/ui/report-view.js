import { COLUMNS, formatRow } from '../../core/report-table.js';
import { element } from './element.js';

/**
 * Shows a report, without its charts.
 *
 * @param {import('../../core/report.js').Report} report
 * @param {string} origin what is to be said of where it comes from; empty for a run that was made just now
 */
export function showReport({ verdict, rows, notes, trust }, origin) {
  const article = element('#verdict', HTMLElement);
  article.dataset.word = verdict.word;
  for (const part of /** @type {const} */ (['headline', 'detail', 'advice'])) {
    element(`#verdict-${part}`, HTMLElement).textContent = verdict[part];
  }
  element('#result-origin', HTMLElement).textContent = origin;
  element('#rows thead', HTMLElement).replaceChildren(
    createRow(
      COLUMNS.map(({ title }) => title),
      'col',
    ),
  );
  element('#rows tbody', HTMLElement).replaceChildren(...rows.map((row) => createRow(formatRow(row), 'row')));
  element('#notes', HTMLElement).replaceChildren(...notes.map(createItem));
  element('#columns', HTMLElement).replaceChildren(
    ...COLUMNS.flatMap(({ title, explanation }) => createEntry(title, explanation)),
  );
  element('#trust-facts', HTMLElement).replaceChildren(
    ...trust.flatMap(({ name, value, isWarning }) => createEntry(name, value, isWarning)),
  );
}

/**
 * @param {readonly string[]} texts
 * @param {'col' | 'row'} scope what the heads are of: all cells, or the first
 */
function createRow(texts, scope) {
  const row = document.createElement('tr');
  row.append(
    ...texts.map((text, column) => {
      const isHead = scope === 'col' || column === 0;
      const cell = document.createElement(isHead ? 'th' : 'td');
      if (isHead) cell.setAttribute('scope', scope);
      if (COLUMNS[column].isText) cell.classList.add('text');
      cell.textContent = text;
      return cell;
    }),
  );
  return row;
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
