/**
 * The page of a fixed rate.
 */
import { measureFixedRate } from '../../../core/experiments/fixed-rate.js';
import { labelOf } from '../../../core/transports/labels.js';
import { openExperimentPage } from '../experiment-page.js';
import { fixedRate } from '../experiments/fixed-rate.js';
import { createPacer } from '../pacer.js';
import { nextPaint } from '../ui/frames.js';

await openExperimentPage({
  ...fixedRate,
  measure: ({ progress, ...options }) => {
    const { transports, ratePerSecond, messages, blocks } = options.plan;
    const perBlock = transports.flatMap((transport) => [transport, transport]);
    const pacer = createPacer(options.now);
    return measureFixedRate({
      ...options,
      sleepUntil: pacer.sleepUntil,
      onTrialStart({ transport, loop, block }, counter) {
        const words = `${labelOf(transport)} ${loop === 'open' ? `at ${ratePerSecond}/s` : 'back-to-back'}`;
        progress.follow({ transports: perBlock, blocks, iterations: messages }, words, block, counter);
      },
      onTrialEnd: nextPaint,
    }).finally(pacer.close);
  },
});
