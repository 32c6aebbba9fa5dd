/** Compares the names of places, as people type them. */

/** @param {string} name @returns {string} the same for all spellings of a place */
export const foldPlace = (name) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
