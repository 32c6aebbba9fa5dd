import { create, createItems, element } from '../element.js';
import { fillTable } from '../table.js';

/** @import { Table } from '../../../../core/experiment/table.js' */

/**
 * Opens what the page shows of a comparison.
 * @param {readonly string[]} differences sentences: what else differs, and warnings
 */
export function showDifferences(differences) {
  element('#warnings ul').replaceChildren(...createItems(differences));
  element('#warnings').hidden = differences.length === 0;
  element('#compared').hidden = false;
}

/**
 * One place's table, with its name.
 * @param {object} options
 * @param {string} options.caption
 * @param {Table<any>} options.table
 * @param {string} options.note beneath it
 * @param {'rates' | 'classic'} options.kind @returns {HTMLElement}
 */
export function createPlaceTable({ caption, table, note, kind }) {
  const target = fillTable(create('table', { class: `figures ${kind}` }, create('caption', {}, caption)), table);
  const region = { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' };
  return create('section', {}, create('div', region, target), create('small', {}, note));
}
