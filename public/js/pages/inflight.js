/**
 * The page of messages in flight.
 */
import { messagesAt } from '../../../core/experiments/in-flight-plan.js';
import { measureDepths } from '../../../core/experiments/in-flight.js';
import { labelOf } from '../../../core/transports/labels.js';
import { openExperimentPage } from '../experiment-page.js';
import { inFlight } from '../experiments/in-flight.js';
import { nextPaint } from '../ui/frames.js';

await openExperimentPage({
  ...inFlight,
  measure: ({ progress, ...options }) => {
    const { transports, depths, blocks } = options.plan;
    const perBlock = transports.flatMap((transport) => depths.map(() => transport));
    return measureDepths({
      ...options,
      onTrialStart({ transport, depth, block }, counter) {
        const words = `${labelOf(transport)} with ${depth} in flight`;
        progress.follow({ transports: perBlock, blocks, iterations: messagesAt(depth) }, words, block, counter);
      },
      onTrialEnd: nextPaint,
    });
  },
});
