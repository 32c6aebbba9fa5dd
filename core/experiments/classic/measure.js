/**
 * The experiment of 2012: N messages echoed one after the other, and how long that took.
 *
 * Its clock runs from the click to the last answer, SockJS's connection included but not AJAX's, in whole milliseconds.
 * That is kept as it was, so that the figures can be set beside the published ones; the trial's summary shows
 * what it leaves out.
 */
import { endingOf, formatUnfinished } from '../../experiment/lone-trials.js';
import { runTrial } from '../../net/echo/trial.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Ending, Measurement } from '../../experiment/run.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Progress, Trial } from '../../net/echo/trial.js'
 */

export const MAX_ITERATIONS = 100_000;

/** Of a document, and so of a plan that repeats one. */
export const MAX_RUNS = 1000;

/**
 * @typedef {object} ClassicRun
 * @property {Trial} trial
 * @property {number} clickedAtMs the clock at the click
 * @property {number} [elapsedMs] whole milliseconds, at least 1; absent where the run did not finish
 * @property {Ending} [ending] absent where it finished or failed
 *
 * @typedef {{ iterations: number, index: number }} PlannedRun
 *
 * @typedef {object} Options
 * @property {{ iterations: readonly number[] }} plan
 * @property {Transport} transport
 * @property {Now} now
 * @property {number} clickedAtMs the clock at the click, from which the first run counts; the others count from the moment in
 *   which they begin
 * @property {AbortSignal} [signal] ends it, with an Ending as its reason
 */

/**
 * All that one press asks for. A run that does not finish keeps the next from being made.
 *
 * @type {Measurement<Options, PlannedRun, ClassicRun>}
 */
export const measurement = {
  schema: 'sockshootout/classic/2',
  trialsOf: ({ iterations }) => iterations.map((count, index) => ({ iterations: count, index })),
  runTrial: runClassic,
  watchFaults: () => ({
    look({ trial, elapsedMs }) {
      if (elapsedMs !== undefined) return undefined;
      return { kind: 'invalid', reason: trial.failures[0]?.message ?? 'It did not finish.' };
    },
  }),
};

/**
 * The first failure ends it, as nothing can be said of the time then.
 * @param {PlannedRun} planned @param {Options & { progress: Progress }} options @returns {Promise<ClassicRun>}
 */
async function runClassic({ iterations, index }, { transport, now, clickedAtMs: pressedAtMs, progress, signal }) {
  const clickedAtMs = index === 0 ? pressedAtMs : now();
  const trial = await runTrial({ transport, now, iterations, progress, signal, maxFailuresInARow: 1 });
  return { trial, clickedAtMs, elapsedMs: elapsedOf({ trial, clickedAtMs }), ending: endingOf(trial, signal) };
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
