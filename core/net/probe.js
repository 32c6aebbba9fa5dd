import { measureStepMs } from '../base/clock.js';
import { ExchangeError } from './exchange-error.js';
import { summarize } from '../base/statistics/summary.js';
import { runTrial } from './echo/trial.js';

/**
 * @import { Now } from '../base/clock.js'
 * @import { Transport } from './echo/index.js'
 */

const FIRST = { iterations: 5, warmUpCount: 2 };
/** Where the way is short, a busy browser shows more than the way does. */
const SHORT_MS = 50;
const CANCELLED = { outcome: /** @type {const} */ ('aborted'), message: 'Cancelled.' };
const SECOND = { iterations: 20, warmUpCount: 0 };

/**
 * One look at the way to the server, from which the iterations of a plan are set. None of it enters a result.
 *
 * @param {Transport} transport
 * @param {Now} now
 * @param {{ payloadBytes: number, signal?: AbortSignal }} options of the plan
 * @returns {Promise<number>} what a message takes here, about, in milliseconds
 * @throws {ExchangeError} with the reason why there was no answer
 */
export async function probe(transport, now, options) {
  const roundTripMs = await look(transport, now, { ...FIRST, ...options });
  if (roundTripMs >= SHORT_MS) return roundTripMs;
  return look(transport, now, { ...SECOND, ...options });
}

/**
 * @param {Transport} transport
 * @param {Now} now
 * @param {{ iterations: number, warmUpCount: number, payloadBytes: number, signal?: AbortSignal }} options
 * @returns {Promise<number>}
 */
async function look(transport, now, options) {
  const trial = await runTrial({ transport, now, ...options });
  const { p50Ms } = summarize(trial);
  if (p50Ms === undefined) {
    const [{ outcome, message } = CANCELLED] = trial.failures;
    throw new ExchangeError(outcome, message);
  }
  // A clock that is too coarse to see a round trip cannot tell less than its own step.
  return Math.max(p50Ms, measureStepMs(now) ?? 1);
}
