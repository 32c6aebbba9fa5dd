/** What the pages of 2012 show. */
import assert from 'node:assert/strict';
import { formatClassic } from '../../core/experiments/classic/report.js';

/**
 * Reads a log of finished runs, each `start!` and one line, and makes every line again from its iterations and its time.
 *
 * @param {string} log
 * @returns {number[]} the iterations of each run
 */
export function parseLog(log) {
  const lines = log.trimEnd().split('\n');
  return lines.flatMap((line, index) => {
    if (index % 2 === 0) {
      assert.equal(line, 'start!');
      return [];
    }
    const [iterations, seconds] = (line.match(/\d+(\.\d+)?/g) ?? []).map(Number);
    assert.ok(seconds >= 0.001, line);
    const trial = /** @type {any} */ ({ iterations, samples: { iteration: [] }, failures: [] });
    assert.equal(line, formatClassic({ trial, clickedAtMs: 0, elapsedMs: Math.round(seconds * 1000) }));
    return [iterations];
  });
}
