import { createExperimentView } from './experiment-view.js';

/** @import { ShownExperiment } from '../../experiment-page.js' */

/**
 * Draws saved runs of an experiment as its page does.
 *
 * @param {ShownExperiment} experiment
 * @returns {(document: any) => Promise<void>}
 */
export function createDraw(experiment) {
  return async (document) => {
    const { default: uPlot } = await import('uplot');
    createExperimentView(experiment).show(uPlot, document);
  };
}
