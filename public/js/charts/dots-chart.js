/** Draws a chart of dots with their intervals and their names, which a report has as data. */
import { line, logScale, logTicks, node, placeLabel, round, text, widthOf } from '../../../core/base/svg.js';
import { createSvg } from './svg.js';

/**
 * @import { Axis, Chart, Dot } from '../../../core/experiment/contract.js'
 * @import { Point, SvgNode } from '../../../core/base/svg.js'
 */

const HEIGHT_PX = 300;
const MARGIN = { top: 36, right: 16, bottom: 48, left: 52 };
const DOT_PX = 6;
const NAME_PX = 10;
/** Its letters are wider than those that a name is placed by. */
const LETTERS = 1.3;
/** A logarithm has no place for 0. */
const MIN = 0.1;

/**
 * @param {HTMLElement} place
 * @param {Pick<Chart, 'x' | 'y'> & { dots: readonly Dot[] }} chart
 * @returns {{ destroy(): void }}
 */
export function drawDots(place, chart) {
  const draw = () => {
    const width = place.clientWidth;
    if (width > 0) place.replaceChildren(createSvg(createPicture(chart, width)));
  };
  const observer = new ResizeObserver(draw);
  observer.observe(place);
  draw();
  return { destroy: () => observer.disconnect() };
}

/** @param {Parameters<typeof drawDots>[1]} chart @param {number} width @returns {SvgNode} */
function createPicture({ x: xAxis, y: yAxis, dots }, width) {
  const [right, bottom] = [width - MARGIN.right, HEIGHT_PX - MARGIN.bottom];
  const xs = domainOf(
    xAxis,
    dots.map(({ x }) => x),
  );
  const ys = domainOf(
    yAxis,
    dots.flatMap(({ y, interval }) => (interval ? [y, interval.low, interval.high] : [y])),
  );
  const x = logScale(xs, [MARGIN.left, right]);
  const y = logScale(ys, [bottom, MARGIN.top]);
  const marks = dots.map(({ label, colour, ...dot }) => {
    const { low, high } = dot.interval ?? { low: dot.y, high: dot.y };
    return { label, colour: `var(--${colour})`, x: x(dot.x), y: y(dot.y), top: y(high), bottom: y(low) };
  });
  const obstacles = marks.flatMap((mark) => [mark.top, mark.y, mark.bottom].map((at) => ({ x: mark.x, y: at })));
  return node(
    'svg',
    { class: 'curves dots', viewBox: `0 0 ${width} ${HEIGHT_PX}`, width, height: HEIGHT_PX, 'aria-hidden': 'true' },
    ...logTicks(ys, [[1], [1, 3], [1, 2, 5]]).flatMap((tick) => [
      line('grid', { x: MARGIN.left, y: y(tick) }, { x: right, y: y(tick) }),
      text(String(tick), { x: MARGIN.left - 8, y: y(tick) }, 'end'),
    ]),
    ...logTicks(xs, [[1], [1, 3], [1, 2, 5]]).flatMap((tick) => [
      line('grid', { x: x(tick), y: MARGIN.top }, { x: x(tick), y: bottom }),
      text(String(tick), { x: x(tick), y: bottom + 14 }, 'middle'),
    ]),
    text(yAxis.title, { x: 0, y: 14 }, 'start'),
    text(xAxis.title, { x: right, y: HEIGHT_PX - 10 }, 'end'),
    ...marks.flatMap((mark) => [
      line('whisker', { x: mark.x, y: mark.top }, { x: mark.x, y: mark.bottom }, { stroke: mark.colour }),
      node('circle', { cx: round(mark.x), cy: round(mark.y), r: DOT_PX, fill: mark.colour }),
    ]),
    ...marks.map((mark) => placeName(mark, obstacles, right)),
  );
}

/**
 * From one round number to another, so that no dot is at the edge.
 * @param {Axis} axis @param {readonly number[]} values
 */
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
  const candidates = [0, -18, 18, -34, 34].flatMap((dy) =>
    [x + NAME_PX, x - NAME_PX - width].map((left) => ({
      x: Math.max(MARGIN.left, Math.min(left, right - width)),
      y: y + dy,
    })),
  );
  const at = placeLabel({ text: letters, candidates, obstacles });
  for (let step = 0; step <= letters.length; step++) obstacles.push({ x: at.x + widthOf('x') * step, y: at.y });
  return text(label, at, 'start', { class: 'name', fill: colour });
}
