/** Compares names that people type: of studies, and of places. */
import { byFrequency } from './format.js';

/**
 * Folds a name by Unicode's canonical caseless matching, for which JavaScript has no function. Also, the Turkish İ and ı count as
 * i: people type "izmir" for İzmir.
 * @param {string} name @returns {string} the same for all spellings of it
 * @see https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G34145
 * @example foldName(' STRASSE  1') === foldName('Straße 1') // true
 */
export const foldName = (name) =>
  // The upper case of ß is SS, but that of ẞ is itself, so the lower case comes first.
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
