import { measureStepMs } from '../core/clock.js';
import { summarize } from '../core/summary.js';
import { runTrial } from '../core/trial.js';

const ITERATIONS = 5;
const WARM_UP_COUNT = 2;

/**
 * One look at the way to the server, from which the iterations of a plan are set. None of it enters a result.
 *
 * @param {import('../core/transports/index.js').Transport} transport
 * @param {import('../core/clock.js').Now} now
 * @returns {Promise<number>} what a message takes here, about, in milliseconds
 * @throws {Error} with the reason why there was no answer
 */
export async function probe(transport, now) {
  const trial = await runTrial({ transport, now, iterations: ITERATIONS, warmUpCount: WARM_UP_COUNT });
  const { p50Ms: roundTripMs } = summarize(trial);
  if (roundTripMs === undefined) throw new Error(trial.failures[0].message);
  // A clock that is too coarse to see a round trip cannot tell less than its own step.
  return Math.max(roundTripMs, measureStepMs(now) ?? 1);
}
