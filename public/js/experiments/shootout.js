import { createResultView } from '../ui/home/result-view.js';
import { mountLinkedDetails } from '../ui/linked-details.js';

/**
 * @import { Result } from '../../../core/experiments/shootout/measure.js'
 * @import { UPlot } from '../charts/chart.js'
 */

/** Shows a saved run of the home page as that page does. */
export const createView = () => ({
  /** @param {UPlot} uPlot @param {Result} document */
  show(uPlot, document) {
    createResultView().show(uPlot, document);
    mountLinkedDetails();
  },
});
