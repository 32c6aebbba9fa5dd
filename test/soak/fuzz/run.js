/**
 * A run: many sequences, some at a time, against one server, until one of them finds something.
 */
import { playSequence } from './client.js';
import { findProblem } from './answers.js';
import { createSequence, seedOf } from './sequence.js';

/** @import { Known } from './requests.js' */

/** Connections at a time. */
const AT_ONCE = 32;

/**
 * @typedef {object} Run
 * @property {number} port
 * @property {Known} known
 * @property {number} seed
 * @property {number} count
 * @property {number} [first] index of the first sequence
 * @property {() => boolean} isOver something was found elsewhere
 * @property {(what: string) => void} onFailure
 */

/**
 * @param {Run} run
 * @returns {{ ended: Promise<number>, underWay(): string[] }} `ended` gives how many were played; `underWay`: those that are
 *   played now, as `seed/index`
 */
export function startRun({ port, known, seed, count, first = 0, isOver, onFailure }) {
  /** @type {Set<number>} */
  const playing = new Set();
  let next = first;
  let playedCount = 0;
  const play = async () => {
    while (next < first + count && !isOver()) {
      const index = next++;
      const sequence = createSequence(seedOf(seed, index), known);
      playing.add(index);
      const problem = findProblem(await playSequence(port, sequence), sequence);
      playing.delete(index);
      playedCount++;
      if (problem) onFailure(`sequence ${seed}/${index}: ${problem}`);
    }
  };
  return {
    ended: Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, play)).then(() => playedCount),
    underWay: () => [...playing].map((index) => `${seed}/${index}`),
  };
}
