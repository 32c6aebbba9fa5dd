/** What the decision card says: the one place where a decision becomes sentences. */
import { formatRange, formatRatio } from '../../../base/format.js';
import { sumOf } from '../../../base/statistics/values.js';
import { nameBrowser } from '../../../experiment/browser-name.js';
import { SAME_PERCENT } from '../../../experiment/compare.js';
import { nameOf } from './row-name.js';
import { labelOf } from '../../../net/labels.js';
import { formatRtt } from './rtt.js';

/**
 * @import { Report } from '../report.js'
 * @import { Decision } from './decide.js'
 */

/** @param {Decision} decision @returns {{ scope: string, headline: string, evidence: string }} */
export function describeDecision({ rttMs, isMeasured, name, baseline, speedRatio, outcome, sameFromMs }) {
  const figures = `${name} ${formatRatio(speedRatio)} as fast as ${labelOf(baseline)}`;
  return {
    scope: isMeasured
      ? `From here: ${formatRtt(rttMs)} ms round-trip time`
      : `For users with a ${formatRtt(rttMs)} ms round-trip time`,
    headline: `${isMeasured ? 'Measured' : 'Predicted'}: ${figures}.${OUTCOMES[outcome]}`,
    evidence: `95% CI ${formatRange(speedRatio)}, one message at a time. ${describeReach(sameFromMs)}`,
  };
}

/** A ratio says by itself which of the two is faster. */
const OUTCOMES = Object.freeze({
  same: ` Same within ${SAME_PERCENT}%.`,
  faster: '',
  slower: '',
  unclear: ' No clear difference.',
});

/**
 * @param {Report} report
 * @param {string} transport that the card is about
 * @returns {string} what was measured here, and how
 */
export function describeMeasured({ result, rows, floorMs, scope }, transport) {
  const row = rows.find((one) => one.transport === transport);
  const ratio = row?.comparison?.speedRatio;
  if (!ratio || floorMs === undefined) return '';
  const { blocks, iterations } = result.plan;
  const failureCount = sumOf(rows, ({ failures }) => failures.length);
  return [
    `${SCOPES[scope]} (RTT ${formatRtt(floorMs)} ms): ${nameOf(row)} was ${formatRatio(ratio)} as fast (95% CI ${formatRange(ratio)}).`,
    `${nameBrowser(result.environment.userAgent)}, ${blocks} blocks of ${iterations} messages,`,
    `${failureCount} ${failureCount === 1 ? 'failure' : 'failures'}.`,
  ].join(' ');
}

const SCOPES = Object.freeze({
  machine: 'This run measured your own machine',
  network: 'This run measured your own network',
  path: 'Measured from here',
});

/** @param {number} sameFromMs */
function describeReach(sameFromMs) {
  if (sameFromMs === 0) return `The two are within ${SAME_PERCENT}% at any round-trip time.`;
  return `Above ${formatRtt(sameFromMs)} ms, the two are within ${SAME_PERCENT}%.`;
}
