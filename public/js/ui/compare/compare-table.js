import { createRow } from '../table.js';

/**
 * One place's table, with its name.
 *
 * @param {object} options
 * @param {string} options.caption
 * @param {readonly string[]} options.titles of the columns
 * @param {readonly (readonly string[])[]} options.rows
 * @param {string} options.note beneath it
 * @param {'rates' | 'classic'} options.kind
 * @returns {HTMLElement}
 */
export function createPlaceTable({ caption, titles, rows, note, kind }) {
  const [section, scroll, table, title, head, body, small] = [
    ...['section', 'div', 'table', 'caption', 'thead', 'tbody', 'small'],
  ].map((tag) => document.createElement(tag));
  table.className = `figures ${kind}`;
  title.textContent = caption;
  head.append(createRow(titles, 'col'));
  body.append(...rows.map((cells) => createRow(cells, 'row')));
  table.append(title, head, body);
  scroll.className = 'scroll';
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', caption);
  scroll.tabIndex = 0;
  scroll.append(table);
  small.textContent = note;
  section.append(scroll, small);
  return section;
}
