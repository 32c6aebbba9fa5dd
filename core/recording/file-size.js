/** How large a file of a recording may be, on the page and for the command; and a text that is pasted. */
const MB = 1_000_000;
const MAX_MB = 100;
export const MAX_FILE_BYTES = MAX_MB * MB;

/** A field of a page with more than that no longer answers. */
const MAX_PASTED_MB = 20;

/** @param {string} text that was pasted @returns {string} what was expected, and what came; empty where it may be read */
export function problemOfPasted({ length }) {
  if (length <= MAX_PASTED_MB * MB) return '';
  return `expected a text of at most ${MAX_PASTED_MB} MB, got ${Math.ceil(length / MB)} MB. Save it as a file, and drop that`;
}

/** @param {number} bytes of a file @returns {string} what was expected, and what came; empty where it may be read */
export function problemOfSize(bytes) {
  if (bytes <= MAX_FILE_BYTES) return '';
  return `expected a file of at most ${MAX_MB} MB, got ${Math.ceil(bytes / MB)} MB. Record for a shorter time`;
}
