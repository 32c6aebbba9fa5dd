/** Draws the figures of a column as dots with whiskers on one scale, so that its rows can be compared at a glance. */
import { node, round } from '../picture/svg.js';
import { SAME_RATIO } from '../experiment/answer/verdict.js';
import { createScale } from '../picture/plot-scale.js';

/**
 * @import { SvgNode } from '../picture/svg.js'
 * @import { Amount, Answer } from '../experiment/answer/answer.js'
 * @import { MatrixCell, Summed } from './cells.js'
 * @typedef {{ value: number, low?: number, high?: number, mark: Answer['mark'], local?: 'predicted' | 'measured' }} Figure `local`: on one machine or
 *   network
 * @typedef {object} Whiskers the pictures of one column
 * @property {() => SvgNode} drawHead its scale
 * @property {boolean} hasBand whether it shows what is the same
 * @property {string} range of its scale, from end to end, such as '0 to 0.5 s'
 * @property {string} zero its value where there is no difference, such as '1x'
 * @property {(figure: Figure) => SvgNode} draw
 */

/** A figure far away must not press all others together: what is beyond the scale stands at its end. */
const RATIO_BOUNDS = Object.freeze({ low: 0.25, high: 8 });
/** A minute later or an hour sooner: the longest polling interval has a mean delay of half of that. */
const MS_BOUNDS = Object.freeze({ low: -60_000, high: 3_600_000 });
/** The least that a scale of seconds has, so that its ticks differ. */
const MS_SHOWN = 100;
/** What is always shown: a ratio is read beside 1 and what is the same. */
const RATIO_SHOWN = Object.freeze({ low: 0.9, high: 1.25 });
const RATIO_TICKS = Object.freeze([0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 6, 8]);
/** The room of a scale within its picture, and between two of its ticks, as parts of 100. */
const [FROM, TO, GAP] = [2, 98, 22];
/** No figure stands at the end of its scale, except those beyond it. */
const MARGIN = 1.04;
const HEIGHT_PX = 16;
/** The words of a head stand above its marks, which stand on the edge of its cell. */
const HEAD = Object.freeze({ height: 22, baseline: 12, mark: 16 });
const DOT_PX = 5.5;
/** Figures that nobody measured at a distance have shapes of their own: colour alone does not tell it. A diamond and a square. */
const SHAPES = Object.freeze({
  predicted: node('path', { class: 'dot', d: 'M0-6.5L6.5 0 0 6.5-6.5 0Z' }),
  measured: node('path', { class: 'dot', d: 'M-5-5H5V5H-5Z' }),
});

/**
 * @typedef {object} Axis
 * @property {(value: number) => number} place
 * @property {readonly { at: number, words: string }[]} ticks
 * @property {string} range from end to end
 * @property {{ at: number, words: string }} zero where there is no difference
 * @property {readonly [number, number]} [band] what is the same
 */

/**
 * By unit; others are counts, which nobody compares by a scale.
 * @type {Partial<Record<Amount['unit'], (values: readonly number[], gap: number) => Axis>>}
 */
const AXES = Object.freeze({
  'times-as-fast': ratioAxis,
  'times-as-many': ratioAxis,
  'sooner-ms': secondsAxis,
});

/** @param {readonly number[]} values @param {number} gap @returns {Axis} a logarithmic one */
function ratioAxis(values, gap) {
  const within = (/** @type {number} */ ratio) => Math.min(RATIO_BOUNDS.high, Math.max(RATIO_BOUNDS.low, ratio));
  const low = within(Math.min(RATIO_SHOWN.low, Math.min(...values) / MARGIN));
  const high = within(Math.max(RATIO_SHOWN.high, Math.max(...values) * MARGIN));
  const { place } = createScale({ title: '', logBase: 10, range: [low, high] }, [], {
    ...{ from: FROM, to: TO, gapPx: gap, isX: true },
  });
  const inside = RATIO_TICKS.filter((tick) => tick >= low && tick <= high);
  // From 1 on to both sides, as far as there is room.
  const kept = [1];
  for (const tick of [...inside.filter((one) => one > 1), ...inside.filter((one) => one < 1).reverse()])
    if (kept.every((one) => Math.abs(place(one) - place(tick)) >= gap)) kept.push(tick);
  return {
    place,
    ticks: kept.map((tick) => ({ at: place(tick), words: `${tick}x` })),
    range: [low, high].map((end) => `${Number(end.toFixed(2))}x`).join(' to '),
    zero: { at: place(1), words: '1x' },
    band: [place(1 / SAME_RATIO), place(SAME_RATIO)],
  };
}

/** @param {readonly number[]} values in ms @param {number} gap @returns {Axis} a linear one, with 0 */
function secondsAxis(values, gap) {
  const within = (/** @type {number} */ ms) => Math.min(MS_BOUNDS.high, Math.max(MS_BOUNDS.low, ms));
  const low = within(Math.min(0, ...values) * MARGIN);
  const high = within(Math.max(MS_SHOWN, ...values) * MARGIN);
  const axis = {
    title: '',
    range: /** @type {[number, number]} */ ([low, high]),
    format: (/** @type {number} */ ms) => String(Number((ms / 1000).toFixed(2))),
  };
  const { place, ticks } = createScale(axis, [], { from: FROM, to: TO, gapPx: gap, isX: true });
  const last = ticks.length - 1;
  const [from, to] = axis.range.map(axis.format);
  return {
    place,
    ticks: ticks.map(({ at, words }, i) => ({ at, words: i === last ? `${words} s` : words })),
    range: `${from} to ${to} s`,
    zero: { at: place(0), words: '0 s' },
  };
}

/**
 * @param {Amount['unit'] | undefined} unit @param {readonly Figure[]} figures of all rows
 * @param {{ gap?: number }} [options] `gap`: between two ticks, as a part of 100
 * @returns {Whiskers | undefined} absent if there is nothing to compare on a scale
 */
export function createWhiskers(unit, figures, { gap = GAP } = {}) {
  const axisOf = unit && AXES[unit];
  if (!axisOf || figures.length === 0) return undefined;
  const axis = axisOf(
    figures.flatMap(({ value, low = value, high = value }) => [value, low, high]),
    gap,
  );
  return {
    drawHead: () => drawHead(axis),
    draw: (figure) => drawFigure(axis, figure),
    hasBand: axis.band !== undefined,
    range: axis.range,
    zero: axis.zero.words,
  };
}

/**
 * What can be compared of the cells of a column: what was measured on a path, and what one machine predicts for one; only where
 * there is neither, what was measured on one machine or network.
 * @param {readonly MatrixCell[]} cells @returns {(Figure | undefined)[]} for each cell
 */
export function comparablesOf(cells) {
  const far = cells.map(({ kind, elsewhere, ...measured }) =>
    kind === 'verdict' || elsewhere ? figureOf(elsewhere ?? measured, elsewhere && 'predicted') : undefined,
  );
  return far.some(Boolean) ? far : cells.map((cell) => figureOf(cell, 'measured'));
}

/** @param {Summed} said @param {Figure['local']} local @returns {Figure | undefined} */
const figureOf = ({ value, low, high, mark }, local) =>
  value === undefined ? undefined : { value, low, high, mark, local };

/** As wide as its place: all that is horizontal is a part of that. @param {string} kind @param {number} height @param {readonly SvgNode[]} children */
const strip = (kind, height, children) =>
  node('svg', { class: kind, width: '100%', height, overflow: 'visible', 'aria-hidden': 'true' }, ...children);

/** @param {number} part of 100 */
const percent = (part) => `${round(part)}%`;

/** @param {string} kind @param {number} at @param {{ from: number, to: number }} ends px */
const upright = (kind, at, { from, to }) =>
  node('line', { class: kind, x1: percent(at), x2: percent(at), y1: from, y2: to });

/** @param {Axis} axis */
function drawHead({ ticks }) {
  // Of two characters, half are no wider than the edge of its place.
  const anchorOf = (/** @type {number} */ at, /** @type {string} */ words) =>
    words.length < 3 ? 'middle' : at < 8 ? 'start' : at > 92 ? 'end' : 'middle';
  const marks = { from: HEAD.mark, to: HEAD.height };
  return strip('scale', HEAD.height, [
    ...ticks.map(({ at }) => upright('base', at, marks)),
    ...ticks.map(({ at, words }) =>
      node('text', { x: percent(at), y: HEAD.baseline, 'text-anchor': anchorOf(at, words) }, words),
    ),
  ]);
}

/** @param {Axis} axis @param {Figure} figure */
function drawFigure({ place, band, zero }, { value, low, high, mark, local }) {
  const middle = HEIGHT_PX / 2;
  const across = (/** @type {string} */ kind, /** @type {number} */ from, /** @type {number} */ to) =>
    node('line', { class: kind, x1: percent(from), x2: percent(to), y1: middle, y2: middle });
  const same =
    band &&
    node('rect', { class: 'same-band', x: percent(band[0]), width: percent(band[1] - band[0]), height: HEIGHT_PX });
  return strip(`whiskers ${local ? 'local' : mark}`, HEIGHT_PX, [
    ...(same ? [same] : []),
    across('base', FROM, TO),
    upright('zero', zero.at, { from: 0, to: HEIGHT_PX }),
    ...(low === undefined || high === undefined ? [] : [across('whisker', place(low), place(high))]),
    local
      ? node('svg', { x: percent(place(value)), y: middle, overflow: 'visible' }, SHAPES[local])
      : node('circle', { class: 'dot', cx: percent(place(value)), cy: middle, r: DOT_PX }),
  ]);
}
