import { element } from '../element.js';
import { fillTable } from '../table.js';

/**
 * @import { Report } from '../../../../core/experiment/contract.js'
 * @import { Ending } from '../../../../core/experiment/run.js'
 * @import { UPlot } from '../../charts/chart.js'
 * @import { ShownExperiment } from '../../experiment-page.js'
 */

/**
 * The result of an experiment with a plan of its own: words, chart, table.
 *
 * @param {ShownExperiment} experiment
 * @returns {{ show(uPlot: UPlot, document: any): void }}
 */
export function createExperimentView({ report, createChart, createDetails }) {
  const details = createDetails?.();
  /** @type {{ destroy(): void } | undefined} */
  let chart;
  return {
    show(uPlot, document) {
      chart?.destroy();
      showReport(report(document), document.ending);
      chart = createChart(uPlot, document);
      details?.show(document);
    },
  };
}

/**
 * @param {Report} report
 * @param {Ending} [ending]
 */
function showReport({ words, endedWords = '', notes, table }, ending) {
  element('#result', HTMLElement).hidden = false;
  element('#result-ending', HTMLElement).textContent = ending
    ? `${ending.reason} What was measured until then is below; do not rely on it.`
    : '';
  // The words would be relied on.
  element('#result-words', HTMLElement).textContent = ending ? endedWords : words;
  element('#result-notes', HTMLElement).textContent = ending ? '' : notes;
  fillTable(element('#rows', HTMLTableElement), table);
}
