import { headOf } from '../../../../core/experiment/table.js';
import { createReport } from '../../../../core/experiments/shootout/report.js';
import { tabulateReport, tabulateSetUps, tabulateSteps } from '../../../../core/experiments/shootout/tables.js';
import { createDistributionChart, createRoundTripChart } from '../../charts/round-trips.js';
import { showIntervalBars } from '../../charts/svg.js';
import { create, createItems, element } from '../element.js';
import { fillTable } from '../table.js';
import { showDecision } from './decision-card.js';

/** @import { Report } from '../../../../core/experiments/shootout/report.js' */
/** @import { Result } from '../../../../core/experiments/shootout/index.js' */
/** @import { UPlot } from '../../charts/chart.js' */

/**
 * A run's result: its decision card, and all that it rests on.
 * @returns {{ show(uPlot: UPlot, result: Result, origin?: string): void, hide(): void, focus(): void }} `origin` says
 *   where it comes from, if it was not made just now
 */
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
    show(uPlot, result, origin = '') {
      clear();
      const report = createReport(result);
      // What is hidden has no width that a chart could have.
      section.hidden = false;
      element('#result-origin').textContent = origin;
      showLatency(report);
      showTrust(report);
      showIntervalBars(report);
      showBreakdown(report);
      parts.push(showDecision(report));
      const roundTrips = createRoundTripChart(uPlot, result.plan.transports);
      parts.push(roundTrips, createDistributionChart(uPlot, report));
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

/** @param {Report} report */
function showLatency(report) {
  const table = tabulateReport(report);
  fillTable(element('#rows', HTMLTableElement), table);
  element('#notes').replaceChildren(...createItems(report.notes));
  element('#columns').replaceChildren(
    ...table.columns.flatMap((column) => createEntry({ name: headOf(column), value: String(column.explanation) })),
  );
}

/** @param {Report} report */
function showTrust({ trust }) {
  const { length: count } = trust.filter(({ isWarning }) => isWarning);
  element('#trust-count').textContent =
    count === 0 ? 'no warnings' : `${count} ${count === 1 ? 'warning' : 'warnings'}`;
  element('#trust-facts').replaceChildren(...trust.flatMap(createEntry));
}

/** What a message's time is made of, and what connections cost. @param {Report} report */
function showBreakdown(report) {
  const isWhole = report.result.ending === undefined;
  // Of a run that ended early nothing is concluded.
  for (const part of ['#breakdown', '#setup']) element(part).hidden = !isWhole;
  if (!isWhole) return;
  fillTable(element('#breakdown-table', HTMLTableElement), tabulateSteps(report));
  fillTable(element('#set-ups', HTMLTableElement), tabulateSetUps(report));
}

/** @param {{ name: string, value: string, isWarning?: boolean }} entry */
const createEntry = ({ name, value, isWarning }) => [
  create('dt', {}, name),
  isWarning ? create('dd', { class: 'warning' }, `⚠ ${value}`) : create('dd', {}, value),
];

/**
 * Folded parts of a page that links lead to: one that is opened is in the page’s address, and one that the address
 * names is open.
 */
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
