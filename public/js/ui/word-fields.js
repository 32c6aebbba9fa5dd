/** The fields in which visitors describe a run: label, place and note. */
import { element, markField } from '../base/page.js';

/**
 * @typedef {{ label: string, place: string, note: string }} Words
 * @typedef {object} WordFields
 * @property {() => Words} read
 * @property {(words: Partial<Words>) => void} fill
 * @property {() => boolean} check shows errors beside the fields
 */

const NAMES = /** @type {const} */ (['label', 'place', 'note']);

/** @returns {WordFields} */
export function mountWordFields() {
  const fields = NAMES.map(mountTextField);
  const read = () => /** @type {Words} */ (Object.fromEntries(fields.map(({ name, input }) => [name, input.value])));
  return {
    read,
    fill(words) {
      for (const { name, input } of fields) input.value = words[name] ?? '';
    },
    check() {
      const [wrong] = fields.filter((field) => !field.check());
      if (!wrong) return true;
      wrong.input.closest('details')?.setAttribute('open', '');
      wrong.input.focus();
      return false;
    },
  };
}

/** @param {Words} words @returns {{ label?: string, note?: string, place?: { name: string } }} as the API has them */
export const toSubmission = ({ label, note, place }) => ({
  label: label || undefined,
  note: note || undefined,
  place: place ? { name: place } : undefined,
});

/**
 * Returns what a visitor changed, as the API has it: what another page changed since stays.
 * @param {Partial<Words>} before @param {Words} now
 */
export function changesOf(before, now) {
  const changed = NAMES.filter((name) => now[name] !== (before[name] ?? ''));
  return Object.fromEntries(changed.map((name) => [name, name === 'place' ? { name: now.place } : now[name]]));
}

/** @param {(typeof NAMES)[number]} name */
function mountTextField(name) {
  // One of them is a textarea, which has the same properties.
  const input = /** @type {HTMLInputElement} */ (element(`#save-${name}`));
  const max = Number(input.dataset.max);
  return {
    name,
    input,
    check() {
      const { length } = input.value;
      const message = length > max ? `Expected at most ${max} characters, got ${length}.` : '';
      element(`#save-${name}-error`).textContent = message;
      markField(input, message !== '');
      return message === '';
    },
  };
}
