/** Draws the figures of a column as dots with whiskers on one scale, so that its rows can be compared at a glance. */
import { node, round } from '../base/svg.js';
import { SAME_RATIO } from '../experiment/compare.js';
import { createScale } from '../experiment/plot-scale.js';

/**
 * @import { SvgNode } from '../base/svg.js'
 * @import { Amount, Answer } from '../experiment/answer.js'
 * @typedef {{ value: number, low?: number, high?: number, mark: Answer['mark'], isPredicted?: boolean }} Figure
 * @typedef {object} Whiskers the pictures of one column
 * @property {() => SvgNode} drawHead its scale
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
const [FROM, TO, GAP] = [4, 96, 34];
const HEIGHT_PX = 16;
const DOT_PX = 4.5;

/** @typedef {{ place: (value: number) => number, ticks: readonly { at: number, words: string }[], band?: readonly [number, number] }} Axis */

/**
 * By unit; others are counts, which nobody compares by a scale.
 * @type {Partial<Record<Amount['unit'], (values: readonly number[]) => Axis>>}
 */
const AXES = Object.freeze({
  'times-as-fast': ratioAxis,
  'times-as-many': ratioAxis,
  'sooner-ms': secondsAxis,
});

/** @param {readonly number[]} values @returns {Axis} a logarithmic one */
function ratioAxis(values) {
  const within = (/** @type {number} */ ratio) => Math.min(RATIO_BOUNDS.high, Math.max(RATIO_BOUNDS.low, ratio));
  const low = within(Math.min(RATIO_SHOWN.low, ...values));
  const high = within(Math.max(RATIO_SHOWN.high, ...values));
  const { place } = createScale({ title: '', logBase: 10, range: [low, high] }, [], {
    ...{ from: FROM, to: TO, gapPx: GAP, isX: true },
  });
  const inside = RATIO_TICKS.filter((tick) => tick >= low && tick <= high);
  // From 1 on to both sides, as far as there is room.
  const kept = [1];
  for (const tick of [...inside.filter((one) => one > 1), ...inside.filter((one) => one < 1).reverse()])
    if (kept.every((one) => Math.abs(place(one) - place(tick)) >= GAP)) kept.push(tick);
  return {
    place,
    ticks: kept.map((tick) => ({ at: place(tick), words: `${tick}x` })),
    band: [place(1 / SAME_RATIO), place(SAME_RATIO)],
  };
}

/** @param {readonly number[]} values in ms @returns {Axis} a linear one, with 0 */
function secondsAxis(values) {
  const within = (/** @type {number} */ ms) => Math.min(MS_BOUNDS.high, Math.max(MS_BOUNDS.low, ms));
  const low = within(Math.min(0, ...values));
  const high = within(Math.max(MS_SHOWN, ...values));
  const axis = {
    title: '',
    range: /** @type {[number, number]} */ ([low, high]),
    format: (/** @type {number} */ ms) => `${Number((ms / 1000).toFixed(2))} s`,
  };
  return createScale(axis, [], { from: FROM, to: TO, gapPx: GAP, isX: true });
}

/**
 * @param {Amount['unit'] | undefined} unit @param {readonly Figure[]} figures of all rows
 * @returns {Whiskers | undefined} absent if there is nothing to compare on a scale
 */
export function createWhiskers(unit, figures) {
  const axisOf = unit && AXES[unit];
  if (!axisOf || figures.length === 0) return undefined;
  const axis = axisOf(figures.flatMap(({ value, low = value, high = value }) => [value, low, high]));
  return { drawHead: () => drawHead(axis), draw: (figure) => drawFigure(axis, figure) };
}

/** As wide as its place: all that is horizontal is a part of that. @param {string} kind @param {readonly SvgNode[]} children */
const strip = (kind, children) =>
  node('svg', { class: kind, width: '100%', height: HEIGHT_PX, 'aria-hidden': 'true' }, ...children);

/** @param {number} part of 100 */
const percent = (part) => `${round(part)}%`;

/** @param {Axis} axis */
function drawHead({ ticks }) {
  const anchorOf = (/** @type {number} */ at) => (at < 10 ? 'start' : at > 90 ? 'end' : 'middle');
  return strip(
    'scale',
    ticks.map(({ at, words }) => node('text', { x: percent(at), y: 12, 'text-anchor': anchorOf(at) }, words)),
  );
}

/** @param {Axis} axis @param {Figure} figure */
function drawFigure({ place, band }, { value, low, high, mark, isPredicted }) {
  const middle = HEIGHT_PX / 2;
  const across = (/** @type {string} */ kind, /** @type {number} */ from, /** @type {number} */ to) =>
    node('line', { class: kind, x1: percent(from), x2: percent(to), y1: middle, y2: middle });
  const same =
    band &&
    node('rect', { class: 'same-band', x: percent(band[0]), width: percent(band[1] - band[0]), height: HEIGHT_PX });
  return strip(`whiskers ${isPredicted ? 'local' : mark}`, [
    ...(same ? [same] : []),
    across('base', FROM, TO),
    ...(low === undefined || high === undefined ? [] : [across('whisker', place(low), place(high))]),
    node('circle', { class: 'dot', cx: percent(place(value)), cy: middle, r: DOT_PX }),
  ]);
}
