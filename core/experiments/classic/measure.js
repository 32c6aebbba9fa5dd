/**
 * The experiment of 2012: N messages echoed one after the other. Its clock runs from the click to the last answer,
 * SockJS's connection included but not AJAX's, in whole milliseconds, as then.
 */
import { DASHES } from '../../experiment/compare-reports.js';
import { integer, parseField } from '../../experiment/fields.js';
import { endingOf, formatUnfinished } from '../../experiment/lone-trials.js';
import { runTrial } from '../../net/echo/trial.js';
import { labelOf } from '../../net/labels.js';

/**
 * @import { Chart, Measurement } from '../../experiment/contract.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { ClassicRecord } from './index.js'
 * @typedef {Omit<ClassicRecord, 'startedAt' | 'wasHidden'>} ClassicRun `elapsedMs`: absent where it did not finish
 * @typedef {{ plan: { iterations: readonly number[] }, transport: Transport, now: Now, clickedAtMs: number, signal?:
 *   AbortSignal }} Options the first run counts from `clickedAtMs`, the others from the moment in which they begin
 * @typedef {{ ajax?: number, sockjs?: number, ratio?: number }} Figures messages per second by the clock of 2012
 * @typedef {Pick<ClassicRun, 'trial' | 'elapsedMs'>} Timed
 * @typedef {{ name: string, rates: Readonly<Record<number, { ajax: number, sockjs: number }>> }} Published
 */

export const SCHEMA = 'sockshootout/classic/2';

/** The page of each transport. @type {Readonly<Record<string, string>>} */
export const PATHS = Object.freeze({ ajax: '/ajaxtest', sockjs: '/socktest' });

export const ITERATIONS = integer({ parameter: 'Iterations', label: 'Iterations', min: 1, max: 100_000 });

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

/** Whole ms, at least 1; absent where it did not finish. @param {Pick<ClassicRun, 'trial' | 'clickedAtMs'>} run */
export function elapsedOf({ trial: { samples, iterations, startedAtMs }, clickedAtMs }) {
  if (samples.iteration.length < iterations) return undefined;
  const lastAnswerMs = startedAtMs + samples.sentAtMs[iterations - 1] + samples.roundTripMs[iterations - 1];
  return Math.max(1, Math.round(lastAnswerMs - clickedAtMs));
}

/** As in 2012: 'Finished 1000 iterations in 2.934 seconds meaning 340.832 messages/second'. @param {ClassicRun} run */
export function formatClassic({ trial, elapsedMs, ending }) {
  const { iterations, samples } = trial;
  if (elapsedMs === undefined) {
    return formatUnfinished({ trial, ending }, `${samples.iteration.length} of ${iterations} iterations`);
  }
  const seconds = elapsedMs / 1000;
  const rate = (iterations / seconds).toFixed(3);
  return `Finished ${iterations} iterations in ${seconds.toFixed(3)} seconds meaning ${rate} messages/second`;
}

/** Typed, or from a link. @param {string} text @returns {number} @throws {InvalidInputError} what, expected, got */
export const parseIterations = (text) => parseField(text, ITERATIONS);

/**
 * Messages per second by iterations, on one laptop, and from California to a server in London.
 * @type {Readonly<Record<'localhost' | 'distance', Published>>}
 */
export const PUBLISHED = {
  localhost: {
    name: 'localhost',
    rates: {
      10: { ajax: 78.125, sockjs: 140.845 },
      100: { ajax: 298.507, sockjs: 1408.451 },
      1000: { ajax: 340.832, sockjs: 2145.923 },
    },
  },
  distance: {
    name: 'London from California',
    rates: {
      10: { ajax: 4.462, sockjs: 1.752 },
      100: { ajax: 3.571, sockjs: 4.295 },
      1000: { ajax: 3.791, sockjs: 4.391 },
    },
  },
};

/** From the click to the last answer. @param {Timed} [run] @returns {number | undefined} absent where it did not finish */
export function rateOf(run) {
  return run?.elapsedMs === undefined ? undefined : run.trial.iterations / (run.elapsedMs / 1000);
}

/** @param {Omit<Figures, 'ratio'>} rates @returns {Figures} */
export function withRatio({ ajax, sockjs }) {
  return { ajax, sockjs, ratio: ajax === undefined || sockjs === undefined ? undefined : sockjs / ajax };
}

/**
 * Of a number of iterations that was made more than once, the last.
 * @param {readonly { words: string, runs: readonly Timed[] }[]} places `words`: beside their transports @returns {Chart}
 */
export function chartOf(places) {
  const counts = places.flatMap(({ runs }) => runs.map(({ trial }) => trial.iterations));
  const values = [...new Set(counts)].sort((a, b) => a - b);
  return {
    caption: 'Messages per second by iterations; higher is faster',
    x: { title: 'iterations', logBase: 10 },
    y: { title: 'messages/s', logBase: 10 },
    values,
    lines: places.flatMap(({ words, runs }, place) =>
      [...new Set(runs.map(({ trial }) => trial.transport))].map((transport) => ({
        label: [labelOf(transport), words].filter(Boolean).join(', '),
        colour: transport,
        dash: DASHES[place % DASHES.length],
        hasPoints: true,
        values: values.map((count) => {
          const run = runs.findLast(({ trial }) => trial.transport === transport && trial.iterations === count);
          return rateOf(run) || null;
        }),
      })),
    ),
  };
}
