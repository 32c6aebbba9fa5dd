import { createExperimentView } from './experiment-view.js';

/**
 * Draws saved runs of an experiment as its page does.
 *
 * @template P, T
 * @param {import('../../experiment-page.js').ShownExperiment<P, T>} experiment
 * @returns {import('../../result-page.js').Draw}
 */
export function createDraw(experiment) {
  const { path, formatPlan, formatMarkdown } = experiment;
  return async (document) => {
    const { default: uPlot } = await import('uplot');
    createExperimentView(experiment).show(uPlot, document);
    return { markdown: () => formatMarkdown(document), planPath: `${path}?${formatPlan(document.plan)}` };
  };
}
