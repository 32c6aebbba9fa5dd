/** Decides between two transports at a round-trip time: what a run predicts there, or has measured. */
import { formatRange, formatRatio } from '../../base/format.js';
import { mean, sumOf } from '../../base/statistics.js';
import { SAME_PERCENT, VERDICT_LABELS, verdictOf } from '../../experiment/compare.js';
import { nameBrowser } from '../../experiment/names.js';
import { labelOf } from '../../net/labels.js';
import { createDistanceModel, findSameDistanceMs, formatRtt, predictSpeedRatio } from './distance-model.js';
import { challengerOf, CHALLENGERS, describeOutcome, nameOf } from './verdict.js';

/**
 * @import { DistanceModel } from './distance-model.js'
 * @import { Summary } from './summary.js'
 * @typedef {ReturnType<typeof decide>} Decision
 */

/**
 * Returns the distance model; absent if there is no conclusion.
 * @param {Summary} summary @returns {DistanceModel | undefined}
 */
export function modelOf({ result, rows, floorMs, verdict }) {
  if (result.ending || verdict.name === 'none') return undefined;
  const challenger = challengerOf(result.plan);
  const row = rows.find(({ transport }) => transport === challenger);
  const model = createDistanceModel(floorMs, row?.comparison);
  return row && model && { ...model, name: nameOf(row) };
}

/**
 * Returns that model, and the one of the other of SockJS and WebSocket.
 * @param {Summary} summary @param {DistanceModel} model @returns {[DistanceModel, ...DistanceModel[]]}
 */
export function modelsOf({ rows, floorMs }, model) {
  const other = rows.find(({ transport }) => CHALLENGERS.includes(transport) && transport !== model.transport);
  const otherModel = createDistanceModel(floorMs, other?.comparison);
  return otherModel ? [model, otherModel] : [model];
}

/** @param {DistanceModel} model @param {number} rttMs */
export function decide(model, rttMs) {
  // A link has a resolution of a thousandth of a millisecond.
  const isMeasured = Math.abs(rttMs - model.floorMs) < 0.001;
  const speedRatio = isMeasured ? model.speedRatio : predictSpeedRatio(model, rttMs);
  const { name = labelOf(model.transport), transport, baseline } = model;
  // The overheads hardly depend on the distance.
  const [baselineMs, messageMs] = [0, 1].map((side) => rttMs + Number(mean(model.overheads.map((both) => both[side]))));
  const sameFromMs = findSameDistanceMs(model);
  const verdict = verdictOf(speedRatio);
  return { rttMs, isMeasured, name, transport, baseline, speedRatio, verdict, messageMs, baselineMs, sameFromMs };
}

/** @param {Decision} decision @returns {{ scope: string, headline: string, evidence: string }} the texts of its card */
export function describeDecision(decision) {
  const { rttMs, isMeasured, name, baseline, speedRatio, messageMs, baselineMs, sameFromMs } = decision;
  const reach =
    sameFromMs === 0
      ? `The two are within ${SAME_PERCENT}% at any round-trip time.`
      : `Within ${SAME_PERCENT}% at ${formatRtt(sameFromMs)} ms and above.`;
  return {
    scope: isMeasured
      ? `From here: ${formatRtt(rttMs)} ms round-trip time`
      : `For users with a ${formatRtt(rttMs)} ms round-trip time`,
    headline: `${isMeasured ? 'Measured' : 'Predicted'}: ${describeOutcome(decision)}.`,
    evidence: `${name} ${formatRtt(messageMs)}, ${labelOf(baseline)} ${formatRtt(baselineMs)} ms per message; ratio ${formatRange(speedRatio)} (95% CI). ${reach}`,
  };
}

const SCOPES = Object.freeze({
  machine: 'This run measured your own machine',
  network: 'This run measured your own network',
  path: 'Measured from here',
});

/** Describes the measurement. @param {Summary} summary @param {Pick<Decision, 'transport' | 'isMeasured'>} decision */
export function describeMeasured({ result, rows, floorMs, scope }, { transport, isMeasured }) {
  const row = rows.find((one) => one.transport === transport);
  const { speedRatio: ratio, verdict } = row?.comparison ?? {};
  if (!row || !ratio || floorMs === undefined) return '';
  const { blocks, iterations } = result.plan;
  const outcome = verdict === 'unclear' ? `showed ${VERDICT_LABELS.unclear}` : `was ${formatRatio(ratio)} as fast`;
  const failureCount = sumOf(rows, ({ failures }) => failures.length);
  const found = `${SCOPES[scope]} (RTT ${formatRtt(floorMs)} ms): ${nameOf(row)} ${outcome} (95% CI ${formatRange(ratio)}).`;
  return [
    ...(isMeasured ? [] : [found]),
    `${blocks * iterations} messages per transport, in ${blocks} blocks: each transport ${iterations} per block, in random order.`,
    `${nameBrowser(result.environment.userAgent)}, ${failureCount} ${failureCount === 1 ? 'failure' : 'failures'}.`,
  ].join(' ');
}
