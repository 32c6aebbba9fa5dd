/** The card of a run: whether WebSockets work, and what a message takes over the fallback. */
import { formatCount } from '../../base/format.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { answerReach } from './full-test.js';

/**
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { ReachSummary } from './summary.js'
 */

/** Shows the answer, and draws what a message takes over the fallback. @param {ReachSummary} summary @returns {OwnReport['lead']} */
export function leadOf(summary) {
  const { works, latency, plan } = summary;
  if (works === undefined) return undefined;
  const baseline = latency.baseline === 'fetch' ? 'fetch' : 'ws';
  const names = { [baseline]: labelOf(baseline), sockjs: `SockJS over ${latency.protocol}` };
  const bars = barsBetween(
    { name: baseline, value: latency.baselineMs },
    { name: 'sockjs', value: latency.medianMs },
    { nameOf: (name) => names[name] },
  );
  const barsTitle = `Median round trip of a message, ${formatCount(plan.blocks, 'block')}`;
  // The conclusion has its own reason.
  return { ...answerReach(summary), subject: 'sockjs', baseline, bars, barsTitle, reason: '' };
}
