/**
 * The answer for one round-trip time: measured, where it is the run's own, and else predicted by the distance model.
 */
import { wordOf } from '../../../experiment/compare.js';
import { createDistanceModel, findSameDistanceMs, predictSpeedRatio } from './distance-model.js';
import { nameOf } from './row-name.js';
import { labelOf } from '../../../net/labels.js';
import { CHALLENGERS, challengerOf } from '../verdict.js';

/**
 * @import { Interval } from '../../../base/statistics/intervals.js'
 * @import { Report } from '../report.js'
 * @import { DistanceModel } from './distance-model.js'
 */

/**
 * @typedef {object} Decision
 * @property {number} rttMs
 * @property {boolean} isMeasured false for a prediction
 * @property {string} name of the transport
 * @property {string} transport
 * @property {string} baseline
 * @property {Interval} speedRatio how many times as fast the transport is, with its 95% CI
 * @property {'same' | 'faster' | 'slower' | 'unclear'} outcome
 * @property {number} sameFromMs from this round-trip time on the two are within 10%, at 95% confidence
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
 * @param {Report} report
 * @param {DistanceModel} model of the transport that the run is about
 * @returns {[DistanceModel, ...DistanceModel[]]} it, and that of the other one of SockJS and WebSocket, if it was
 *   measured, too
 */
export function modelsOf({ rows, floorMs }, model) {
  const other = rows.find(({ transport }) => CHALLENGERS.includes(transport) && transport !== model.transport);
  const otherModel = other && createDistanceModel({ floorMs, row: other });
  return otherModel ? [model, otherModel] : [model];
}

/** @param {DistanceModel} model @param {number} rttMs @returns {Decision} */
export function decide(model, rttMs) {
  // A link has a thousandth of a millisecond.
  const isMeasured = Math.abs(rttMs - model.floorMs) < 0.001;
  const speedRatio = isMeasured ? model.speedRatio : predictSpeedRatio(model, rttMs);
  const { name = labelOf(model.transport), transport, baseline } = model;
  const outcome = wordOf(speedRatio);
  return { rttMs, isMeasured, name, transport, baseline, speedRatio, outcome, sameFromMs: findSameDistanceMs(model) };
}
