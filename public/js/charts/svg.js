/** Pictures that are drawn as SVG: curves, dots with their intervals, one interval a line. */
import { drawCurves, createIntervalBars } from '../../../core/experiments/shootout/charts.js';
import { line, round, text, placeLabel, widthOf, logScale, logTicks, node } from '../../../core/base/svg.js';
import { formatRtt } from '../../../core/experiments/shootout/distance-model.js';
import { labelOf } from '../../../core/net/labels.js';
import { create, element } from '../ui/page.js';

/** @import { Axis, Chart, Dot } from '../../../core/experiment/contract.js' */
/** @import { Point, SvgNode } from '../../../core/base/svg.js' */
/** @import { Summary } from '../../../core/experiments/shootout/summary.js' */

const SVG = 'http://www.w3.org/2000/svg';
/** On a phone, where curves are as wide as the page, they are no taller than wide. */
const CURVES_PX = 400;
const DOTS_PX = 300;
const MARGIN = { top: 36, right: 16, bottom: 48, left: 52 };
const DOT_PX = 6;
const NAME_PX = 10;
/** Its letters are wider than those that a name is placed by. */
const LETTERS = 1.3;
/** A logarithm has no place for 0. */
const MIN = 0.1;
/** Within a factor of 10: the first that give enough ticks. */
const STEPS = [[1], [1, 3], [1, 2, 5]];

/** @param {SvgNode} tree @returns {SVGElement} */
function createSvg({ tag, attributes, children }) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children.map((child) => (typeof child === 'string' ? child : createSvg(child))));
  return made;
}

/** At its place's width, whatever that becomes. @param {HTMLElement} place @param {(widthPx: number) => SvgNode} picture */
function drawAtWidth(place, picture) {
  const draw = () => {
    if (place.clientWidth > 0) place.replaceChildren(createSvg(picture(place.clientWidth)));
  };
  const observer = new ResizeObserver(draw);
  observer.observe(place);
  draw();
  return { draw, destroy: () => observer.disconnect() };
}

/**
 * The speed-up over the round-trip time.
 * @param {Omit<Parameters<typeof drawCurves>[0], 'width' | 'height'>} initial
 * @param {string} words the same for those who do not see it
 */
export function createCurveView(initial, words) {
  const place = element('#curves .picture');
  let options = initial;
  place.setAttribute('aria-label', words);
  const { draw, destroy } = drawAtWidth(place, (width) =>
    drawCurves({ ...options, width, height: Math.min(CURVES_PX, width) }),
  );
  return {
    ask(/** @type {number} */ rttMs, /** @type {string} */ next) {
      place.setAttribute('aria-label', next);
      options = { ...options, rttMs };
      draw();
    },
    destroy() {
      destroy();
      place.replaceChildren();
    },
  };
}

/** Each transport’s speed against the baseline, one interval a line. @param {Summary} summary */
export function showIntervalBars({ result: { ending }, rows, baseline, floorMs }) {
  // Of a run that ended early nothing is concluded.
  element('#candidates').hidden = Boolean(ending);
  if (ending) return;
  const place = floorMs === undefined ? '' : ` at ${formatRtt(floorMs)} ms`;
  element('#candidates-title').textContent = `Measured${place}, compared with ${labelOf(baseline)}`;
  const { bars, axis } = createIntervalBars(rows);
  const items = bars.map(({ transport, words, picture }) => {
    const name = create('strong', { class: `of-${transport}` }, labelOf(transport));
    const drawn = create('div', {}, ...(picture ? [createSvg(picture)] : []));
    return create('li', {}, name, drawn, create('span', {}, words));
  });
  element('#interval-bars').replaceChildren(...items);
  element('#interval-axis').replaceChildren(createSvg(axis));
  const names = rows.map(({ transport }) => transport);
  element('#ajax-xhr').hidden = !['ajax', 'xhr'].every((name) => names.includes(name));
}

/** @typedef {Pick<Chart, 'x' | 'y'> & { dots: readonly Dot[] }} Dots with their intervals and their names */

/** @param {HTMLElement} place @param {Dots} chart @returns {{ destroy(): void }} */
export const drawDots = (place, chart) => drawAtWidth(place, (width) => createPicture(chart, width));

/** @param {Dots} chart @param {number} width @returns {SvgNode} */
function createPicture({ x: xAxis, y: yAxis, dots }, width) {
  const [right, bottom] = [width - MARGIN.right, DOTS_PX - MARGIN.bottom];
  const intervals = dots.map(({ y, interval }) => interval ?? { low: y, high: y });
  const values = { x: dots.map((dot) => dot.x), y: dots.map((dot) => dot.y) };
  const xs = domainOf(xAxis, values.x);
  const ys = domainOf(yAxis, [...values.y, ...intervals.flatMap(({ low, high }) => [low, high])]);
  const x = logScale(xs, [MARGIN.left, right]);
  const y = logScale(ys, [bottom, MARGIN.top]);
  const marks = dots.map(({ label, colour, ...dot }, i) => {
    const { low, high } = intervals[i];
    return { label, colour: `var(--${colour})`, x: x(dot.x), y: y(dot.y), top: y(high), bottom: y(low) };
  });
  const obstacles = marks.flatMap((mark) => [mark.top, mark.y, mark.bottom].map((at) => ({ x: mark.x, y: at })));
  return node(
    'svg',
    { class: 'curves dots', viewBox: `0 0 ${width} ${DOTS_PX}`, width, height: DOTS_PX, 'aria-hidden': 'true' },
    ...logTicks(ys, STEPS).flatMap((tick) => [
      line('grid', { x: MARGIN.left, y: y(tick) }, { x: right, y: y(tick) }),
      text(String(tick), { x: MARGIN.left - 8, y: y(tick) }, 'end'),
    ]),
    ...logTicks(xs, STEPS).flatMap((tick) => [
      line('grid', { x: x(tick), y: MARGIN.top }, { x: x(tick), y: bottom }),
      text(String(tick), { x: x(tick), y: bottom + 14 }, 'middle'),
    ]),
    text(yAxis.title, { x: 0, y: 14 }, 'start'),
    text(xAxis.title, { x: right, y: DOTS_PX - 10 }, 'end'),
    ...marks.flatMap((mark) => [
      line('whisker', { x: mark.x, y: mark.top }, { x: mark.x, y: mark.bottom }, { stroke: mark.colour }),
      node('circle', { cx: round(mark.x), cy: round(mark.y), r: DOT_PX, fill: mark.colour }),
    ]),
    ...marks.map((mark) => placeName(mark, obstacles, right)),
  );
}

/** From one round number to another, so that no dot is at the edge. @param {Axis} axis @param {readonly number[]} values */
function domainOf({ range }, values) {
  const known = values.map((value) => Math.max(MIN, value));
  const [from, to] = range ?? [Math.min(...known, 1), Math.max(...known, 1)];
  return { low: from / 1.5, high: to * 1.5 };
}

/**
 * Beside its dot, where nothing else is.
 * @param {{ label: string, colour: string } & Point} mark @param {Point[]} obstacles gets the name, too @param {number} right
 */
function placeName({ label, colour, x, y }, obstacles, right) {
  const letters = label.padEnd(Math.ceil(label.length * LETTERS));
  const width = widthOf(letters);
  const lefts = [x + NAME_PX, x - NAME_PX - width].map((left) => Math.max(MARGIN.left, Math.min(left, right - width)));
  const candidates = [0, -18, 18, -34, 34].flatMap((dy) => lefts.map((left) => ({ x: left, y: y + dy })));
  const at = placeLabel({ text: letters, candidates, obstacles });
  for (let step = 0; step <= letters.length; step++) obstacles.push({ x: at.x + widthOf('x') * step, y: at.y });
  return text(label, at, 'start', { class: 'name', fill: colour });
}
