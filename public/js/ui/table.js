import { cellsOf, headOf } from '../../../core/experiment/table.js';
import { create } from './element.js';

/** @import { Column, Table } from '../../../core/experiment/table.js' */

/** What is longer is a sentence, like why there is no figure, and may break. */
const LONGEST_FIGURE = 30;

/**
 * @param {HTMLTableElement} target is emptied first; each cell also has its column's head, which stands beside it where a
 *   phone shows a row as a card
 * @param {Table<any>} table @returns {HTMLTableElement} the target
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
 */
function createRow(texts, columns, scope) {
  const cells = texts.map((text, index) => {
    const cell = scope === 'col' || index === 0 ? create('th', { scope }, text) : create('td', {}, text);
    if (columns[index].isText) cell.classList.add('text');
    if (text.length > LONGEST_FIGURE) cell.classList.add('words');
    if (scope === 'row') cell.dataset.name = headOf(columns[index]);
    return cell;
  });
  const last = cells[cells.length - 1];
  last.colSpan += columns.length - cells.length;
  if (last.colSpan > 1) last.classList.add('reason');
  return create('tr', {}, ...cells);
}
