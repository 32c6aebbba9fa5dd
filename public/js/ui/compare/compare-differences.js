import { element } from '../element.js';

/**
 * Opens what the page shows of a comparison, with what differs besides the places.
 *
 * @param {readonly string[]} differences sentences
 * @param {{ runCount: number, alike: string }} options `alike` is what to say of several runs that do not differ
 */
export function showDifferences(differences, { runCount, alike }) {
  const section = element('#differs', HTMLElement);
  element('#differs ul', HTMLElement).replaceChildren(...differences.map(createItem));
  section.hidden = differences.length === 0;
  element('#alike', HTMLElement).textContent = differences.length === 0 && runCount > 1 ? alike : '';
  element('#compared', HTMLElement).hidden = false;
}

/**
 * @param {string} text
 * @returns {HTMLLIElement}
 */
export function createItem(text) {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}
