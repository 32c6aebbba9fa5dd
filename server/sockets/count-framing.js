const BACKSLASH = '\\'.charCodeAt(0);

/**
 * How much of a frame of SockJS's, which is JSON, is something else than text: quotes, commas, brackets, numbers. A client
 * has a few of them; a frame that is full of them makes millions of messages, or of lists in one.
 *
 * @param {string} frame not parsed yet
 * @param {number} most beyond it nobody counts any further
 * @returns {number} characters outside strings, and the quotes; of what is no JSON at least those before it breaks
 */
export function countFraming(frame, most) {
  let count = 0;
  let at = 0;
  while (count <= most) {
    const opening = frame.indexOf('"', at);
    if (opening < 0) return count + frame.length - at;
    const closing = closingQuote(frame, opening + 1);
    count += opening - at + 2;
    if (closing < 0) return count;
    at = closing + 1;
  }
  return count;
}

/** @param {string} frame @param {number} from where the string begins @returns {number} -1 where it does not end */
function closingQuote(frame, from) {
  let at = frame.indexOf('"', from);
  while (at >= 0 && isEscaped(frame, at, from)) at = frame.indexOf('"', at + 1);
  return at;
}

/** @param {string} frame @param {number} at @param {number} from where the string begins */
function isEscaped(frame, at, from) {
  let first = at;
  while (first > from && frame.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
