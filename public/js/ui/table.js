import { cellsOf, headOf } from '../../../core/experiment/table.js';

/** @import { Column, Table } from '../../../core/experiment/table.js' */

/**
 * @param {HTMLTableElement} target is emptied first; each cell also has its column's head, which stands beside it where a
 *   phone shows a row as a card
 * @param {Table<any>} table
 * @returns {HTMLTableElement} the target
 */
export function fillTable(target, table) {
  const { columns } = table;
  const body = target.tBodies[0] ?? target.createTBody();
  target.createTHead().replaceChildren(createTableRow(columns.map(headOf), columns, 'col'));
  body.replaceChildren(...cellsOf(table).map((cells) => createTableRow(cells, columns, 'row')));
  return target;
}

/**
 * @param {readonly string[]} texts where they are fewer than the columns, the last cell reaches to the end
 * @param {readonly Column<any>[]} columns
 * @param {'col' | 'row'} scope what its heads are of: 'col' makes all cells heads, 'row' the first
 * @returns {HTMLTableRowElement}
 */
function createTableRow(texts, columns, scope) {
  const row = document.createElement('tr');
  for (const [index, textContent] of texts.entries()) {
    const isHead = scope === 'col' || index === 0;
    const cell = Object.assign(document.createElement(isHead ? 'th' : 'td'), { textContent });
    if (isHead) cell.setAttribute('scope', scope);
    if (columns[index].isText) cell.classList.add('text');
    if (scope === 'row') cell.dataset.name = headOf(columns[index]);
    row.append(cell);
  }
  const last = row.cells[texts.length - 1];
  last.colSpan += columns.length - texts.length;
  if (last.colSpan > 1) last.classList.add('reason');
  return row;
}

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
