/** Checks whether what was measured fits the model by which news is predicted for users elsewhere. */
import { labelOfDelivery } from '../../experiment/answer/labels.js';
import { fact, weighty } from '../../experiment/run/trust.js';
import { SAME_RATIO } from '../../experiment/answer/verdict.js';
import { formatEnds } from './tables.js';
import { lagErrorOf, roundTripOf } from './trial.js';

/**
 * @import { Fact, Trust } from '../../experiment/contract.js'
 * @import { JobsRow, Measured } from './summary.js'
 */

/** @param {Measured} run @param {readonly JobsRow[]} rows @returns {Trust} */
export const trustOf = (run, rows) => ({ facts: modelFacts(run, rows) });

/**
 * Polling adds half a period on average. The model cannot explain push that was sooner by more, in all of its interval. What is
 * within the error of a latency, or within the margin of what counts as the same, does not count.
 * @param {Measured} run @param {readonly JobsRow[]} rows @returns {Fact[]} none if it fits
 */
function modelFacts(run, rows) {
  const roundTripMs = roundTripOf(run);
  const { periodMs } = rows.find(({ delivery }) => delivery === 'poll') ?? {};
  if (roundTripMs === undefined || periodMs === undefined) return [];
  const tolerableMs = lagErrorOf(roundTripMs, run.environment?.stepMs) + (SAME_RATIO - 1) * (periodMs / 2);
  const beyond = rows.flatMap(({ delivery, besidePolling }) => {
    const ms = besidePolling?.beyondHalfPeriod;
    return ms && ms.low > tolerableMs ? [`${labelOfDelivery(delivery)} by ${formatEnds(ms, 0)} ms`] : [];
  });
  if (beyond.length === 0) return [];
  return [
    weighty(
      fact(
        'Prediction',
        `sooner than the model allows: ${beyond.join(', ')}. The device or the server may have been busy, or the jobs too short.`,
        'the measurement does not fit the model',
      ),
    ),
  ];
}
