/**
 * The page of a fixed rate.
 */
import { labelOf } from '../../../core/net/echo/labels.js';
import { openExperimentPage } from '../experiment-page.js';
import { fixedRate } from '../experiments/fixed-rate.js';
import { createPacer } from '../run/pacer.js';
import { nextPaint } from '../ui/frames.js';

await openExperimentPage(fixedRate, {
  prepareRun({ plan: { transports, ratePerSecond, messages, blocks }, now, progress }) {
    const perBlock = transports.flatMap((/** @type {string} */ transport) => [transport, transport]);
    const { sleepUntil, close } = createPacer(now);
    return {
      sleepUntil,
      close,
      onTrialStart({ transport, loop, block }, counter) {
        const words = `${labelOf(transport)} ${loop === 'open' ? `at ${ratePerSecond}/s` : 'back-to-back'}`;
        progress.follow({ transports: perBlock, blocks, iterations: messages }, words, block, counter);
      },
      onTrialEnd: nextPaint,
    };
  },
});
