/** Draws the places of a matrix on an axis of round-trip times: a dot for each, and its name above it. */
import { cut, formatRtt, listOf } from '../base/format.js';
import { node, round, text } from '../picture/svg.js';
import { createScale } from '../picture/plot-scale.js';

/**
 * @import { SvgNode } from '../picture/svg.js'
 * @import { MatrixRow } from './index.js'
 * @typedef {{ name: string, number?: number, rttMs?: number, scope: MatrixRow['scope'], runCount: number }} PlacedRow
 * @typedef {{ name: string, rttMs: number }} Place
 * @typedef {{ left: number, right: number, level: number, x: number, words: string, figure: string, anchor: 'start' | 'middle' |
 *   'end' }} Label `x`: of its dot, whose stem ends at the label; `level`: 0 is the lowest; `anchor`: which part of it is there
 */

/** More places with their names would hide each other. */
const MAX_PLACES = 16;
const MAX_LEVEL = 5;
/** The mean width of a letter of a name, bold at 14 px, and of a figure, px: rather too wide than too narrow. */
const [LETTER_PX, DIGIT_PX] = [9.2, 8.5];
const GAP_PX = 10;
const LEVEL_PX = 20;
const EDGE_PX = 10;
const [DOT_PX, SERVER_PX] = [7, 8];
const TICKS_PX = 34;
const [MIN_TICK_GAP_PX, MAX_TICKS] = [84, 6];
/**
 * The sides of its stem on which a name may stand, the preferred one first. With one side only, names are placed from the end on
 * that side, each above those that it covers: all find a place as long as there are levels.
 * @type {readonly { sides: readonly Label['anchor'][], isFromRight?: boolean }[]}
 */
const ORDERS = Object.freeze([
  { sides: ['middle', 'start', 'end'] },
  { sides: ['end', 'middle', 'start'] },
  { sides: ['end'] },
  { sides: ['start'], isFromRight: true },
  { sides: ['start', 'middle', 'end'], isFromRight: true },
]);
/** A name as long as a sentence would leave no room for others. */
const MAX_LETTERS = 26;

/**
 * @param {readonly PlacedRow[]} rows @param {number} width px
 * @returns {SvgNode | undefined} absent unless two places have a distance
 */
export function drawDistanceAxis(rows, width) {
  const places = rows.flatMap(({ name, number, rttMs, scope, runCount }) =>
    rttMs !== undefined && scope === 'path'
      ? [{ name: number === undefined ? name : `${number}. \u2068${name}\u2069`, rttMs, runCount }]
      : [],
  );
  if (places.length < 2) return undefined;
  const shown = [...places].sort((a, b) => b.runCount - a.runCount).slice(0, MAX_PLACES);
  const most = Math.max(...shown.map(({ rttMs }) => rttMs));
  const axis = { title: '', range: /** @type {[number, number]} */ ([0, most * 1.05 || 1]), format: formatTick };
  const scale = createScale(axis, [], {
    from: EDGE_PX,
    to: width - EDGE_PX,
    gapPx: Math.max(MIN_TICK_GAP_PX, width / MAX_TICKS),
    isX: true,
  });
  const labels = placeNames(
    mergeEqual(shown).map((place) => ({ ...place, x: scale.place(place.rttMs) })),
    width,
  );
  const levelCount = 1 + Math.max(0, ...labels.map(({ level }) => level));
  const y = levelCount * LEVEL_PX + 2 * DOT_PX;
  const words = shown.map(({ name, rttMs }) => `${name} ${formatRtt(rttMs)} ms`).join(', ');
  return node(
    'svg',
    {
      ...{ class: 'distance-axis', viewBox: `0 0 ${width} ${y + TICKS_PX}`, width, height: y + TICKS_PX },
      ...{ role: 'img', 'aria-label': `Round-trip time to the server. ${words}.` },
    },
    node('line', { class: 'base', x1: EDGE_PX, x2: width - EDGE_PX, y1: y, y2: y }),
    ...scale.ticks.flatMap(({ at, words: tick }) => drawTick(at, y, { tick, width })),
    ...labels.flatMap((label) => drawLabel(label, y)),
    node('circle', { class: 'server', cx: EDGE_PX, cy: y, r: SERVER_PX }),
    ...shown.map(({ rttMs }) => node('circle', { class: 'dot', cx: round(scale.place(rttMs)), cy: y, r: DOT_PX })),
  );
}

/**
 * Those that read the same distance have one name, as their dots and stems are one.
 * @param {readonly Place[]} places @returns {Place[]}
 */
function mergeEqual(places) {
  const groups = [...new Set(places.map(({ rttMs }) => formatRtt(rttMs)))].map((figure) =>
    places.filter(({ rttMs }) => formatRtt(rttMs) === figure),
  );
  return groups.map(([first, ...others]) => {
    const all = listOf([first, ...others].map(({ name }) => name));
    const isShort = others.length === 0 || [...all].length <= MAX_LETTERS;
    return { rttMs: first.rttMs, name: isShort ? all : `${cut(first.name, MAX_LETTERS - 4)} +${others.length}` };
  });
}

/** @param {number} ms */
const formatTick = (ms) => (ms === 0 ? 'server' : `${ms} ms`);

/** @param {number} at @param {number} y @param {{ tick: string, width: number }} of @returns {SvgNode[]} */
function drawTick(at, y, { tick, width }) {
  const anchor = at < 40 ? 'start' : at > width - 40 ? 'end' : 'middle';
  return [
    node('line', { class: 'base', x1: round(at), x2: round(at), y1: y - 4, y2: y + 4 }),
    text(tick, { x: at, y: y + 24 }, anchor),
  ];
}

/** @param {Label} label @param {number} y of its dot @returns {SvgNode[]} */
function drawLabel({ left, right, x, anchor, level, words, figure }, y) {
  const bottom = y - 2 * DOT_PX - level * LEVEL_PX;
  const at = { start: left, middle: x, end: right }[anchor];
  return [
    node('line', { class: 'stem', x1: round(x), x2: round(x), y1: y, y2: bottom }),
    node(
      'text',
      { x: round(at), y: round(bottom - 4), class: 'name', 'text-anchor': anchor },
      // A name that is written from right to left does not change the side of its figure.
      `\u2068${words}\u2069`,
      node('tspan', { class: 'tick' }, ` ${figure}`),
    ),
  ];
}

/**
 * Gives each name the lowest level at which it covers no other name and no stem; a name that fits at none is left out.
 * @param {readonly (Place & { x: number })[]} places `x`: of the dot, px @param {number} width px
 * @returns {Label[]} of the order of sides that leaves out the fewest and stays lowest
 */
export function placeNames(places, width) {
  const sorted = [...places].sort((a, b) => a.x - b.x);
  const tried = ORDERS.map(({ sides, isFromRight }) =>
    placeAll(isFromRight ? [...sorted].reverse() : sorted, { sides, width }),
  );
  const costOf = (/** @type {Label[]} */ labels) =>
    labels.reduce((cost, { level }) => cost + level, (places.length - labels.length) * places.length * MAX_LEVEL);
  return tried.reduce((best, one) => (costOf(one) < costOf(best) ? one : best));
}

/**
 * @param {readonly (Place & { x: number })[]} places in their order
 * @param {{ sides: readonly Label['anchor'][], width: number }} options
 */
function placeAll(places, { sides, width }) {
  /** @type {Label[]} */
  const placed = [];
  for (const place of places) {
    const candidates = Array.from({ length: MAX_LEVEL }, (_, level) =>
      sides.map((anchor) => ({ ...labelOf(place, anchor), level })),
    ).flat();
    const possible = candidates.filter(
      (one) => one.left >= 0 && one.right <= width && placed.every((other) => isApart(one, other)),
    );
    // Above no other place, so that its name finds room, too.
    const label = possible.find((one) => places.every(({ x }) => x === place.x || !isAbove(one, x))) ?? possible[0];
    if (label) placed.push(label);
  }
  return placed;
}

/** @param {Label} label @param {number} x */
const isAbove = ({ left, right }, x) => left - GAP_PX / 2 <= x && x <= right + GAP_PX / 2;

/** @param {Place & { x: number }} place @param {Label['anchor']} anchor @returns {Omit<Label, 'level'>} */
function labelOf({ name, rttMs, x }, anchor) {
  const words = cut(name, MAX_LETTERS);
  const figure = formatRtt(rttMs);
  const room = words.length * LETTER_PX + (1 + figure.length) * DIGIT_PX;
  const left = { start: x - DOT_PX, middle: x - room / 2, end: x + DOT_PX - room }[anchor];
  return { left, right: left + room, x, words, figure, anchor };
}

/** Do they cover neither each other nor each other's stem? @param {Label} label @param {Label} other */
function isApart(label, other) {
  if (label.level === other.level) return label.right + GAP_PX <= other.left || other.right + GAP_PX <= label.left;
  const [lower, higher] = label.level < other.level ? [label, other] : [other, label];
  return !isAbove(lower, higher.x);
}
