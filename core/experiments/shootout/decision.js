/** Decides between two transports at a round-trip time: what a run predicts there, or has measured. */
import { capitalize, formatRange, formatRatio, formatRtt, listOf } from '../../base/format.js';
import { mean, sumOf } from '../../base/statistics.js';
import { nameInterval } from '../../experiment/answer.js';
import { SAME_RATIO, VERDICT_LABELS } from '../../experiment/verdict.js';
import { decideAlone, nameSubject } from '../../experiment/decide.js';
import { countBlocks, describeBlocks, describeEarlyEnd } from '../../experiment/looks.js';
import { nameBrowser } from '../../experiment/names.js';
import { ELSEWHERE_RTT_MS } from '../../experiment/scope.js';
import { labelOf } from '../../experiment/labels.js';
import { answerAt, describeSameDistance, predictSavingMs } from './distance-model.js';
import { nameOf } from './verdict.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Bars } from '../../experiment/answer-card.js'
 * @import { VerdictName } from '../../experiment/verdict.js'
 * @import { DistanceModel, SpeedAnswer } from './distance-model.js'
 * @import { Summary } from './summary.js'
 *
 * @typedef {object} Decision between two transports at a round-trip time
 * @property {number} rttMs
 * @property {boolean} isMeasured at this round-trip time, else it is predicted
 * @property {SpeedAnswer} answer
 * @property {string} name of the transport, with its fallback
 * @property {string} transport
 * @property {string} baseline
 * @property {Interval} speedRatio
 * @property {Interval} savingMs per message
 * @property {VerdictName} verdict
 * @property {number} messageMs of the transport
 * @property {number} baselineMs
 * @property {string} sameDistance from which round-trip time on the two are the same; found by a search, which the looks of a run
 *   need not wait for
 * @property {string} opening a sentence; empty if connections were reused
 */

/**
 * The round-trip time that a run decides about: its own, or a typical one of users elsewhere, where it had none.
 * @param {{ scope: Summary['scope'] }} summary @param {DistanceModel} model @returns {number} ms
 */
export const rttOf = ({ scope }, model) => (scope === 'path' ? model.floorMs : ELSEWHERE_RTT_MS);

/**
 * Decides at a round-trip time, by the {@link answerAt answer} there.
 * @param {DistanceModel} model @param {number} rttMs @returns {Decision}
 */
export function decideAt(model, rttMs) {
  const { transport, baseline, overheads, roundTripCounts } = model;
  const answer = answerAt(model, rttMs);
  const { estimate, low, high, verdict, isPredicted } = answer;
  // The overheads hardly depend on the distance.
  const [baselineMs, messageMs] = roundTripCounts.map(
    (count, side) => count * rttMs + Number(mean(overheads.map((both) => both[side]))),
  );
  return {
    rttMs,
    isMeasured: !isPredicted,
    answer,
    name: nameSubject(answer),
    transport,
    baseline,
    speedRatio: { estimate, low, high },
    savingMs: predictSavingMs(model, rttMs, isPredicted ? undefined : 0),
    verdict,
    messageMs,
    baselineMs,
    get sameDistance() {
      return describeSameDistance(model);
    },
    opening: describeOpening(model),
  };
}

/** @param {DistanceModel} model @returns {string} a sentence; empty if connections were reused */
function describeOpening({ baseline, transport, roundTripCounts }) {
  const names = [baseline, transport].filter((_, side) => roundTripCounts[side] > 1).map(labelOf);
  return names.length === 0
    ? ''
    : `As in this run, ${listOf(names)} ${names.length === 1 ? 'opens' : 'open'} a connection for each message.`;
}

/**
 * The time of a message, and from which time on the challenger's would be a reason to move.
 * @param {{ name: string, transport: string, baseline: string, baselineMs: number, messageMs: number }} decision @returns {Bars}
 */
export function barsOf({ name, transport, baseline, baselineMs, messageMs }) {
  const length = (/** @type {number} */ ms) => ({ value: ms, figure: `${formatRtt(ms)} ms` });
  return [
    Object.freeze({ name: labelOf(baseline), colour: baseline, ...length(baselineMs) }),
    Object.freeze({ name, colour: transport, ...length(messageMs), matters: length(baselineMs / SAME_RATIO) }),
  ];
}

/**
 * @param {Decision} decision @returns {{ headline: string, evidence: string, remark: string }} `remark`: what bars do not show
 */
export function describeDecision(decision) {
  const { rttMs, answer, name, baseline, speedRatio, messageMs, baselineMs, sameDistance, opening } = decision;
  return {
    headline: decideAlone(answer, rttMs),
    remark: `${capitalize(sameDistance)}.`,
    evidence:
      `${name} ${formatRtt(messageMs)}, ${labelOf(baseline)} ${formatRtt(baselineMs)} ms per message on devices like the measuring one; ratio ${formatRange(speedRatio)} (${nameInterval(answer)}). ${capitalize(sameDistance)}. ${opening}`.trim(),
  };
}

/** Describes the measurement. @param {Summary} summary @param {{ transport: string, isMeasured: boolean }} decision */
export function describeMeasured({ result, rows, floorMs }, { transport, isMeasured }) {
  const row = rows.find((one) => one.transport === transport);
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
    `${nameBrowser(result.environment.userAgent)}, ${failureCount} ${failureCount === 1 ? 'failure' : 'failures'}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
