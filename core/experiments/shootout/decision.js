/** The answer for one round-trip time: measured, where it is the run's own, and else predicted by the distance model. */
import { formatRange, formatRatio } from '../../base/format.js';
import { mean, sumOf } from '../../base/statistics.js';
import { SAME_PERCENT, wordOf } from '../../experiment/compare.js';
import { nameBrowser } from '../../experiment/names.js';
import { labelOf } from '../../net/labels.js';
import { createDistanceModel, findSameDistanceMs, formatRtt, predictSpeedRatio } from './distance-model.js';
import { CHALLENGERS, challengerOf, describeOutcome, nameOf } from './verdict.js';

/**
 * @import { DistanceModel } from './distance-model.js'
 * @import { Report } from './report.js'
 * @typedef {ReturnType<typeof decide>} Decision
 */

/**
 * @param {Report} report
 * @returns {DistanceModel | undefined} of the transport that the run is about; absent where nothing may be concluded,
 *   or nothing predicted
 */
export function modelOf({ result, rows, floorMs, verdict }) {
  if (result.ending || verdict.word === 'none') return undefined;
  const challenger = challengerOf(result.plan);
  const row = rows.find(({ transport }) => transport === challenger);
  const model = row && createDistanceModel({ floorMs, row });
  return model && { ...model, name: nameOf(row) };
}

/**
 * @param {Report} report @param {DistanceModel} model of the transport that the run is about
 * @returns {[DistanceModel, ...DistanceModel[]]} it, and that of the other one of SockJS and WebSocket, if it was
 *   measured, too
 */
export function modelsOf({ rows, floorMs }, model) {
  const other = rows.find(({ transport }) => CHALLENGERS.includes(transport) && transport !== model.transport);
  const otherModel = other && createDistanceModel({ floorMs, row: other });
  return otherModel ? [model, otherModel] : [model];
}

/** @param {DistanceModel} model @param {number} rttMs */
export function decide(model, rttMs) {
  // A link has a thousandth of a millisecond.
  const isMeasured = Math.abs(rttMs - model.floorMs) < 0.001;
  const speedRatio = isMeasured ? model.speedRatio : predictSpeedRatio(model, rttMs);
  const { name = labelOf(model.transport), transport, baseline } = model;
  // What each adds to the distance hardly depends on it.
  const [baselineMs, messageMs] = [0, 1].map((side) => rttMs + Number(mean(model.overheads.map((both) => both[side]))));
  // From this round-trip time on the two are within 10%, at 95% confidence.
  const sameFromMs = findSameDistanceMs(model);
  const word = wordOf(speedRatio);
  return { rttMs, isMeasured, name, transport, baseline, speedRatio, word, messageMs, baselineMs, sameFromMs };
}

/** @param {Decision} decision @returns {{ scope: string, headline: string, evidence: string }} what its card says */
export function describeDecision(decision) {
  const { rttMs, isMeasured, speedRatio, messageMs, baselineMs, sameFromMs } = decision;
  const reach =
    sameFromMs === 0
      ? `The two are within ${SAME_PERCENT}% at any round-trip time.`
      : `Above ${formatRtt(sameFromMs)} ms, the two are within ${SAME_PERCENT}%.`;
  return {
    scope: isMeasured
      ? `From here: ${formatRtt(rttMs)} ms round-trip time`
      : `For users with a ${formatRtt(rttMs)} ms round-trip time`,
    headline: `${isMeasured ? 'Measured' : 'Predicted'}: ${describeOutcome(decision)}.`,
    evidence: `About ${formatRtt(messageMs)} v ${formatRtt(baselineMs)} ms per message; ratio ${formatRange(speedRatio)} (95% CI). ${reach}`,
  };
}

const SCOPES = Object.freeze({
  machine: 'This run measured your own machine',
  network: 'This run measured your own network',
  path: 'Measured from here',
});

/**
 * @param {Report} report
 * @param {Pick<Decision, 'transport' | 'isMeasured'>} decision beside it: a measured one says itself what was found
 * @returns {string} what was measured here, and how
 */
export function describeMeasured({ result, rows, floorMs, scope }, { transport, isMeasured }) {
  const row = rows.find((one) => one.transport === transport);
  const ratio = row?.comparison?.speedRatio;
  if (!ratio || floorMs === undefined) return '';
  const { blocks, iterations } = result.plan;
  const failureCount = sumOf(rows, ({ failures }) => failures.length);
  const found = `${SCOPES[scope]} (RTT ${formatRtt(floorMs)} ms): ${nameOf(row)} was ${formatRatio(ratio)} as fast (95% CI ${formatRange(ratio)}).`;
  return [
    ...(isMeasured ? [] : [found]),
    `${blocks * iterations} messages per transport, in ${blocks} blocks: each transport ${iterations} per block, in random order.`,
    `${nameBrowser(result.environment.userAgent)}, ${failureCount} ${failureCount === 1 ? 'failure' : 'failures'}.`,
  ].join(' ');
}
