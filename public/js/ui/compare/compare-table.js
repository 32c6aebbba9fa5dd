import { fillTable } from '../table.js';

/** @import { Table } from '../../../../core/experiment/table.js' */

/**
 * One place's table, with its name.
 *
 * @param {object} options
 * @param {string} options.caption
 * @param {Table<any>} options.table
 * @param {string} options.note beneath it
 * @param {'rates' | 'classic'} options.kind
 * @returns {HTMLElement}
 */
export function createPlaceTable({ caption, table, note, kind }) {
  const target = document.createElement('table');
  const [section, scroll, small] = ['section', 'div', 'small'].map((tag) => document.createElement(tag));
  target.className = `figures ${kind}`;
  target.createCaption().textContent = caption;
  scroll.className = 'scroll';
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', caption);
  scroll.tabIndex = 0;
  scroll.append(fillTable(target, table));
  small.textContent = note;
  section.append(scroll, small);
  return section;
}
