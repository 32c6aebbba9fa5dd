/** Compares names that people type: of studies, and of places. */

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
