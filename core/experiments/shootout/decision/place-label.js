/** Where a label fits beside what is drawn already. */

/** Of the page's font at 12 px, a little more than its letters take on average. */
const LETTER_PX = 6.7;
const HALF_HEIGHT_PX = 8;
/** An obstacle this near to a label's edge is in its way. */
const GAP_PX = 6;

/**
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} Label
 * @property {string} text
 * @property {Point} at the middle of its left edge
 */

/** @param {string} text @returns {number} about how wide it is */
export function widthOf(text) {
  return text.length * LETTER_PX;
}

/**
 * @param {object} options
 * @param {string} options.text
 * @param {readonly Point[]} options.candidates where its left edge may be, best first
 * @param {readonly Point[]} options.obstacles
 * @returns {Label} at the first candidate that is free, or else at the one with the fewest obstacles
 */
export function placeLabel({ text, candidates, obstacles }) {
  const width = widthOf(text);
  /** @param {Point} at */
  const hitsAt = (at) =>
    obstacles.filter(
      ({ x, y }) => x > at.x - GAP_PX && x < at.x + width + GAP_PX && Math.abs(y - at.y) < HALF_HEIGHT_PX + GAP_PX,
    ).length;
  const hits = candidates.map(hitsAt);
  return { text, at: candidates[hits.indexOf(Math.min(...hits))] };
}

/** @param {Label} label @returns {Point[]} what it is to the labels that come after it */
export function obstaclesOf({ text, at }) {
  const count = Math.ceil(widthOf(text) / LETTER_PX);
  return Array.from({ length: count + 1 }, (_, index) => ({ x: at.x + index * LETTER_PX, y: at.y }));
}
