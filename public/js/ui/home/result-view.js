import { createReport } from '../../../../core/experiments/shootout/report.js';
import { showBreakdown } from './breakdown-view.js';
import { showDecision } from './decision-card.js';
import { createDistributionChart } from '../../charts/distribution-chart.js';
import { element } from '../element.js';
import { showIntervalBars } from '../../charts/interval-bars.js';
import { showReport } from '../run/report-view.js';
import { createRoundTripChart } from '../../charts/round-trip-chart.js';

/**
 * @import { Result } from '../../../../core/experiments/shootout/result.js'
 * @import { UPlot } from '../../charts/chart.js'
 */

/**
 * A run's result: its decision card, and all that it rests on.
 *
 * @returns {{ show(uPlot: UPlot, result: Result, origin?: string): void, hide(): void, focus(): void }}
 */
export function createResultView() {
  const section = element('#result', HTMLElement);
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
      showReport(report, origin);
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
      element('#verdict', HTMLElement).scrollIntoView({ block: 'nearest' });
      element('#verdict-headline', HTMLElement).focus({ preventScroll: true });
    },
  };
}
