/** A run of payload sizes on a page: progress that does not repaint for each message. */
import { payload } from '../../../core/experiments/payload/index.js';
import { trialsOf } from '../../../core/experiments/payload/trials.js';
import { reachServer } from '../../../core/net/http.js';
import { createTransfers } from '../libraries.js';
import { nextPaint } from '../base/page.js';
import { at } from '../site-url.js';

/** @import { PlannedTrial } from '../../../core/experiments/payload/trials.js' */
/** @import { RunMeans } from '../../../core/experiment/contract.js' */
/** @import { PageClient, PageRun } from './contract.js' */

/** The interval of updates: most messages take less than a frame, and painting delays the next message. */
const REPAINT_MS = 1000;
/** The length from which on each message is shown, as it may take a while. */
const LONG_BYTES = 1_000_000;

/** @param {PageRun} run @returns {RunMeans} */
function prepareRun({ plan, libraries, now, signal, progress }) {
  const planned = trialsOf(plan);
  let madeCount = 0;
  let shownAtMs = -Infinity;
  /** @param {string} words */
  const say = (words) => progress.show({ madeCount, trialCount: planned.length, words });
  /** @param {PlannedTrial} trial @param {{ isWarmUp?: boolean }} [options] */
  const show = (trial, { isWarmUp = false } = {}) => {
    shownAtMs = now();
    const message = isWarmUp ? 'warm-up' : `message ${madeCount + 1} of ${planned.length}`;
    const block = `${plan.preset ? 'Pass' : 'Block'} ${trial.block + 1} of ${planned[planned.length - 1].block + 1}`;
    say(`${block}: ${payload.progressOf(trial).label}, ${message}`);
  };

  show(planned[0], { isWarmUp: true });
  return {
    transfers: createTransfers(libraries),
    reach: () => reachServer(fetch, at('/status'), signal),
    onTrialStart: undefined,
    onWarmUp(/** @type {PlannedTrial} */ trial) {
      if (trial.size >= LONG_BYTES) show(trial, { isWarmUp: true });
    },
    async onTrialEnd() {
      const next = planned[++madeCount];
      if (!next) {
        say('Summing up');
      } else if (next.size >= LONG_BYTES || now() - shownAtMs >= REPAINT_MS) {
        show(next);
        await nextPaint();
      }
    },
  };
}

/** @type {PageClient} */
export const client = { prepareRun };
