/** Text for Markdown, the same in every export. */

/**
 * Servers and browsers name themselves, so what they say is text and nothing else.
 *
 * @param {string} text
 * @returns {string}
 */
export function escape(text) {
  return text.replace(/[\\|<>`*_[\]]/g, '\\$&').replace(/\s+/g, ' ');
}
