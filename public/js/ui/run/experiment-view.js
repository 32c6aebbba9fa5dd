import { reportOf } from '../../../../core/experiment/report.js';
import { element } from '../element.js';
import { createParagraphs, createTables, drawCharts } from './report-parts.js';

/**
 * @import { Planned, Report } from '../../../../core/experiment/contract.js'
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
  /** @type {{ destroy(): void } | undefined} */
  let charts;
  return {
    show(uPlot, document) {
      charts?.destroy();
      const report = reportOf(experiment, document);
      const { answer = '', sentences, tables } = report;
      showWords(report, document.ending);
      const { shown, folded } = createTables(tables);
      element('#result-tables').replaceChildren(...shown);
      element('#result-detail-tables').replaceChildren(...folded);
      const place = element('#result-charts', HTMLElement);
      charts = drawCharts(uPlot, place, report.charts, [answer, ...sentences].join(' '));
    },
  };
}

/**
 * @param {Report} report
 * @param {Ending} [ending]
 */
function showWords({ heading, answer = heading, sentences, notes = [], method = '' }, ending) {
  element('#result', HTMLElement).hidden = false;
  element('#result-headline', HTMLElement).textContent = answer;
  element('#result-ending', HTMLElement).textContent = ending
    ? `${ending.reason} The figures measured until then are for diagnosis only.`
    : '';
  element('#result-words', HTMLElement).replaceChildren(...createParagraphs(sentences));
  element('#result-notes', HTMLElement).replaceChildren(...createParagraphs(notes));
  element('#result-method', HTMLElement).textContent = method;
}
