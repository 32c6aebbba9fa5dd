/**
 * A report's tables and charts as elements: for the result of one run, and for several side by side.
 */
import { drawDots } from '../../charts/dots-chart.js';
import { drawLines } from '../../charts/lines-chart.js';
import { create } from '../element.js';
import { fillTable } from '../table.js';
import { createHeatMaps } from './heat-maps.js';

/**
 * @import { Chart, Report } from '../../../../core/experiment/contract.js'
 * @import { UPlot } from '../../charts/chart.js'
 */

/** A table of more may be wider than its page. */
const MAX_NARROW_COLUMNS = 8;

/**
 * @param {Report['tables']} tables
 * @returns {{ shown: HTMLElement[], folded: HTMLElement[] }} each after its heading, where it has one; heat maps first
 */
export function createTables(tables) {
  const maps = tables.filter(({ isHeatMap }) => isHeatMap);
  const others = tables.filter(({ isHeatMap, isDetail }) => !isHeatMap && !isDetail);
  const details = tables.filter(({ isDetail }) => isDetail);
  return {
    shown: [...(maps.length > 0 ? [createHeatMaps(maps)] : []), ...others.flatMap(createTable)],
    folded: details.flatMap(createTable),
  };
}

/** @param {Report['tables'][number]} table @returns {HTMLElement[]} */
function createTable({ heading, ...table }) {
  const isWide = table.columns.length > MAX_NARROW_COLUMNS;
  const target = create('table', { class: `figures stacked${isWide ? ' wide' : ''}` });
  const region = { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': heading ?? 'Figures' };
  const shown = create('div', region, fillTable(target, table));
  return heading ? [create('h3', {}, heading), shown] : [shown];
}

/**
 * @param {UPlot} uPlot
 * @param {HTMLElement} place is emptied first
 * @param {readonly Chart[]} charts
 * @param {string} words what the charts say, for those that have no sentences of their own
 * @returns {{ destroy(): void }}
 */
export function drawCharts(uPlot, place, charts, words) {
  const figures = charts.map((chart) => ({ chart, ...createFigure(chart, words) }));
  place.replaceChildren(...figures.map(({ section }) => section));
  // Their width is known when they stand on the page.
  const drawn = figures.map(({ chart, canvas }) =>
    chart.dots ? drawDots(canvas, { ...chart, dots: chart.dots }) : drawLines(uPlot, canvas, chart),
  );
  return {
    destroy() {
      for (const chart of drawn) chart.destroy();
    },
  };
}

/** @param {Chart} chart @param {string} words */
function createFigure({ heading, caption, sentences = [] }, words) {
  const own = sentences.length > 0 ? sentences.join(' ') : words;
  const label = ['Chart.', heading && `${heading}:`, `${caption}.`, own].filter(Boolean).join(' ');
  const canvas = create('div', { class: 'chart', role: 'img', 'aria-label': label });
  const figure = create('figure', {}, create('figcaption', {}, caption), canvas);
  const said = create('div', {}, ...createParagraphs(sentences));
  return { section: create('section', {}, ...(heading ? [create('h3', {}, heading)] : []), said, figure), canvas };
}

/** @param {readonly string[]} sentences */
export const createParagraphs = (sentences) => sentences.map((text) => create('p', {}, text));
