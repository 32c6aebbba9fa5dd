import { element } from './element.js';

/**
 * @param {readonly string[]} texts
 * @param {'col' | 'row'} scope what its heads are of: 'col' makes all cells heads, 'row' the first
 * @param {(column: number) => boolean} [isText] which columns hold words; the others hold figures
 * @returns {HTMLTableRowElement}
 */
export function createRow(texts, scope, isText = (column) => column === 0) {
  const row = document.createElement('tr');
  row.append(
    ...texts.map((text, column) => {
      const isHead = scope === 'col' || column === 0;
      const cell = document.createElement(isHead ? 'th' : 'td');
      if (isHead) cell.setAttribute('scope', scope);
      if (isText(column)) cell.classList.add('text');
      cell.textContent = text;
      return cell;
    }),
  );
  return row;
}

/**
 * Gives each cell its column's title, which stands beside it where a phone shows a row as a card.
 *
 * @param {string} selector of the table
 */
export function nameCells(selector) {
  const table = element(selector, HTMLTableElement);
  const titles = [...(table.tHead?.rows[0].cells ?? [])].map(({ textContent }) => String(textContent));
  for (const { cells } of table.tBodies[0].rows) {
    for (const [column, cell] of [...cells].entries()) cell.dataset.name = titles[column];
  }
}
