import { measureStepMs } from '../core/clock.js';
import { summarize } from '../core/summary.js';
import { runTrial } from '../core/trial.js';

const FIRST = { iterations: 5, warmUpCount: 2 };
/** Where the way is short, a busy browser shows more than the way does. */
const SHORT_MS = 50;
const SECOND = { iterations: 20, warmUpCount: 0 };

/**
 * One look at the way to the server, from which the iterations of a plan are set. None of it enters a result.
 *
 * @param {import('../core/transports/index.js').Transport} transport
 * @param {import('../core/clock.js').Now} now
 * @param {number} payloadBytes of the plan
 * @returns {Promise<number>} what a message takes here, about, in milliseconds
 * @throws {Error} with the reason why there was no answer
 */
export async function probe(transport, now, payloadBytes) {
  const roundTripMs = await look(transport, now, { ...FIRST, payloadBytes });
  if (roundTripMs >= SHORT_MS) return roundTripMs;
  return look(transport, now, { ...SECOND, payloadBytes });
}

/**
 * @param {import('../core/transports/index.js').Transport} transport
 * @param {import('../core/clock.js').Now} now
 * @param {{ iterations: number, warmUpCount: number, payloadBytes: number }} options
 * @returns {Promise<number>}
 */
async function look(transport, now, options) {
  const trial = await runTrial({ transport, now, ...options });
  const { p50Ms } = summarize(trial);
  if (p50Ms === undefined) throw new Error(trial.failures[0].message);
  // A clock that is too coarse to see a round trip cannot tell less than its own step.
  return Math.max(p50Ms, measureStepMs(now) ?? 1);
}
