/** Says, in sentences, what a run decides between two transports at a round-trip time. */
import { capitalize, formatRange, formatRatio, formatRtt, formatCount } from '../../base/format.js';
import { sumOf } from '../../base/statistics.js';
import { nameInterval } from '../../experiment/answer/answer.js';
import { VERDICT_LABELS } from '../../experiment/answer/verdict.js';
import { countBlocks, describeBlocks, describeEarlyEnd } from '../../experiment/plan/looks.js';
import { nameBrowser } from '../../experiment/run/names.js';
import { ELSEWHERE_RTT_MS } from '../../experiment/run/scope.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { decideAlone } from './outcome.js';
import { describeSameDistance } from './same-distance.js';
import { nameOf } from './verdict.js';

/**
 * @import { Decision, DistanceModel } from './distance-model.js'
 * @import { Summary } from './summary.js'
 */

/**
 * The round-trip time that a run decides about: its own, or a typical one of users elsewhere, where it had none.
 * @param {{ scope: Summary['scope'] }} summary @param {DistanceModel} model @returns {number} ms
 */
export const rttOf = ({ scope }, model) => (scope === 'path' ? model.floorMs : ELSEWHERE_RTT_MS);

/**
 * @param {Decision} decision @returns {{ headline: string, evidence: string, remark: string }} `remark`: what bars do not show
 */
export function describeDecision(decision) {
  const { rttMs, answer, name, speedRatio, messageMs, baselineMs, model, opening } = decision;
  const sameDistance = capitalize(describeSameDistance(model));
  return {
    headline: decideAlone(answer, rttMs),
    remark: `${sameDistance}.`,
    evidence:
      `${name} ${formatRtt(messageMs)}, ${labelOf(answer.baseline)} ${formatRtt(baselineMs)} ms per message on devices like the measuring one; ratio ${formatRange(speedRatio)} (${nameInterval(answer)}). ${sameDistance}. ${opening}`.trim(),
  };
}

/** Describes the measurement. @param {Summary} summary @param {Decision} decision */
export function describeMeasured({ result, rows, floorMs }, { answer, isMeasured }) {
  const row = rows.find((one) => one.transport === answer.subject);
  const { speedRatio: ratio, verdict } = row?.comparison ?? {};
  if (!row || !ratio || floorMs === undefined) return '';
  const { iterations } = result.plan;
  const outcome = verdict === 'unclear' ? `showed ${VERDICT_LABELS.unclear}` : `was ${formatRatio(ratio)} as fast`;
  const failureCount = sumOf(rows, ({ failures }) => failures.length);
  const found = `Measured at ${formatRtt(floorMs)} ms: ${nameOf(row)} ${outcome} (95% CI ${formatRange(ratio)}).`;
  return [
    ...(isMeasured ? [] : [found]),
    `${countBlocks(result.trials) * iterations} messages per transport, in ${describeBlocks(result)} of ${iterations}, in random order.`,
    describeEarlyEnd(result),
    `${nameBrowser(result.environment.userAgent)}, ${formatCount(failureCount, 'failure')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
