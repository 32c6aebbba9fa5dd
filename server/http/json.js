/**
 * The maximum depth of JSON from clients. It is checked before the JSON is parsed, as a MiB of brackets takes a parser
 * 200 ms. Some thousand levels overflow the stack when the value is written again.
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-2 for structural characters, which are `[ ] { } : ,`
 */
export const MAX_JSON_DEPTH = 32;
/** The maximum number of structural characters in a message. */
export const MAX_JSON_STRUCTURE = 10_000;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
/** @type {number[]} by character code: what each structural character adds to the depth; absent: it is another */
const DEPTH_STEPS = [];
for (const opening of '[{') DEPTH_STEPS[opening.charCodeAt(0)] = 1;
for (const closing of ']}') DEPTH_STEPS[closing.charCodeAt(0)] = -1;
for (const separator of ':,') DEPTH_STEPS[separator.charCodeAt(0)] = 0;

/**
 * Counts the structural characters of a text, which need not be valid JSON.
 * @param {string} text @param {number} [max] counting stops beyond it
 * @returns {number} Infinity if there are more than `max`, or more than {@link MAX_JSON_DEPTH} levels
 * @example countStructure('["a,b",{"c":1}]') // 6
 */
export function countStructure(text, max = MAX_JSON_STRUCTURE) {
  let count = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at + 1);
      if (at < 0) return count;
      continue;
    }
    const step = DEPTH_STEPS[code];
    if (step === undefined) continue;
    count++;
    depth += step;
    if (count > max || depth > MAX_JSON_DEPTH) return Infinity;
  }
  return count;
}

/** Checks whether a message has too much structure. @param {string} text */
export function isTooComplex(text) {
  // A text with so few characters cannot be nested too deeply.
  return text.length > MAX_JSON_DEPTH && countStructure(text) === Infinity;
}

/** @param {string} text @param {number} from where the string begins @returns {number} -1 where it does not end */
function closingQuote(text, from) {
  for (let at = text.indexOf('"', from); ; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first--;
    // A quote after an even number of backslashes is not escaped.
    if ((at - first) % 2 === 0) return at;
  }
}
