/**
 * The page of messages in flight.
 */
import { messagesAt } from '../../../core/experiments/in-flight/plan.js';
import { labelOf } from '../../../core/net/echo/labels.js';
import { openExperimentPage } from '../experiment-page.js';
import { inFlight } from '../experiments/in-flight.js';
import { nextPaint } from '../ui/frames.js';

await openExperimentPage(inFlight, {
  prepareRun({ plan: { transports, depths, blocks }, progress }) {
    const perBlock = transports.flatMap((/** @type {string} */ transport) => depths.map(() => transport));
    return {
      onTrialStart({ transport, depth, block }, counter) {
        const words = `${labelOf(transport)} with ${depth} in flight`;
        progress.follow({ transports: perBlock, blocks, iterations: messagesAt(depth) }, words, block, counter);
      },
      onTrialEnd: nextPaint,
    };
  },
});
