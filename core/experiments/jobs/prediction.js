/**
 * Predicts how much sooner push notifies users elsewhere. News comes at any instant of a polling period, so polling is
 * late by half a period on average: by half the interval and half a round trip. What was measured beyond half a period
 * hardly depends on the distance.
 */
import { formatRtt } from '../../base/format.js';
import { labelWithin } from '../../net/labels.js';
import { decimalsFor, formatEnds } from './tables.js';

/**
 * @import { OwnReport } from '../../experiment/contract.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { JobsRow } from './summary.js'
 */

/**
 * @param {Pick<JobsRow, 'intervalMs' | 'comparison'>} poll @param {number} rttMs
 * @returns {Interval | undefined} ms sooner; absent if it was not compared in enough blocks
 */
export function predictGain({ intervalMs = 0, comparison }, rttMs) {
  const { latency, beyondHalfPeriod: beyond } = comparison ?? {};
  if (!latency?.verdict || !beyond) return undefined;
  const halfPeriodMs = (intervalMs + rttMs) / 2;
  return {
    estimate: halfPeriodMs + beyond.estimate,
    low: halfPeriodMs + beyond.low,
    high: halfPeriodMs + beyond.high,
  };
}

/**
 * Describes the prediction.
 * @param {{ poll: JobsRow, push: JobsRow, rttMs: number }} compared @returns {OwnReport['elsewhere']}
 */
export function describePrediction({ poll, push, rttMs }) {
  const gain = predictGain(poll, rttMs);
  if (!gain) return undefined;
  const where = `Predicted at ${formatRtt(rttMs)} ms round-trip time`;
  const [name, polling] = [labelWithin(push.delivery), labelWithin(poll.delivery, poll.intervalMs)];
  if (gain.low <= 0) {
    return { headline: `${where}: no clear difference in notification latency between ${name} and ${polling}.` };
  }
  return {
    headline: `${where}: ${name} notifies clients ${gain.estimate.toFixed(0)} ms sooner than ${polling}.`,
    evidence: `The prediction, ${gain.estimate.toFixed(0)} ms (95% CI ${formatEnds(gain, decimalsFor(gain, poll))} ms), is half a polling period plus the rest of the measured difference.`,
  };
}
