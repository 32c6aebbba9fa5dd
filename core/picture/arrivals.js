/**
 * Draws when the pieces of an answer came: a track for each method, and its axis. A piece is a dot; several that came at once are a disc
 * with their number.
 */
import { line, node, round, text } from './svg.js';

/**
 * @import { SvgNode } from './svg.js'
 *
 * @typedef {object} Arrivals when the pieces of an answer came, a row for each method, as data; times are in seconds
 * @property {string} heading
 * @property {string} caption below the axis, such as 'Seconds since the request'
 * @property {string} [note] a sentence
 * @property {readonly [from: number, to: number]} range
 * @property {readonly string[]} columns the heads of what stands beside a row: its figures, and its word
 * @property {readonly ArrivalsRow[]} rows
 *
 * @typedef {object} ArrivalsRow
 * @property {string} label
 * @property {string} colour the name of a custom property, without its dashes
 * @property {readonly { at: number, count: number }[]} lumps of pieces that came at once; one alone is a lump, too
 * @property {{ from: number, to: number }} [gap] the longest, if it is to be seen
 * @property {readonly string[]} figures
 * @property {string} [word] a verdict
 * @property {'better' | 'none' | 'same' | 'unclear' | 'worse'} [mark] its colour and its icon
 *
 * @typedef {{ x: number, count: number, r: number }} Disc `r`: its radius
 * @typedef {object} Marks of a track, px
 * @property {number[]} dots where they are
 * @property {Disc[]} discs none of which covers another
 * @property {{ from: number, to: number }} [gap]
 * @typedef {{ width: number, height: number }} Size px
 * @typedef {object} Look
 * @property {(name: string) => string} colourOf a custom property
 * @property {string} paper the colour of what is behind, in which a disc has its number
 */

/** As many at once are a lump, which has a number: an even stream hardly has one. */
export const LUMP_COUNT = 3;
/** The radius of a disc whose number has one digit, and what each further digit adds. */
const DISC = Object.freeze({ px: 10, perDigitPx: 2.5 });
/** Smaller discs, where these would cover each other: their numbers are as large. */
const SMALL = 0.85;
const TEXT_PX = 14;
const DOT_PX = Object.freeze({ min: 1.75, max: 4.5 });
/** The radius of a dot, as a share of what is between two. */
const DOT_SHARE = 0.42;
/** What is at the ends of a track, so that no mark is cut off. */
const EDGE_PX = DISC.px;
/** The last label has a unit, and ends at the edge. */
const TICK_GAP_PX = 70;
/** The distances between ticks, in seconds. */
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** On a page, whose style sheet has the colours. @type {Look} */
const PAGE_LOOK = Object.freeze({
  colourOf: (/** @type {string} */ name) => `var(--${name})`,
  paper: 'var(--pico-card-background-color)',
});

/** @param {{ range: Arrivals['range'] }} arrivals @param {number} width px @returns {(seconds: number) => number} px */
const scaleOf =
  ({ range: [low, high] }, width) =>
  (seconds) =>
    EDGE_PX + ((width - 2 * EDGE_PX) * (seconds - low)) / (high - low);

/**
 * Places the marks of a row.
 * @param {ArrivalsRow} row @param {(seconds: number) => number} x @returns {Marks}
 */
export function placeMarks({ lumps, gap }, x) {
  const [many, few] = [
    lumps.filter(({ count }) => count >= LUMP_COUNT),
    lumps.filter(({ count }) => count < LUMP_COUNT),
  ];
  const asWhole = many.map(({ at, count }) => ({ x: x(at), count }));
  const large = asWhole.map((lump) => discOf(lump, 1));
  return {
    dots: few.map(({ at }) => x(at)),
    discs: hasCovered(large) ? mergeCovered(asWhole.map((lump) => discOf(lump, SMALL))) : large,
    ...(gap && { gap: { from: x(gap.from), to: x(gap.to) } }),
  };
}

/** @param {{ x: number, count: number }} lump @param {number} scale @returns {Disc} */
const discOf = ({ x, count }, scale) => ({
  x,
  count,
  r: scale * (DISC.px + DISC.perDigitPx * (String(count).length - 1)),
});

/** @param {Disc} one @param {Disc} next */
const isCovered = (one, next) => next.x - one.x < one.r + next.r;

/** @param {readonly Disc[]} discs rising */
const hasCovered = (discs) => discs.some((disc, i) => i > 0 && isCovered(discs[i - 1], disc));

/** Joins discs that would cover each other: one stands in the middle of its pieces. @param {readonly Disc[]} discs rising */
function mergeCovered(discs) {
  /** @type {Disc[]} */
  const merged = [];
  for (const disc of discs) {
    let last = disc;
    for (let before; (before = merged.at(-1)) && isCovered(before, last); merged.pop()) last = join(before, last);
    merged.push(last);
  }
  return merged;
}

/** @param {Disc} one @param {Disc} other @returns {Disc} */
function join(one, other) {
  const count = one.count + other.count;
  return discOf({ x: (one.x * one.count + other.x * other.count) / count, count }, SMALL);
}

/**
 * Computes the radius of all dots of a picture: of the densest row's, so that its dots part.
 * @param {Arrivals} arrivals @param {number} width px
 */
export function dotRadiusOf({ range, rows }, width) {
  const x = scaleOf({ range }, width);
  const radii = rows.flatMap(({ lumps }) => {
    const few = lumps.filter(({ count }) => count < LUMP_COUNT);
    if (few.length < 2) return [];
    return [(DOT_SHARE * (x(few[few.length - 1].at) - x(few[0].at))) / (few.length - 1)];
  });
  return round(Math.max(DOT_PX.min, Math.min(DOT_PX.max, ...radii)));
}

/**
 * Draws the track of one method.
 * @param {ArrivalsRow} row @param {{ range: Arrivals['range'], dotPx: number }} picture
 * @param {Size} size @param {Look} [look] @returns {SvgNode}
 */
export function drawTrack(row, { range, dotPx }, { width, height }, look = PAGE_LOOK) {
  const colour = look.colourOf(row.colour);
  const y = height / 2;
  const { dots, discs, gap } = placeMarks(row, scaleOf({ range }, width));
  return node(
    'svg',
    { class: 'arrived', viewBox: `0 0 ${width} ${height}`, width, height },
    line('rail', { x: 0, y }, { x: width, y }),
    ...(gap ? [line('gap', { x: gap.from, y }, { x: gap.to, y })] : []),
    ...(dots.length > 0 ? [drawDots(dots, y, { colour, dotPx })] : []),
    ...discs.flatMap((disc) => drawDisc(disc, y, { colour, paper: look.paper })),
  );
}

/** All dots are one line, so that many cost no more than one. @param {readonly number[]} dots @param {number} y @param {{ colour: string, dotPx: number }} style */
const drawDots = (dots, y, { colour, dotPx }) =>
  node('path', {
    class: 'dots',
    d: dots.map((x) => `M${round(x)} ${round(y)}h0`).join(''),
    stroke: colour,
    'stroke-width': 2 * dotPx,
    'stroke-linecap': 'round',
  });

/**
 * Draws several pieces that came at once, with their number.
 * @param {Disc} disc @param {number} y @param {{ colour: string, paper: string }} style @returns {SvgNode[]}
 */
export const drawDisc = ({ x, count, r }, y, { colour, paper }) => [
  node('circle', { class: 'disc', cx: round(x), cy: round(y), r: round(r), fill: colour }),
  text(String(count), { x, y }, 'middle', {
    class: 'count',
    fill: paper,
    'font-size': String(TEXT_PX),
    'dominant-baseline': 'central',
  }),
];

/** Draws the axis of seconds beneath the tracks. @param {{ range: Arrivals['range'] }} arrivals @param {Size} size @returns {SvgNode} */
export function drawArrivalsAxis({ range }, { width, height }) {
  const x = scaleOf({ range }, width);
  const ticks = ticksIn(range, width);
  return node(
    'svg',
    { class: 'axis', viewBox: `0 0 ${width} ${height}`, width, height },
    ...ticks.flatMap(({ at, label }, i) => {
      const isLast = i > 0 && i === ticks.length - 1;
      const words = isLast ? `${label} s` : label;
      return [
        line('tick', { x: x(at), y: 0 }, { x: x(at), y: 5 }),
        text(words, { x: x(at), y: height / 2 + 3 }, isLast && x(at) > width - 24 ? 'end' : 'middle', {
          'dominant-baseline': 'central',
        }),
      ];
    }),
  );
}

/** @param {Arrivals['range']} range @param {number} px its length @returns {{ at: number, label: string }[]} */
function ticksIn([low, high], px) {
  const step = STEPS.find((one) => (one * px) / (high - low) >= TICK_GAP_PX) ?? STEPS[STEPS.length - 1];
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => {
    const at = (first + i) * step;
    return { at, label: at === 0 ? '0' : at.toFixed(decimals) };
  });
}

/** @param {Arrivals} arrivals @returns {string} sentences, for those who do not see them */
export function describeArrivals({ heading, caption, columns, rows }) {
  const said = rows.map(({ label, figures, word, lumps }) => {
    const count = lumps.reduce((sum, lump) => sum + lump.count, 0);
    const named = figures.flatMap((figure, i) => (figure ? [`${columns[i].toLowerCase()} ${figure}`] : []));
    return `${label}: ${[`${count} pieces`, ...named, ...(word ? [word.toLowerCase()] : [])].join(', ')}`;
  });
  return [`Chart. ${heading}`, caption, said.join('; ')].map((part) => `${part}.`).join(' ');
}
