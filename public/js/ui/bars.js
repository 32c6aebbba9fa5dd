/** Bars as long as their figures, each between its name and its figure. */
import { create } from '../base/page.js';

/**
 * @typedef {{ name: string, value?: number, figure: string, colour: string }} Bar `colour`: the name of a custom property,
 *   without its dashes
 */

/** @param {HTMLElement} place is emptied first @param {readonly Bar[]} bars @param {string} words the text alternative */
export function showBars(place, bars, words) {
  const longest = Math.max(0, ...bars.map(({ value = 0 }) => value));
  place.setAttribute('aria-label', `Chart. ${words}`);
  place.replaceChildren(...bars.flatMap((bar) => createBar(bar, longest)));
}

/** @param {Bar} bar @param {number} longest of all; 0 if there is none */
function createBar({ name, value = 0, figure, colour }, longest) {
  const bar = create('span', { class: 'bar' });
  bar.style.inlineSize = longest > 0 ? `${(100 * value) / longest}%` : '0';
  bar.style.backgroundColor = `var(--${colour})`;
  return [name, bar, figure].map((child) => create('span', {}, child));
}
