/** The rates of 2012: of a run, as they were published, and as a chart. */
import { DASHES } from '../../experiment/compare-reports.js';
import { labelOf } from '../../net/labels.js';

/**
 * @import { Chart } from '../../experiment/contract.js'
 * @import { ClassicRun } from './measure.js'
 * @typedef {{ ajax?: number, sockjs?: number, ratio?: number }} Figures messages per second as the line of 2012 has
 *   them, and SockJS's to AJAX's; absent where there are none
 * @typedef {Pick<ClassicRun, 'trial' | 'elapsedMs'>} Timed
 * @typedef {(typeof PUBLISHED)['localhost']} Published
 */

/**
 * Messages per second by iterations: `/ajaxtest` and `/socktest` of their day, on one laptop, and from California to a server
 * in London.
 */
export const PUBLISHED = {
  localhost: {
    name: 'localhost',
    /** @type {Readonly<Record<number, { ajax: number, sockjs: number }>>} */
    rates: {
      10: { ajax: 78.125, sockjs: 140.845 },
      100: { ajax: 298.507, sockjs: 1408.451 },
      1000: { ajax: 340.832, sockjs: 2145.923 },
    },
  },
  distance: {
    name: 'London from California',
    /** @type {Readonly<Record<number, { ajax: number, sockjs: number }>>} */
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
 * By iterations: of one page, or of the pages of several places.
 * @param {readonly { words: string, runs: readonly Timed[] }[]} places `words`: what stands beside the names of their
 *   transports @returns {Chart} of a number of iterations that was made more than once, the last
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
