/** Words with a definition: a press shows it in a popover, by mouse, finger or keyboard. */
import { capitalize } from '../../../core/base/format.js';
import { findTerm } from '../../../core/experiment/report/terms.js';
import { create, keepAsOne, keepTogether } from '../base/page.js';

/** @import { Term } from '../../../core/experiment/report/terms.js' */

/** Between the word and its definition, and at the window's edge, px. */
const GAP_PX = 8;

/** @param {string} text of a head @returns {(Node | string)[]} in which a word that has a definition is a button */
export function createTermed(text) {
  const found = findTerm(text);
  if (!found || !('popover' in HTMLElement.prototype)) return [keepAsOne(text)];
  const { before, word, after, term } = found;
  const note = noteOf(term);
  const button = create('button', { type: 'button', class: 'term', popovertarget: note.id }, word);
  button.addEventListener('click', () => moveBeneath(note, button));
  return [create('span', {}, ...keepTogether(before), button, ...keepTogether(after))];
}

/** @param {Term} term @returns {HTMLElement} its definition, once a page */
function noteOf({ name, definition }) {
  const id = `term-${name.replaceAll(' ', '-')}`;
  const made = document.getElementById(id);
  if (made) return made;
  const note = create('p', { id, popover: 'auto', class: 'term-note' }, `${capitalize(name)}: ${definition}`);
  document.body.append(note);
  return note;
}

/** Its width is known only when it is shown. @param {HTMLElement} note @param {HTMLElement} button that has just been pressed */
function moveBeneath(note, button) {
  const { left, bottom } = button.getBoundingClientRect();
  note.style.left = `max(${GAP_PX}px, min(${left}px, 100vw - 25rem))`;
  note.style.top = `${bottom + GAP_PX}px`;
}
