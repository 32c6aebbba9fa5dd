/** Says, in sentences, which of two transports is faster at a round-trip time: what the page of a run shows. */
import { capitalize, formatRange, formatRatio, formatRtt, formatCount } from '../../base/format.js';
import { sumOf } from '../../base/statistics.js';
import { nameInterval } from '../../experiment/answer/answer.js';
import { VERDICT_LABELS } from '../../experiment/answer/verdict.js';
import { countBlocks, describeBlocks, describeEarlyEnd } from '../../experiment/plan/blocks.js';
import { nameBrowser } from '../../experiment/run/names.js';
import { ELSEWHERE_RTT_MS } from '../../experiment/run/scope.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { describeSameDistance } from './same-distance.js';
import { describeRelation, headlineOf, nameOf } from './verdict.js';

/**
 * @import { DistanceModel, Speed } from './distance-model.js'
 * @import { Summary } from './summary.js'
 */

/**
 * The round-trip time that a run is about: its own, or a typical one of users elsewhere, where it had none.
 * @param {{ scope: Summary['scope'] }} summary @param {DistanceModel} model @returns {number} ms
 */
export const rttOf = ({ scope }, model) => (scope === 'path' ? model.floorMs : ELSEWHERE_RTT_MS);

/** @param {Speed} speed @returns {{ headline: string, evidence: string, remark: string }} `remark`: what bars do not show */
export function describeSpeed({ rttMs, answer, name, speedRatio, messageMs, baselineMs, model, opening }) {
  const sameDistance = capitalize(describeSameDistance(model));
  // The ratio of a prediction stands with its interval.
  const relation = answer.isPredicted ? describeRelation(answer) : headlineOf(answer);
  return {
    // Lists and titles may cut what stands last.
    headline: `${relation} at ${formatRtt(rttMs)} ms round-trip time${answer.isPredicted ? ' (predicted)' : ''}.`,
    remark: `${sameDistance}.`,
    evidence:
      `${name} ${formatRtt(messageMs)}, ${labelOf(answer.baseline)} ${formatRtt(baselineMs)} ms per message on devices like the measuring one; ratio ${formatRange(speedRatio)} (${nameInterval(answer)}). ${sameDistance}. ${opening}`.trim(),
  };
}

/** Describes the measurement. @param {Summary} summary @param {Speed} speed */
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
    `${formatCount(countBlocks(result.trials) * iterations, 'message')} per transport, in ${describeBlocks(result)} of ${iterations.toLocaleString('en')}, in random order.`,
    describeEarlyEnd(result),
    `${nameBrowser(result.environment.userAgent)}, ${formatCount(failureCount, 'failure')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
