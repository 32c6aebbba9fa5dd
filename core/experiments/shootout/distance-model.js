/**
 * Predicts the speed at other distances from a run. A round trip is the distance, and the overhead of the transport, which hardly
 * depends on the distance, but on the device. Each block predicts one ratio, as each measures one. So at the run's own distance,
 * and for its own device, the prediction is the measurement.
 */
import { listOf } from '../../base/format.js';
import { mean, ratioInterval, widenRatio } from '../../base/statistics.js';
import { answerJudged, nameInterval } from '../../experiment/answer/answer.js';
import { bothTimesOf, savingOf } from '../../experiment/answer/compare.js';
import { nameSubject } from '../../experiment/answer/fallback.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { verdictOf } from '../../experiment/answer/verdict.js';
import { isOneDistance } from '../../experiment/run/scope.js';
import { challengerOf, CHALLENGERS } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Compared, OwnAnswer, UsedFallback } from '../../experiment/answer/answer.js'
 * @import { Comparison } from '../../experiment/answer/compare.js'
 * @import { VerdictName } from '../../experiment/answer/verdict.js'
 * @import { Summary } from './summary.js'
 * @typedef {readonly [baseline: number, transport: number]} Both
 * @typedef {{ transport: string, fallback?: UsedFallback, baseline: string, floorMs: number, roundTripCounts: Both, overheads: readonly Both[],
 *   speedRatio: Interval, confidence?: number, slowness?: number }} DistanceModel `fallback`: of the transport; `floorMs`: the smallest
 *   round trip, which stands for the distance; `roundTripCounts`: over how many such a message goes; `overheads`: ms of each transport, by
 *   block; `speedRatio`: as measured; `confidence`: of its interval, if not the usual one; `slowness`: of the device that the
 *   overheads are of: how many times slower it is than the measuring one
 * @typedef {OwnAnswer & Compared & Interval & { verdict: VerdictName }} SpeedAnswer how much faster a message is
 *
 * @typedef {object} Speed of two transports at a round-trip time
 * @property {DistanceModel} model
 * @property {number} rttMs
 * @property {boolean} isMeasured at this round-trip time, else it is predicted
 * @property {SpeedAnswer} answer
 * @property {string} name of the transport, with its fallback
 * @property {Interval} speedRatio
 * @property {Interval} savingMs per message
 * @property {VerdictName} verdict
 * @property {number} messageMs of the transport
 * @property {number} baselineMs
 * @property {string} opening a sentence; empty if connections were reused
 */

/**
 * By how much the overhead of a transport differs between two runs: the relative standard deviation. `lab/between-runs.js`
 * computes the least with which 95% of predictions cover what another run measured (0.27, rounded up); docs/method.md says of
 * which runs.
 */
export const OVERHEAD_DEVIATION = 0.3;
/** The name of a prediction's interval, which covers what another run measures there; that of a measurement is a CI. */
export const PREDICTION_INTERVAL = nameInterval({ isPredicted: true });

/**
 * Returns the model of what the verdict is about; absent if there is none.
 * @param {Summary} summary @returns {DistanceModel | undefined}
 */
export function modelOf(summary) {
  const { result, rows } = summary;
  const challenger = challengerOf(result.plan);
  const row = rows.find(({ transport }) => transport === challenger);
  if (result.ending || !row?.comparison?.verdict) return undefined;
  const model = createDistanceModel(summary, row.comparison);
  return model && { ...model, fallback: row.fallback };
}

/**
 * Returns that model, and of SockJS and WebSocket also the model of the other.
 * @param {Summary} summary @param {DistanceModel} model @returns {[DistanceModel, ...DistanceModel[]]}
 */
export function modelsOf(summary, model) {
  const other = summary.rows.find(({ transport }) => CHALLENGERS.includes(transport) && transport !== model.transport);
  const otherModel = createDistanceModel(summary, other?.comparison);
  return otherModel ? [model, slowDown(otherModel, model.slowness)] : [model];
}

/**
 * Creates the model of a comparison; absent without a distance or a ratio.
 * @param {Summary} summary @param {Comparison} [comparison] @returns {DistanceModel | undefined}
 */
export function createDistanceModel({ rule, floorMs, rows }, comparison) {
  if (floorMs === undefined || !comparison?.speedRatio) return undefined;
  const { transport, baseline, centres, speedRatio } = comparison;
  const countOf = (/** @type {string} */ name) => Number(rows.find((row) => row.transport === name)?.roundTripCount);
  const [base, other] = [countOf(baseline), countOf(transport)];
  const overheads = centres.map(
    ([baseMs, otherMs]) => /** @type {const} */ ([baseMs - base * floorMs, otherMs - other * floorMs]),
  );
  return {
    transport,
    baseline,
    floorMs,
    roundTripCounts: [base, other],
    overheads,
    speedRatio,
    confidence: rule.confidence,
  };
}

/**
 * The share of an overhead that is the page's: it takes longer by as much as the device is slower. The server's share does not,
 * nor does most of the browser's network, where Chromium's developer tools slow a page (`lab/devices.js`). On a phone all of it
 * may take longer: the prediction's interval includes that.
 */
const PAGE_SHARE = 0.6;

/**
 * The model of a slower device: the page’s share of each overhead takes so many times longer.
 * @template {DistanceModel} M @param {M} model as measured @param {number} [slowness] 1: the measuring device @returns {M}
 */
export const slowDown = (model, slowness = 1) => {
  if (slowness === 1) return model;
  const factor = 1 + PAGE_SHARE * (slowness - 1);
  return { ...model, slowness, overheads: model.overheads.map(([base, other]) => [base * factor, other * factor]) };
};

/**
 * Answers at a round-trip time, as it was measured there, or as the model predicts.
 * @param {DistanceModel} model @param {number} rttMs @returns {SpeedAnswer}
 */
function answerAt(model, rttMs) {
  const { transport, fallback, baseline, overheads, floorMs, slowness } = model;
  const isMeasured = !slowness && isOneDistance(rttMs, floorMs);
  const ratio = isMeasured ? model.speedRatio : predictSpeedRatio(model, rttMs);
  return /** @type {SpeedAnswer} */ ({
    ...answerJudged(
      { subject: transport, baseline, unit: 'times-as-fast' },
      { verdict: verdictOf(ratio), ratio, blockCount: overheads.length },
    ),
    isPredicted: !isMeasured,
    fallback,
  });
}

/**
 * A message's time. It is at least a round trip, whatever a noisy overhead says, and above 0 on one machine, too.
 * @param {number} rttMs @param {number} roundTripCount @param {number} overheadMs
 */
const messageMsOf = (rttMs, roundTripCount, overheadMs) =>
  Math.max(roundTripCount * rttMs + overheadMs, rttMs, Number.EPSILON);

/**
 * The speed at a round-trip time, by the {@link answerAt answer} there.
 * @param {DistanceModel} model @param {number} rttMs @returns {Speed}
 */
export function speedAt(model, rttMs) {
  const answer = answerAt(model, rttMs);
  const { estimate, low, high, verdict, isPredicted } = answer;
  const speedRatio = { estimate, low, high };
  const timesMs = predictTimesMs(model, rttMs, isPredicted ? OVERHEAD_DEVIATION : 0);
  const savingMs = savingOf(speedRatio, timesMs);
  const baselineMs = timesMs[0].estimate;
  return {
    model,
    rttMs,
    isMeasured: !isPredicted,
    answer,
    name: nameSubject(answer),
    speedRatio,
    savingMs,
    verdict,
    messageMs: baselineMs - savingMs.estimate,
    baselineMs,
    opening: describeOpening(model),
  };
}

/**
 * The speed as it was measured, where no distance is known: all of a message's time is taken for overhead.
 * @param {Summary} summary @returns {Speed | undefined} absent without a verdict
 */
export function measuredSpeedOf(summary) {
  const model = modelOf({ ...summary, floorMs: 0 });
  return model && speedAt(model, 0);
}

/** @param {DistanceModel} model @returns {string} a sentence; empty if connections were reused */
function describeOpening({ baseline, transport, roundTripCounts }) {
  const names = [baseline, transport].filter((_, side) => roundTripCounts[side] > 1).map(labelOf);
  return names.length === 0
    ? ''
    : `As in this run, ${listOf(names)} ${names.length === 1 ? 'opens' : 'open'} a connection for each message.`;
}

/**
 * Predicts the ratio that another run measures at a distance, to which each transport adds the same overhead. The interval covers
 * what varies within this run, and what {@link OVERHEAD_DEVIATION runs differ by}, which matters the less the farther away.
 * @param {DistanceModel} model @param {number} distanceMs @param {number} [deviation] of the overheads of two runs
 */
export function predictSpeedRatio(model, distanceMs, deviation = OVERHEAD_DEVIATION) {
  const blocks = blocksAt(model, distanceMs);
  // Two or more blocks have measured a ratio, so as many predict one.
  const ofRun = /** @type {Interval} */ (
    ratioInterval(
      blocks.map(([baseMs, otherMs]) => baseMs / otherMs),
      model.confidence,
    )
  );
  return widenRatio(ofRun, deviation * Math.hypot(...sharesAt(model, distanceMs, blocks)));
}

/**
 * Predicts the times of a message that another run measures at a distance, with intervals like that of {@link predictSpeedRatio}.
 * @param {DistanceModel} model @param {number} distanceMs @param {number} deviation of the overheads of two runs
 * @returns {Interval[]} of the baseline, of the transport
 */
function predictTimesMs(model, distanceMs, deviation) {
  const blocks = blocksAt(model, distanceMs);
  const shares = sharesAt(model, distanceMs, blocks);
  return bothTimesOf(blocks, model.confidence).map((ms, side) => widenRatio(ms, deviation * shares[side]));
}

/**
 * Returns the times of a message at a distance, by block.
 * @param {DistanceModel} model @param {number} distanceMs
 */
const blocksAt = ({ overheads, roundTripCounts: [base, other] }, distanceMs) =>
  overheads.map(
    ([baseMs, otherMs]) =>
      /** @type {const} */ ([messageMsOf(distanceMs, base, baseMs), messageMsOf(distanceMs, other, otherMs)]),
  );

/**
 * Returns the overheads' shares of these times.
 * @param {DistanceModel} model @param {number} distanceMs @param {readonly Both[]} blocks
 */
const sharesAt = ({ roundTripCounts }, distanceMs, blocks) =>
  roundTripCounts.map((count, side) => 1 - (count * distanceMs) / Number(mean(blocks.map((times) => times[side]))));
