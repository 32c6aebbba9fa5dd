import { cellsOf, headOf } from '../../../core/experiment/table.js';

/** @import { Column, Table } from '../../../core/experiment/table.js' */

/** What is longer is a sentence, like why there is no figure, and may break. */
const LONGEST_FIGURE = 30;

/**
 * @param {HTMLTableElement} target is emptied first; each cell also has its column's head, which stands beside it where a
 *   phone shows a row as a card
 * @param {Table<any>} table
 * @returns {HTMLTableElement} the target
 */
export function fillTable(target, table) {
  const { columns } = table;
  const body = target.tBodies[0] ?? target.createTBody();
  target.createTHead().replaceChildren(createRow(columns.map(headOf), columns, 'col'));
  body.replaceChildren(...cellsOf(table).map((cells) => createRow(cells, columns, 'row')));
  return target;
}

/**
 * @param {readonly string[]} texts where they are fewer than the columns, the last cell reaches to the end
 * @param {readonly Column<any>[]} columns
 * @param {'col' | 'row'} scope what its heads are of: 'col' makes all cells heads, 'row' the first
 * @returns {HTMLTableRowElement}
 */
function createRow(texts, columns, scope) {
  const row = document.createElement('tr');
  for (const [index, textContent] of texts.entries()) {
    const isHead = scope === 'col' || index === 0;
    const cell = Object.assign(document.createElement(isHead ? 'th' : 'td'), { textContent });
    if (isHead) cell.setAttribute('scope', scope);
    if (columns[index].isText) cell.classList.add('text');
    if (textContent.length > LONGEST_FIGURE) cell.classList.add('words');
    if (scope === 'row') cell.dataset.name = headOf(columns[index]);
    row.append(cell);
  }
  const last = row.cells[texts.length - 1];
  last.colSpan += columns.length - texts.length;
  if (last.colSpan > 1) last.classList.add('reason');
  return row;
}
