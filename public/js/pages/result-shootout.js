import { shootout as experiment } from '../../../core/experiments/shootout/index.js';
import { openResultPage } from '../result-page.js';
import { createResultView } from '../ui/home/result-view.js';
import { mountLinkedDetails } from '../ui/linked-details.js';

/** @import { Result } from '../../../core/experiments/shootout/result.js' */

await openResultPage({ experiment, draw });

/**
 * Draws a saved run of the home page as that page does.
 *
 * @param {Result} document
 */
async function draw(document) {
  const { default: uPlot } = await import('uplot');
  createResultView().show(uPlot, document);
  mountLinkedDetails();
}
