/** Says what a run predicts for users elsewhere, at a typical round-trip time. */
import { formatRtt } from '../../base/format.js';
import { saySooner } from '../../experiment/answer/verdict.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { labelOfDelivery, labelWithin, nameOfPush } from '../../experiment/answer/labels.js';
import { pollDelayMsOf } from '../../net/delivery/model.js';
import { BARS_TITLE, nameBaseline } from './answers.js';
import { predictGain } from './summary.js';
import { decimalsFor, formatEnds } from './tables.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { JobsRow } from './summary.js'
 */

/** @param {number} rttMs */
const placeAt = (rttMs) => `at ${formatRtt(rttMs)} ms round-trip time (predicted)`;

/**
 * @param {{ poll: JobsRow, push: JobsRow, rttMs: number, gain: Interval }} predicted
 * @returns {(OwnAnswer & Interval) | undefined} absent where nothing can be drawn
 */
function leadOf({ poll, push, rttMs, gain }) {
  const pollMs = pollDelayMsOf({ intervalMs: poll.intervalMs ?? 0, rttMs });
  const bars = barsBetween(
    { name: poll.delivery, value: pollMs },
    { name: push.delivery, value: pollMs - gain.estimate },
    {
      prefix: 'delivery-',
      nameOf: (name) => labelOfDelivery(name, name === poll.delivery ? poll.intervalMs : undefined),
    },
  );
  const barsTitle = `${BARS_TITLE} ${placeAt(rttMs)}`;
  return bars && { baseline: nameBaseline(poll), ...saySooner(gain), ...gain, bars, barsTitle };
}

/**
 * Describes the prediction.
 * @param {{ poll: JobsRow, push: JobsRow, rttMs: number }} compared @returns {OwnReport['elsewhere']}
 */
export function describePrediction({ poll, push, rttMs }) {
  const gain = predictGain(push, { intervalMs: poll.intervalMs ?? 0, rttMs });
  if (!gain) return undefined;
  const where = placeAt(rttMs);
  const [name, polling] = [nameOfPush(push.delivery), labelWithin(poll.delivery, poll.intervalMs)];
  if (gain.low <= 0) {
    return { headline: `No clear difference in notification latency between ${name} and ${polling} ${where}.` };
  }
  return {
    headline: `${name} shows news ${gain.estimate.toFixed(0)} ms sooner than ${polling} ${where}.`,
    lead: leadOf({ poll, push, rttMs, gain }),
    evidence: `Prediction: ${gain.estimate.toFixed(0)} ms (95% CI of this run ${formatEnds(gain, decimalsFor(gain, poll))} ms).`,
  };
}
