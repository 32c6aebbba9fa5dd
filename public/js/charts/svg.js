/** Pictures that are drawn as SVG: curves, dots with their intervals, messages over time, one interval a line. */
import { createIntervalBars } from '../../../core/experiments/shootout/interval-bars.js';
import { drawLogChart } from '../../../core/picture/log-chart.js';
import { drawPlot, hasNames } from '../../../core/picture/plot.js';
import { drawTimeline } from '../../../core/picture/timeline.js';
import { node } from '../../../core/picture/svg.js';
import { formatRtt } from '../../../core/base/format.js';
import { labelOf } from '../../../core/experiment/answer/labels.js';
import { create, element, keepTogether } from '../base/page.js';

/** @import { Chart, Plot } from '../../../core/picture/plot.js' */
/** @import { Timeline } from '../../../core/picture/timeline.js' */
/** @import { SvgNode } from '../../../core/picture/svg.js' */
/** @import { Summary } from '../../../core/experiments/shootout/summary.js' */

const SVG = 'http://www.w3.org/2000/svg';
/** The height of curves: on a phone, where they are as wide as the page, they are no taller than wide. */
const CURVES_PX = 400;
/** The height of a chart whose axis is a slider: the decision's two fit the first screen. */
const DECISION_PX = 220;
/** The height of a plot, without its legend. */
const PLOT_PX = 260;
/** What the names of a chart's dots need on the smallest phone. */
const MIN_PX = 340;
/** @param {number} width @param {number} [maxPx] */
const sizeAt = (width, maxPx = CURVES_PX) => ({ width, height: Math.min(maxPx, width) });

/** Creates the elements of a picture that core draws as data. @param {SvgNode} tree @returns {SVGElement} */
export function createSvg({ tag, attributes, children }) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children.map((child) => (typeof child === 'string' ? child : createSvg(child))));
  return made;
}

/**
 * Draws at the width of its place, and follows it.
 * @param {HTMLElement} place @param {(widthPx: number) => SvgNode} picture
 * @param {(widthPx: number) => Node[]} [beneath] what stands beneath it
 */
export function drawAtWidth(place, picture, beneath = () => []) {
  let drawnPx = 0;
  const draw = () => {
    drawnPx = place.clientWidth;
    if (drawnPx > 0) place.replaceChildren(createSvg(picture(drawnPx)), ...beneath(drawnPx));
  };
  // The first report, and those of another height, change nothing.
  const observer = new ResizeObserver(() => place.clientWidth !== drawnPx && draw());
  observer.observe(place);
  draw();
  return { draw, destroy: () => observer.disconnect() };
}

/**
 * Draws a decision's chart of a state, and again when that changes.
 * @template S @param {HTMLElement} place @param {(state: S, size: { width: number, height: number }) => SvgNode} picture
 * @param {{ state: S, words: string }} initial `words`: the text alternative
 */
export function createPictureView(place, picture, { state, words }) {
  let shown = state;
  place.setAttribute('aria-label', words);
  const { draw, destroy } = drawAtWidth(place, (width) => picture(shown, sizeAt(width, DECISION_PX)));
  return {
    ask(/** @type {S} */ next, /** @type {string} */ nextWords) {
      place.setAttribute('aria-label', nextWords);
      shown = next;
      draw();
    },
    destroy() {
      destroy();
      place.replaceChildren();
    },
  };
}

/** Draws each transport’s speed against the baseline, one interval per line. @param {Summary} summary */
export function showIntervalBars({ result: { ending }, rows, baseline, floorMs }) {
  // A run that ended early has no conclusion.
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

/**
 * Draws a chart over two logarithmic axes.
 * @param {HTMLElement} place @param {Chart} chart @returns {{ destroy(): void }}
 */
export const drawDots = (place, chart) =>
  drawAtWidth(place, (width) => drawLogChart(chart, { width, height: Math.max(MIN_PX, sizeAt(width).height) }));

/**
 * Draws lines, or clouds of points, over two axes.
 * @param {HTMLElement} place @param {Plot} plot @returns {{ show(plot: Plot): void, destroy(): void }} `show` draws another one
 */
export function drawLines(place, plot) {
  let shown = plot;
  const { draw, destroy } = drawAtWidth(
    place,
    (width) => drawPlot(shown, { width, height: PLOT_PX }),
    (width) => (hasNames(shown, { width, height: PLOT_PX }) ? [] : [createLegend(shown)]),
  );
  return {
    show(next) {
      shown = next;
      draw();
    },
    destroy() {
      destroy();
      place.replaceChildren();
    },
  };
}

/** @param {Plot} plot */
function createLegend({ lines }) {
  const items = lines.map(({ label, colour, dash = [] }) => {
    const style = { stroke: `var(--${colour})`, 'stroke-width': 4, 'stroke-dasharray': dash.join(' ') || 'none' };
    const key = node(
      'svg',
      { width: 16, height: 4, 'aria-hidden': 'true' },
      node('line', { x1: 0, y1: 2, x2: 16, y2: 2, ...style }),
    );
    return create('li', {}, createSvg(key), ...keepTogether(label));
  });
  return create('ul', { class: 'legend' }, ...items);
}

/**
 * Draws a timeline in a place, again whenever its width changes.
 * @param {HTMLElement} place @param {Timeline} timeline @param {readonly Timeline[]} [legendOf] @returns {{ destroy(): void }}
 */
export const drawMessages = (place, timeline, legendOf) =>
  drawAtWidth(place, (width) => drawTimeline(timeline, { width, legendOf }));
