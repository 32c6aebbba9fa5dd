/** How large a file of a recording may be, on the page and for the command. */
const MB = 1_000_000;
const MAX_MB = 100;
export const MAX_FILE_BYTES = MAX_MB * MB;

/** @param {number} bytes of a file @returns {string} what was expected, and what came; empty where it may be read */
export function problemOfSize(bytes) {
  if (bytes <= MAX_FILE_BYTES) return '';
  return `expected a file of at most ${MAX_MB} MB, got ${Math.ceil(bytes / MB)} MB. Record for a shorter time`;
}
