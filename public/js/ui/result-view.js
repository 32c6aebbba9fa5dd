import { createReport } from '../../../core/report.js';
import { createDistributionChart } from './distribution-chart.js';
import { element } from './element.js';
import { showReport } from './report-view.js';
import { createRoundTripChart } from './round-trip-chart.js';
import { showWhy } from './why-view.js';

const PARTS_OF_A_REPORT = ['#verdict', '#report', '#distribution', '#why', '#trust'];

/**
 * The result section: while a run is on, its live chart; then all of the report.
 *
 * @returns {{ open(uPlot: import('./chart.js').UPlot, transports: readonly string[]): void,
 *   showTrials(trials: readonly import('../../../core/run.js').RunTrial[]): void,
 *   show(result: import('../../../core/result.js').Result, origin?: string): void, focus(): void }}
 *   `open` begins a new result
 */
export function createResultView() {
  const section = element('#result', HTMLElement);
  /** @type {{ destroy(): void }[]} */
  let charts = [];
  /** @type {ReturnType<typeof createRoundTripChart> | undefined} */
  let roundTripChart;
  /** @type {import('./chart.js').UPlot} */
  let library;

  /** @param {boolean} isReported */
  const setReported = (isReported) => {
    for (const part of PARTS_OF_A_REPORT) element(part, HTMLElement).hidden = !isReported;
  };

  return {
    open(uPlot, transports) {
      for (const chart of charts) chart.destroy();
      library = uPlot;
      setReported(false);
      element('#result-origin', HTMLElement).textContent = '';
      section.hidden = false;
      roundTripChart = createRoundTripChart(uPlot, transports);
      charts = [roundTripChart];
    },
    showTrials: (trials) => roundTripChart?.show(trials),
    show(result, origin = '') {
      const report = createReport(result);
      showReport(report, origin);
      setReported(true);
      roundTripChart?.show(result.trials);
      charts.push(createDistributionChart(library, report));
      // Of a run that ended early nothing is concluded.
      element('#why', HTMLElement).hidden = result.ending !== undefined;
      const why = result.ending ? undefined : showWhy(library, report);
      if (why) charts.push(why);
    },
    focus() {
      element('#verdict', HTMLElement).scrollIntoView({ block: 'nearest' });
      element('#verdict-headline', HTMLElement).focus({ preventScroll: true });
    },
  };
}
