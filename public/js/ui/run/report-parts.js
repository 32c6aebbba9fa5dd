/**
 * A report's tables and charts as elements: for the result of one run, and for several side by side.
 */
import { drawLines } from '../../charts/lines-chart.js';
import { fillTable } from '../table.js';

/**
 * @import { Chart, Report } from '../../../../core/experiment/contract.js'
 * @import { UPlot } from '../../charts/chart.js'
 */

/** A table of more may be wider than its page. */
const MAX_NARROW_COLUMNS = 8;

/**
 * @param {Report['tables']} tables
 * @returns {HTMLElement[]} each after its heading, where it has one
 */
export function createTables(tables) {
  return tables.flatMap(({ heading, ...table }) => {
    const region = create('div');
    region.className = 'scroll';
    region.tabIndex = 0;
    region.setAttribute('role', 'region');
    region.setAttribute('aria-label', heading ?? 'Figures');
    const target = /** @type {HTMLTableElement} */ (create('table'));
    target.className = `figures stacked${table.columns.length > MAX_NARROW_COLUMNS ? ' wide' : ''}`;
    region.append(fillTable(target, table));
    return heading ? [create('h3', heading), region] : [region];
  });
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
  const drawn = figures.map(({ chart, canvas }) => drawLines(uPlot, canvas, chart));
  return {
    destroy() {
      for (const chart of drawn) chart.destroy();
    },
  };
}

/** @param {Chart} chart @param {string} words */
function createFigure({ heading, caption, sentences = [] }, words) {
  const [section, figure, canvas] = ['section', 'figure', 'div'].map((tag) => create(tag));
  canvas.className = 'chart';
  canvas.setAttribute('role', 'img');
  const own = sentences.length > 0 ? sentences.join(' ') : words;
  canvas.setAttribute('aria-label', ['Chart.', heading && `${heading}:`, `${caption}.`, own].filter(Boolean).join(' '));
  figure.append(create('figcaption', caption), canvas);
  const said = create('div');
  said.append(...createParagraphs(sentences));
  section.append(...(heading ? [create('h3', heading)] : []), said, figure);
  return { section, canvas };
}

/** @param {readonly string[]} sentences */
export const createParagraphs = (sentences) => sentences.map((text) => create('p', text));

/**
 * @param {string} tag
 * @param {string} [textContent]
 * @returns {HTMLElement}
 */
function create(tag, textContent = '') {
  return Object.assign(document.createElement(tag), { textContent });
}
