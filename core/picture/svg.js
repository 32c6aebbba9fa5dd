/**
 * Builds pictures as trees, which the server writes as text and a page builds as elements: no name can become markup.
 */

/** The width of a letter in the page's font at 14 px, bold, a little more than the average. */
const LETTER_PX = 8.6;
/** They are half as wide again. Of capitals those that begin a word, as names have them. */
const WIDE_LETTERS = /[mw%@]|[MW](?=[a-z])/g;
/** Half the height of a line of text. */
export const HALF_HEIGHT_PX = 9;
/** An obstacle this near to a label's edge counts as under it. */
const GAP_PX = 6;
/** A label may stand closely above or below something. */
const GAP_Y_PX = 2;

const STEPS = [
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 1.1, 1.2, 1.3, 1.4, 1.5, 2, 3, 4, 5, 6, 7, 8, 9],
];
const DECADES = [-3, -2, -1, 0, 1, 2, 3, 4];
const MIN_TICKS = 3;

/**
 * @typedef {{ tag: string, attributes: Record<string, string | number>, children: (SvgNode | string)[] }} SvgNode
 * @typedef {{ x: number, y: number }} Point
 * @typedef {Point & { width: number, half: number }} Box a label; `x` is its left edge, `y` its middle, `half` of its height
 * @typedef {Box & { cost?: number }} Candidate a place of a label; `cost`: how much worse it is than others, as a number of
 *   obstacles
 */

/**
 * Creates an element of a picture.
 * @param {string} tag @param {Record<string, string | number>} [attributes] @param {...(SvgNode | string)} children
 */
export const node = (tag, attributes = {}, ...children) => ({ tag, attributes, children });

/**
 * Writes a picture as XML: what XML forbids is replaced, the rest is escaped.
 * @param {SvgNode | string} tree @returns {string} its markup
 */
export function toMarkup(tree) {
  if (typeof tree === 'string') return escape(tree);
  const attributes = Object.entries(tree.attributes).map(([name, value]) => ` ${name}="${escape(String(value))}"`);
  return `<${tree.tag}${attributes.join('')}>${tree.children.map(toMarkup).join('')}</${tree.tag}>`;
}

/** What XML forbids, even escaped: https://www.w3.org/TR/xml/#charsets. A lone surrogate, too. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** @param {string} text */
const escape = (text) =>
  text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** @param {number} px @returns {number} as a picture has it */
export const round = (px) => Number(px.toFixed(1));

/** Returns the nearest number within the limits. @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/**
 * Creates a line of text.
 * @param {string} words @param {Point} at @param {'start' | 'middle' | 'end'} anchor
 * @param {Record<string, string>} [style]
 */
export function text(words, { x, y }, anchor, style = { class: 'tick' }) {
  return node('text', { ...style, x: round(x), y: round(y), 'text-anchor': anchor }, words);
}

/**
 * @param {readonly string[]} lines @param {Point} at of the first one @param {Record<string, string>} style
 * @returns {SvgNode} lines that begin below each other
 */
export function textOfLines(lines, { x, y }, style) {
  if (lines.length === 1) return text(lines[0], { x, y }, 'start', style);
  const spans = lines.map((words, i) => node('tspan', { x: round(x), y: round(y + 2 * i * HALF_HEIGHT_PX) }, words));
  return node('text', { ...style, 'text-anchor': 'start' }, ...spans);
}

/**
 * Creates a straight line.
 * @param {string} kind @param {Point} from @param {Point} to @param {Record<string, string>} [style]
 */
export function line(kind, from, to, style) {
  const [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(round);
  return node('line', { class: kind, x1, y1, x2, y2, ...style });
}

/**
 * Creates a logarithmic scale. Values outside the domain are placed at its end.
 * @param {{ low: number, high: number }} domain above 0 @param {readonly [number, number]} range
 * @returns {(value: number) => number}
 */
export function logScale({ low, high }, [from, to]) {
  const perUnit = (to - from) / Math.log(high / low);
  return (value) => from + perUnit * Math.log(Math.min(high, Math.max(low, value)) / low);
}

/**
 * Returns round numbers as ticks.
 * @param {{ low: number, high: number }} domain
 * @param {readonly number[][]} [steps] within a factor of 10: the first that give enough
 */
export function logTicks({ low, high }, steps = STEPS) {
  const all = steps.map((list) =>
    DECADES.flatMap((decade) => list.map((step) => Number((step * 10 ** decade).toPrecision(2)))).filter(
      (tick) => tick >= low && tick <= high,
    ),
  );
  return all.find((ticks) => ticks.length >= MIN_TICKS) ?? all[all.length - 1];
}

/** @param {string} words @returns {number} about how wide they are, in px */
export const widthOf = (words) => (words.length + (words.match(WIDE_LETTERS)?.length ?? 0) / 2) * LETTER_PX;

/**
 * Chooses the candidate with the lowest cost: its own, and 1 for each obstacle under it.
 * @template {Candidate} C @param {{ candidates: readonly C[], obstacles: readonly Point[], marks?: readonly Point[], taken?:
 *   readonly Box[], leaderOf?: (candidate: C) => readonly Point[] }} options `candidates`: those of equal cost best first; `marks`, and
 *   other labels in `taken`: what it never covers; `leaderOf`: the points of its line, which crosses no other label
 * @returns {C & { cost: number } | undefined} with its whole cost; absent if each candidate covers one of these
 */
export function placeLabel({ candidates, obstacles, marks = [], taken = [], leaderOf = () => [] }) {
  const isFree = (/** @type {C} */ one) =>
    taken.every((label) => !touches(one, label)) &&
    countUnder(one, marks) === 0 &&
    taken.every((label) => countUnder(label, leaderOf(one)) === 0);
  const free = candidates.filter(isFree);
  const costs = free.map((one) => (one.cost ?? 0) + countUnder(one, obstacles));
  const least = Math.min(...costs);
  return free.length > 0 ? { ...free[costs.indexOf(least)], cost: least } : undefined;
}

/** @param {Box} label @param {readonly Point[]} points */
function countUnder({ x: left, y: middle, width, half }, points) {
  const reach = half + GAP_Y_PX;
  return points.filter(({ x, y }) => x > left - GAP_PX && x < left + width + GAP_PX && Math.abs(y - middle) < reach)
    .length;
}

/** @param {Box} a @param {Box} b */
function touches(a, b) {
  const isBeside = a.x + a.width + GAP_PX <= b.x || b.x + b.width + GAP_PX <= a.x;
  return !isBeside && Math.abs(a.y - b.y) < a.half + b.half;
}
