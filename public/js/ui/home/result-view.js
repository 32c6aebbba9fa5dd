import { headOf } from '../../../../core/experiment/table.js';
import { createReport } from '../../../../core/experiments/shootout/report.js';
import { tabulateReport, tabulateSetUps, tabulateSteps } from '../../../../core/experiments/shootout/tables.js';
import { createDistributionChart, createRoundTripChart } from '../../charts/round-trips.js';
import { showIntervalBars } from '../../charts/svg.js';
import { create, createItems, element } from '../element.js';
import { fillTable } from '../table.js';
import { showDecision } from './decision-card.js';

/** @import { Report } from '../../../../core/experiments/shootout/report.js' */
/** @import { Result } from '../../../../core/experiments/shootout/measure.js' */
/** @import { UPlot } from '../../charts/chart.js' */

/** A run's result: its decision card, and all that it rests on. */
export function createResultView() {
  const section = element('#result');
  mountLinkedDetails();
  /** @type {{ destroy(): void }[]} */
  let parts = [];

  const clear = () => {
    for (const part of parts) part.destroy();
    parts = [];
  };

  return {
    /** @param {UPlot} uPlot @param {Result} result @param {string} [origin] where it comes from, if it was not made just now */
    show(uPlot, result, origin = '') {
      clear();
      const report = createReport(result);
      // What is hidden has no width that a chart could have.
      section.hidden = false;
      element('#result-origin').textContent = origin;
      showFigures(report);
      showTrust(report);
      showIntervalBars(report);
      const roundTrips = createRoundTripChart(uPlot, result.plan.transports);
      parts.push(showDecision(report), roundTrips, createDistributionChart(uPlot, report));
      roundTrips.show(result.trials);
    },
    hide() {
      section.hidden = true;
      clear();
    },
    focus() {
      element('#verdict').scrollIntoView({ block: 'nearest' });
      element('#verdict-headline').focus({ preventScroll: true });
    },
  };
}

/** The latencies, what a message's time is made of, and what connections cost. @param {Report} report */
function showFigures(report) {
  const isWhole = report.result.ending === undefined;
  const latencies = tabulateReport(report);
  fillTable(element('#rows', HTMLTableElement), latencies);
  element('#notes').replaceChildren(...createItems(report.notes));
  const explained = latencies.columns.map((column) => ({ name: headOf(column), value: String(column.explanation) }));
  element('#columns').replaceChildren(...explained.flatMap(createEntry));
  // Of a run that ended early nothing is concluded.
  for (const part of ['#breakdown', '#setup']) element(part).hidden = !isWhole;
  if (!isWhole) return;
  fillTable(element('#breakdown-table', HTMLTableElement), tabulateSteps(report));
  fillTable(element('#set-ups', HTMLTableElement), tabulateSetUps(report));
}

/** @param {Report} report */
function showTrust({ trust }) {
  const { length: count } = trust.filter(({ isWarning }) => isWarning);
  const words = count === 0 ? 'no warnings' : `${count} ${count === 1 ? 'warning' : 'warnings'}`;
  element('#trust-count').textContent = words;
  element('#trust-facts').replaceChildren(...trust.flatMap(createEntry));
}

/** @param {{ name: string, value: string, isWarning?: boolean }} entry */
const createEntry = ({ name, value, isWarning }) => [
  create('dt', {}, name),
  isWarning ? create('dd', { class: 'warning' }, `⚠ ${value}`) : create('dd', {}, value),
];

/** One of the folded parts that is opened is in the page’s address, and one that the address names is open. */
function mountLinkedDetails() {
  const openNamed = () => {
    const named = document.getElementById(location.hash.slice(1));
    if (named instanceof HTMLDetailsElement) named.open = true;
  };
  for (const part of document.querySelectorAll('#details > details')) {
    part.addEventListener('toggle', () => {
      const { id, open } = /** @type {HTMLDetailsElement} */ (part);
      if (open) history.replaceState(history.state, '', `#${id}`);
      else if (location.hash === `#${id}`) history.replaceState(history.state, '', location.pathname + location.search);
    });
  }
  window.addEventListener('hashchange', openNamed);
  openNamed();
}
