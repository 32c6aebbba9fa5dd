/** Draws the round trips of a run on the home page, and shows a run there, with an answer for the round-trip time that the visitor chooses. */
import { nextPaint } from '../base/page.js';
import { createRoundTripChart } from '../charts/round-trips.js';
import { createResultView } from '../ui/home/result-view.js';

/** @import { RunMeans } from '../../../core/experiment/contract.js' */
/** @import { PageClient, PageRun } from './contract.js' */

/** @param {PageRun} run @returns {RunMeans} */
function prepareRun({ plan, progress }) {
  const chart = createRoundTripChart(plan.transports, '#live');
  return {
    onStep(/** @type {string} */ words) {
      progress.pause();
      progress.say(words);
    },
    async onTrialEnd({ trials }) {
      // Drawing all of them takes time, and causes garbage collections: once per block is enough.
      if (trials.length % plan.transports.length === 0) chart.show(trials);
      await nextPaint();
    },
    close: chart.destroy,
  };
}

/** @type {PageClient} */
export const client = { prepareRun, createView: createResultView };
