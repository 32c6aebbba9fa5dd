/**
 * Predicts how much sooner push notifies users elsewhere, whose page asks at another interval. News comes at any instant
 * of a polling period, so polling is late by half a period on average. A period is the interval, and a round trip where the
 * page waits for each answer before it lets the interval pass; a timer does not wait. What was measured beyond half a period
 * hardly depends on distance or interval. No news is sooner than its way takes: what chance adds to that is left out.
 */
import { formatRtt } from '../../base/format.js';
import { saySooner } from '../../experiment/verdict.js';
import { barsBetween } from '../../experiment/answer-card.js';
import { hasTimer } from '../../experiment/situation.js';
import { labelOfDelivery, labelWithin, nameOfPush } from '../../experiment/labels.js';
import { decimalsFor, formatEnds } from './tables.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer.js'
 * @import { OwnReport } from '../../experiment/report.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { JobsRow } from './summary.js'
 * @typedef {{ intervalMs: number, rttMs: number, polls?: string }} Page how a page asks, over a round trip; `polls`: as in a
 *   situation
 */

/** Names a method that push is compared with. @param {{ delivery: string, intervalMs?: number }} row */
export const nameBaseline = ({ delivery, intervalMs }) => [delivery, intervalMs].filter(Boolean).join(' ');

export const HOUR_MS = 3_600_000;

/** The time from one request to the next. @param {Page} page @returns {number} ms */
export const periodMsOf = ({ intervalMs, rttMs, polls }) => intervalMs + (hasTimer({ polls }) ? 0 : rttMs);

/**
 * The mean delay of news by polling: half a period until the next request, and its answer's way.
 * @param {Page} page @returns {number} ms
 */
export const pollDelayMsOf = (page) => periodMsOf(page) / 2 + pushDelayMsOf(page);

/** The longest delay of news by polling: it came just after a request. @param {Page} page @returns {number} ms */
export const maxPollDelayMsOf = (page) => periodMsOf(page) + pushDelayMsOf(page);

/** The mean delay of news by push: one way. @param {{ rttMs: number }} page @returns {number} ms */
export const pushDelayMsOf = ({ rttMs }) => rttMs / 2;

/**
 * Predicts how much sooner push is than polling: half a period and the rest of the measured difference, at most half a period, which is
 * all the delay that polling adds. What was measured beyond that is an error: the estimate moves to the limit, and the lower half of
 * its interval with it, which so never shrinks to a point there.
 * @param {{ besidePolling?: JobsRow['besidePolling'] }} push @param {Page} page
 * @returns {Interval | undefined} ms sooner than polling; absent if it was not compared in enough blocks
 */
export function predictGain({ besidePolling }, page) {
  const beyond = besidePolling?.beyondHalfPeriod;
  if (!beyond) return undefined;
  const mostMs = periodMsOf(page) / 2;
  return {
    estimate: mostMs + Math.min(0, beyond.estimate),
    low: mostMs + beyond.low - Math.max(0, beyond.estimate),
    high: mostMs + Math.min(0, beyond.high),
  };
}

/** The mean delay of news that is sooner than by polling. @param {number} gainMs @param {Page} page @returns {number} ms */
export const delayMsAfter = (gainMs, page) => pollDelayMsOf(page) - gainMs;

/**
 * What push takes besides its way, which hardly depends on distance or interval.
 * @param {number} gainMs of an answer @param {Page} page for which that is @returns {number} ms
 */
export const beyondWayMsOf = (gainMs, page) => delayMsAfter(gainMs, page) - pushDelayMsOf(page);

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
  return bars && { baseline: nameBaseline(poll), ...saySooner(gain), ...gain, bars };
}

/**
 * Describes the prediction.
 * @param {{ poll: JobsRow, push: JobsRow, rttMs: number }} compared @returns {OwnReport['elsewhere']}
 */
export function describePrediction({ poll, push, rttMs }) {
  const gain = predictGain(push, { intervalMs: poll.intervalMs ?? 0, rttMs });
  if (!gain) return undefined;
  const where = `at ${formatRtt(rttMs)} ms round-trip time (predicted)`;
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
