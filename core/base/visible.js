/**
 * Text that somebody else wrote, as it may be shown: without what steers a terminal, turns the direction of what stands
 * around it, or cannot be seen. The joiners (U+200C, U+200D) stay: words and emoji of some languages need them.
 *
 * https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
const UNSHOWN = '(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]';
const ANY = new RegExp(UNSHOWN, 'gu');
const ANY_BUT_LINES = new RegExp(`(?![\\n\\t])${UNSHOWN}`, 'gu');

/** @param {string} text @returns {boolean} is it shown as it is? */
export function isVisible(text) {
  return text.search(ANY) < 0;
}

/**
 * @param {string} text
 * @returns {string} of one line, each character that is not shown as a space
 * @example visible('Chrome\u202e/1') // 'Chrome /1'
 */
export function visible(text) {
  return text.replace(ANY, ' ');
}

/**
 * @template T
 * @param {T} value as JSON has it
 * @returns {T} the same with all its texts as they may be shown; line breaks and tabs stay
 */
export function visibleThroughout(value) {
  return /** @type {T} */ (map(value));
}

/** @param {unknown} value @returns {unknown} */
function map(value) {
  if (typeof value === 'string') return value.replace(ANY_BUT_LINES, ' ');
  if (Array.isArray(value)) return value.map(map);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]));
}
