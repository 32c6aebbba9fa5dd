/**
 * The page of payload sizes: the forecast of a run's cost, and progress that does not repaint for each message.
 */
import { formatSize, trialsOf } from '../../../core/experiments/payload/plan.js';
import { reachServer } from '../../../core/net/http.js';
import { labelOfTransfer } from '../../../core/net/labels.js';
import { isSparing } from '../run/is-sparing.js';
import { createTransfers } from '../run/page-transfers.js';
import { nextPaint } from '../ui/frames.js';
import { createPayloadForecast } from '../ui/payload/payload-forecast.js';
import { arrangePayloadPreset } from '../ui/payload/payload-preset.js';

/**
 * @import { PlannedTrial } from '../../../core/experiments/payload/plan.js'
 * @import { FormExtras, MeasureOptions, PageRun } from '../experiment-page.js'
 */

/** Rare, as most messages take less than a frame, and painting delays the next message. */
const REPAINT_MS = 1000;
/** A message of this length may take a while, so each is shown. */
const LONG_BYTES = 1_000_000;

/** @returns {FormExtras} */
export function createForm() {
  const forecast = createPayloadForecast({ isSparing: isSparing(window) });
  return {
    arrange() {
      arrangePayloadPreset();
      forecast.clear();
    },
    fitPlan: forecast.fitPlan,
    prepare: () => forecast.testSpeed(createTransfers({}).fetch),
  };
}

/**
 * @param {MeasureOptions} options
 * @returns {PageRun}
 */
export function prepareRun({ plan, $, SockJS, now, signal, progress }) {
  const planned = trialsOf(plan);
  let shownAtMs = -Infinity;

  /** @param {PlannedTrial} trial @param {{ madeCount: number, isWarmUp?: boolean }} options */
  const show = (trial, { madeCount, isWarmUp = false }) => {
    shownAtMs = now();
    const words = `${plan.preset ? 'Pass' : 'Block'} ${describeTrial(trial, planned)}, ${isWarmUp ? 'warm-up' : `message ${madeCount + 1} of ${planned.length}`}`;
    progress.show({ madeCount, trialCount: planned.length, words });
  };

  let madeCount = 0;
  show(planned[0], { madeCount, isWarmUp: true });
  return {
    transfers: createTransfers({ $, SockJS }),
    reach: () => reachServer(fetch, '/status', signal),
    onTrialStart: undefined,
    onWarmUp(/** @type {PlannedTrial} */ trial) {
      if (trial.size >= LONG_BYTES) show(trial, { madeCount, isWarmUp: true });
    },
    async onTrialEnd() {
      const next = planned[++madeCount];
      if (!next) {
        progress.show({ madeCount, trialCount: planned.length, words: 'Summing up' });
      } else if (next.size >= LONG_BYTES || now() - shownAtMs >= REPAINT_MS) {
        show(next, { madeCount });
        await nextPaint();
      }
    },
  };
}

/**
 * @param {PlannedTrial} trial
 * @param {readonly PlannedTrial[]} planned
 * @returns {string} like '1 of 6: 10 kB up by AJAX'
 */
function describeTrial({ block, size, direction, transport }, planned) {
  const blockCount = planned[planned.length - 1].block + 1;
  return `${block + 1} of ${blockCount}: ${formatSize(size)} ${direction} by ${labelOfTransfer(transport)}`;
}
