/**
 * The experiment of 2012: N messages to and fro, one after the other, and how long that took.
 *
 * Its clock runs from the click to the last answer, SockJS's connection included but not AJAX's, in whole milliseconds.
 * That is kept as it was, so that the figures can be set beside the published ones; what it hides is told by the
 * trial's summary.
 */
import { createDeadline } from '../deadline.js';
import { ExchangeError } from '../exchange-error.js';
import { runTrial } from '../trial.js';

const MAX_ITERATIONS = 100_000;

/** For all the requests that provoke a new connection, together. */
const COLD_LIMIT_MS = 10_000;

/**
 * @typedef {object} ClassicRun
 * @property {import('../trial.js').Trial} trial
 * @property {number} clickedAtMs the clock at the click
 * @property {number} [elapsedMs] whole milliseconds, at least 1; absent where the run did not finish
 * @property {import('../run.js').Ending} [ending] absent where it finished or failed
 */

/**
 * Runs it. The first failure ends the run, as nothing can be said of the time then.
 *
 * @param {object} options
 * @param {import('../transports/index.js').Transport} options.transport
 * @param {import('../clock.js').Now} options.now
 * @param {number} options.iterations
 * @param {number} options.clickedAtMs the clock at the click
 * @param {import('../trial.js').Progress} [options.progress]
 * @param {AbortSignal} [options.signal] ends it, with an Ending as its reason
 * @returns {Promise<ClassicRun>}
 */
export async function runClassic({ clickedAtMs, ...options }) {
  const trial = await runTrial({ ...options, maxFailuresInARow: 1 });
  return { trial, clickedAtMs, elapsedMs: elapsedOf({ trial, clickedAtMs }), ending: endingOf(trial, options.signal) };
}

/**
 * By the clock of 2012: from the click to the last answer.
 *
 * @param {Pick<ClassicRun, 'trial' | 'clickedAtMs'>} run
 * @returns {number | undefined} whole milliseconds, at least 1; absent where the run did not finish
 */
export function elapsedOf({ trial: { samples, iterations, startedAtMs }, clickedAtMs }) {
  if (samples.iteration.length < iterations) return undefined;
  const lastAnswerMs = startedAtMs + samples.sentAtMs[iterations - 1] + samples.roundTripMs[iterations - 1];
  return Math.max(1, Math.round(lastAnswerMs - clickedAtMs));
}

/**
 * @param {import('../trial.js').Trial} trial of which the first failure is the last
 * @param {AbortSignal} [signal]
 * @returns {import('../run.js').Ending | undefined} why it ended early, where it did not fail
 */
export function endingOf({ samples, failures, iterations }, signal) {
  return signal?.aborted && failures.length === 0 && samples.iteration.length < iterations ? signal.reason : undefined;
}

/**
 * What a connection costs where the run reused one; asked after the run, outside its clock.
 *
 * @param {object} options
 * @param {import('../transports/index.js').Transport} options.transport
 * @param {import('../clock.js').Now} options.now
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<number | undefined>} milliseconds; absent where it could not be learned
 */
export async function measureColdSetUp({ transport, now, signal }) {
  const deadline = createDeadline({ now, limitMs: COLD_LIMIT_MS, signal });
  try {
    return await transport.measureColdSetUp?.({ signal: deadline.start() });
  } catch (error) {
    if (error instanceof ExchangeError) return undefined;
    throw error;
  } finally {
    deadline.close();
  }
}

/**
 * The line that the run adds to the log, as in 2012.
 *
 * @param {ClassicRun} run
 * @returns {string}
 * @example formatClassic(run) // 'Finished 1000 iterations in 2.934 seconds meaning 340.832 messages/second'
 */
export function formatClassic({ trial, elapsedMs, ending }) {
  const { iterations, samples } = trial;
  if (elapsedMs === undefined) {
    return formatUnfinished({ trial, ending }, `${samples.iteration.length} of ${iterations} iterations`);
  }
  const seconds = elapsedMs / 1000;
  const rate = (iterations / seconds).toFixed(3);
  return `Finished ${iterations} iterations in ${seconds.toFixed(3)} seconds meaning ${rate} messages/second`;
}

/**
 * @param {Pick<ClassicRun, 'trial' | 'ending'>} run that did not finish
 * @param {string} made how far it came
 * @returns {string} that, and what ended it
 */
export function formatUnfinished({ trial: { failures }, ending }, made) {
  const [failure] = failures;
  // In documents from before, what was cancelled is a failure.
  if (ending?.kind === 'cancelled' || failure?.outcome === 'aborted') return `Cancelled after ${made}.`;
  return ending ? `Ended after ${made}: ${ending.reason}` : `Failed after ${made}: ${failure.message}`;
}

/**
 * @param {string} text what was typed, or came by link
 * @returns {number}
 * @throws {RangeError} what, expected, got
 */
export function parseIterations(text) {
  const trimmed = text.trim();
  const iterations = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : NaN;
  if (iterations >= 1 && iterations <= MAX_ITERATIONS) return iterations;
  throw new RangeError(
    `Iterations: expected a whole number from 1 to ${MAX_ITERATIONS.toLocaleString('en')}, got ${trimmed === '' ? 'nothing' : `“${trimmed}”`}.`,
  );
}
