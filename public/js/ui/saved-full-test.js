/** Shows a saved full test: its decision and lines, each of which leads to the run behind it. */
import { createScoreView } from './score-view.js';

/** @import { Experiment } from '../../../core/experiment/contract.js' */

/** @param {Experiment} fullTest */
export const createSavedClient = (fullTest) => ({
  createView: () => {
    const view = createScoreView(fullTest, { hrefOf });
    return { show: (/** @type {unknown} */ _uPlot, /** @type {any} */ document) => view.show(document) };
  },
});

/** The runs are saved beside it. @param {string} experiment @returns {string | undefined} */
const hrefOf = (experiment) => document.querySelector(`[data-part="${experiment}"]`)?.getAttribute('href') ?? undefined;
