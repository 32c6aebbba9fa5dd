import { reportOf } from '../../../../core/experiment/report.js';
import { drawLines } from '../../charts/lines-chart.js';
import { element } from '../element.js';
import { fillTable } from '../table.js';

/**
 * @import { Chart, Planned, Report } from '../../../../core/experiment/contract.js'
 * @import { Ending } from '../../../../core/experiment/run.js'
 * @import { UPlot } from '../../charts/chart.js'
 */

/**
 * The result of an experiment: what its report says, in the order in which it is read.
 *
 * @param {Pick<Planned, 'summarize' | 'report'>} experiment
 * @returns {{ show(uPlot: UPlot, document: any): void }}
 */
export function createExperimentView(experiment) {
  /** @type {{ destroy(): void }[]} */
  let charts = [];
  return {
    show(uPlot, document) {
      for (const chart of charts) chart.destroy();
      const report = reportOf(experiment, document);
      showWords(report, document.ending);
      element('#result-tables', HTMLElement).replaceChildren(...report.tables.flatMap(createTable));
      const places = report.charts.map((chart) => ({ chart, ...createFigure(chart, report) }));
      element('#result-charts', HTMLElement).replaceChildren(...places.map(({ section }) => section));
      // Their width is known when they stand on the page.
      charts = places.map(({ chart, place }) => drawLines(uPlot, place, chart));
    },
  };
}

/**
 * @param {Report} report
 * @param {Ending} [ending]
 */
function showWords({ heading, answer = '', sentences, notes = [], method = '' }, ending) {
  element('#result', HTMLElement).hidden = false;
  element('#result-headline', HTMLElement).textContent = heading;
  element('#result-ending', HTMLElement).textContent = ending
    ? `${ending.reason} What was measured until then is below; do not rely on it.`
    : '';
  element('#result-answer', HTMLElement).textContent = answer;
  element('#result-words', HTMLElement).replaceChildren(...sentences.map((text) => create('p', text)));
  element('#result-notes', HTMLElement).replaceChildren(...notes.map((text) => create('p', text)));
  element('#result-method', HTMLElement).textContent = method;
}

/**
 * @param {Report['tables'][number]} table
 * @returns {HTMLElement[]} its heading, where it has one, and the table
 */
function createTable({ heading, ...table }) {
  const region = create('div');
  region.className = 'scroll';
  region.tabIndex = 0;
  region.setAttribute('role', 'region');
  region.setAttribute('aria-label', heading ?? 'Figures');
  const target = /** @type {HTMLTableElement} */ (create('table'));
  target.className = 'figures';
  region.append(fillTable(target, table));
  return heading ? [create('h3', heading), region] : [region];
}

/**
 * @param {Chart} chart
 * @param {Report} report what is said of it where the chart itself says nothing
 * @returns {{ section: HTMLElement, place: HTMLElement }}
 */
function createFigure({ heading, caption, sentences = [] }, report) {
  const section = create('section');
  const figure = create('figure');
  const place = create('div');
  place.className = 'chart';
  place.setAttribute('role', 'img');
  const words = sentences.length > 0 ? sentences : [report.answer, ...report.sentences];
  place.setAttribute('aria-label', ['Chart.', heading && `${heading}:`, caption, ...words].filter(Boolean).join(' '));
  figure.append(create('figcaption', caption), place);
  section.append(...(heading ? [create('h3', heading)] : []), ...sentences.map((text) => create('p', text)), figure);
  return { section, place };
}

/**
 * @param {string} tag
 * @param {string} [textContent]
 * @returns {HTMLElement}
 */
function create(tag, textContent = '') {
  return Object.assign(document.createElement(tag), { textContent });
}
