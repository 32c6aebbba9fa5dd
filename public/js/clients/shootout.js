/** Says what the home page does besides the trials, and shows a run there, with an answer for the round-trip time that the visitor chooses. */
import { createResultView } from '../ui/home/result-view.js';

/** @import { RunMeans } from '../../../core/experiment/contract.js' */
/** @import { PageClient, PageRun } from './contract.js' */

/** @param {PageRun} run @returns {RunMeans} */
const prepareRun = ({ progress }) => ({
  onStep(/** @type {string} */ words) {
    progress.pause();
    progress.say(words);
  },
});

/** @type {PageClient} */
export const client = { prepareRun, createView: createResultView };
