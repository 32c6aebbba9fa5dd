/** The rates of 2012 by iterations: of one page, or of the pages of several places. */
import { labelOf } from '../../net/labels.js';
import { rateOf } from './rates.js';

/**
 * @import { Chart, Line } from '../../experiment/contract.js'
 * @import { ClassicRun } from './measure.js'
 */

/** One for each place. */
const DASHES = [undefined, [6, 4], [2, 3], [10, 3, 2, 3], [14, 6]];

/**
 * @param {readonly { words: string, runs: readonly Pick<ClassicRun, 'trial' | 'elapsedMs'>[] }[]} places `words`: what stands
 *   beside the names of their transports
 * @returns {Chart} of a number of iterations that was made more than once, the last
 */
export function chartOf(places) {
  const counts = places.flatMap(({ runs }) => runs.map(({ trial }) => trial.iterations));
  const values = [...new Set(counts)].sort((a, b) => a - b);
  return {
    caption: 'Messages per second by iterations; higher is faster',
    x: { title: 'iterations', logBase: 10 },
    y: { title: 'messages/s', logBase: 10 },
    values,
    lines: places.flatMap((place, i) => linesOf(place, values, DASHES[i % DASHES.length])),
  };
}

/**
 * @param {Parameters<typeof chartOf>[0][0]} place
 * @param {readonly number[]} values
 * @param {readonly number[]} [dash]
 * @returns {Line[]}
 */
function linesOf({ words, runs }, values, dash) {
  const transports = [...new Set(runs.map(({ trial }) => trial.transport))];
  return transports.map((transport) => ({
    label: [labelOf(transport), words].filter(Boolean).join(', '),
    colour: transport,
    dash,
    hasPoints: true,
    values: values.map((count) => {
      const run = runs.findLast(({ trial }) => trial.transport === transport && trial.iterations === count);
      return rateOf(run) || null;
    }),
  }));
}
