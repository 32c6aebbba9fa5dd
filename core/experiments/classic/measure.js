/**
 * The experiment of 2012: N messages echoed one after the other. Its clock runs from the click to the last answer,
 * SockJS's connection included but not AJAX's, in whole milliseconds, as then.
 */
import { endingOf } from '../../experiment/documents/lone-trials.js';
import { runTrial } from '../../net/echo/trial.js';
import { SCHEMA } from './schema.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Measurement } from '../../experiment/contract.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { ClassicRecord } from './schema.js'
 * @typedef {Omit<ClassicRecord, 'startedAt' | 'wasHidden'>} ClassicRun `elapsedMs`: absent if it did not finish
 * @typedef {{ plan: { iterations: readonly number[] }, transport: Transport, now: Now, clickedAtMs: number, signal?:
 *   AbortSignal }} Options the first run is timed from `clickedAtMs`, the others from their start
 */

/** The first failure ends a run. @type {Measurement<Options, { iterations: number, index: number }, ClassicRun>} */
export const measurement = {
  schema: SCHEMA,
  trialsOf: ({ iterations }) => iterations.map((count, index) => ({ iterations: count, index })),
  async runTrial({ iterations, index }, { transport, now, clickedAtMs: pressedAtMs, progress, signal }) {
    const clickedAtMs = index === 0 ? pressedAtMs : now();
    const trial = await runTrial({ transport, now, iterations, progress, signal, maxFailuresInARow: 1 });
    return { trial, clickedAtMs, elapsedMs: elapsedOf({ trial, clickedAtMs }), ending: endingOf(trial, signal) };
  },
  watchFaults: () => ({
    look({ trial, elapsedMs }) {
      if (elapsedMs !== undefined) return undefined;
      return { kind: 'invalid', reason: trial.failures[0]?.message ?? 'It did not finish.' };
    },
  }),
};

/** Returns whole ms, at least 1; absent if it did not finish. @param {{ trial: ClassicRun['trial'], clickedAtMs: number }} run */
export function elapsedOf({ trial: { samples, iterations, startedAtMs }, clickedAtMs }) {
  if (samples.iteration.length < iterations) return undefined;
  const lastAnswerMs = startedAtMs + samples.sentAtMs[iterations - 1] + samples.roundTripMs[iterations - 1];
  return Math.max(1, Math.round(lastAnswerMs - clickedAtMs));
}
