/** Computes the rates of trials with messages in flight, and how they grow with the concurrency. */
import { formatSupported } from '../../base/format.js';
import { ratioInterval, quantile, sort, sumOf } from '../../base/statistics.js';
import { answerJudged } from '../../experiment/answer/answer.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { findBaseline, judgeRates } from '../../experiment/answer/compare.js';
import { protocolsOf } from '../../experiment/run/trials.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { DepthTrial } from './schema.js'
 * @typedef {{ transport: string, depth: number }} Which of the rows
 * @typedef {object} DepthRow one transport at one depth
 * @property {string} transport
 * @property {number} depth
 * @property {string[]} protocols
 * @property {Interval} [messagesPerSecond] a geometric mean over the blocks; absent below two
 * @property {number} [p50Ms]
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {number} blockCount
 * @property {Judged} gain the multiple of the rate with one message in flight, by blocks; empty for that one
 * @typedef {{ isBaseline: boolean, single: DepthRow, deepest: DepthRow, speedUp?: Judged }} TransportRow `deepest`:
 *   with the maximum number in flight; `speedUp`: its rate compared with the baseline's
 * @typedef {{ rows: DepthRow[], transports: TransportRow[] }} DepthSummary
 */

/**
 * Computes the rows by transport, then by depth.
 * @param {{ plan: { transports: readonly string[], depths: readonly number[] }, trials: readonly DepthTrial[] }} document @returns {DepthSummary}
 */
export function summarize({ plan: { transports, depths }, trials }) {
  const depth = depths[depths.length - 1];
  const baseline = findBaseline(transports);
  const groups = transports.map((transport) =>
    depths.map((each) => summarizeDepth(trials, { transport, depth: each })),
  );
  return {
    rows: groups.flat(),
    transports: groups.map((rows, i) => {
      const transport = transports[i];
      const [single, deepest] = [rows[0], rows[rows.length - 1]];
      const isBaseline = transport === baseline;
      if (!baseline || isBaseline) return { isBaseline, single, deepest };
      const [own, base] = [transport, baseline].map((name) => ofWhich(trials, { transport: name, depth }));
      return { isBaseline, single, deepest, speedUp: judgeRates(own, base, rateOf) };
    }),
  };
}

/** Answers how many more messages per second each transport sends, at each depth. @param {DepthSummary} summary */
export function answersOf({ transports }) {
  const baseline = transports.find(({ isBaseline }) => isBaseline)?.single.transport;
  const unit = 'times-as-many';
  const rateAt = (/** @type {string} */ name) => {
    const rate = transports.find(({ deepest }) => deepest.transport === name)?.deepest.messagesPerSecond;
    return { name, value: rate?.estimate, figure: rate && `${formatSupported(rate)}/s` };
  };
  return transports.flatMap(({ deepest: { transport, depth, gain }, speedUp }) => [
    ...(speedUp && baseline
      ? [
          answerJudged(
            {
              ...{ subject: transport, baseline, at: `${depth} at once`, unit },
              bars: barsBetween(rateAt(baseline), rateAt(transport)),
              barsTitle: 'Messages per second',
            },
            speedUp,
          ),
        ]
      : []),
    ...(depth > 1
      ? [answerJudged({ subject: transport, baseline: transport, at: `${depth} at once instead of 1`, unit }, gain)]
      : []),
  ]);
}

/** @param {readonly DepthTrial[]} trials @param {Which} which @returns {DepthRow} */
function summarizeDepth(trials, which) {
  const own = ofWhich(trials, which);
  const rates = own.flatMap((trial) => rateOf(trial) ?? []);
  const roundTripMs = sort(own.flatMap((trial) => trial.roundTripMs));
  return {
    ...which,
    protocols: protocolsOf(own),
    messagesPerSecond: ratioInterval(rates),
    p50Ms: quantile(roundTripMs, 0.5),
    sampleCount: roundTripMs.length,
    failureCount: sumOf(own, ({ failures }) => failures.length),
    blockCount: rates.length,
    gain: which.depth === 1 ? {} : judgeRates(own, ofWhich(trials, { ...which, depth: 1 }), rateOf),
  };
}

/** @param {readonly DepthTrial[]} trials @param {Which} which */
const ofWhich = (trials, { transport, depth }) =>
  trials.filter((trial) => trial.transport === transport && trial.depth === depth);

/** Returns messages per second; absent if it did not finish, or the clock did not move. @param {DepthTrial} trial */
function rateOf({ endedAtMs, iterations }) {
  const elapsedMs = endedAtMs[iterations - 1];
  return elapsedMs > 0 ? (iterations / elapsedMs) * 1000 : undefined;
}
