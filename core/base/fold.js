/** Compares names that people type: of studies, and of places. */
import { byFrequency } from './format.js';

/**
 * Folds by Unicode's canonical caseless matching, which JavaScript has no function for. The dot of a Turkish İ, which is
 * i with a dot in lower case, and the i without one count for nothing: people type "izmir", too.
 * @param {string} name @returns {string} the same for all spellings of it
 * @see https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G34145
 * @example foldName(' STRASSE  1') === foldName('Straße 1') // true
 */
export const foldName = (name) =>
  // Some letters have an upper case of two, and others a lower case that is not the one of their upper case.
  name.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').normalize('NFC').trim().replace(/\s+/g, ' '); // prettier-ignore

/**
 * @param {readonly string[]} names
 * @returns {(name: string) => string} writes a name as most of them do that are the same
 */
export function createSpelling(names) {
  /** @type {Map<string, string>} */
  const usual = new Map();
  // The most frequent comes last, and stays.
  for (const [name] of byFrequency(names).reverse()) usual.set(foldName(name), name);
  return (name) => usual.get(foldName(name)) ?? name;
}
