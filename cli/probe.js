import { summarize } from '../core/summary.js';
import { runTrial } from '../core/trial.js';
import { UsageError } from './errors.js';

const ITERATIONS = 5;
const WARM_UP_COUNT = 2;

/**
 * One look at the way to the server, from which the iterations of a plan are set. None of it enters a result.
 *
 * @param {import('../core/transports/index.js').Transport} transport
 * @param {{ origin: string, signal: AbortSignal }} options
 * @returns {Promise<number | undefined>} what a message takes here, about, in milliseconds; absent where it was aborted
 * @throws {UsageError} where the server does not answer
 */
export async function probe(transport, { origin, signal }) {
  const now = () => performance.now();
  const trial = await runTrial({ transport, now, iterations: ITERATIONS, warmUpCount: WARM_UP_COUNT, signal });
  const { p50Ms: roundTripMs } = summarize(trial);
  if (signal.aborted) return undefined;
  if (roundTripMs !== undefined) return roundTripMs;
  throw new UsageError(
    `--url: expected a SockShootout at ${origin}, got no echo from there: ${trial.failures[0].message}`,
  );
}
