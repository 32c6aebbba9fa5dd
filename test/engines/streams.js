/** Streams by an engine's own connections: each method brings all pieces. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOf } from '../../core/experiment/documents/problem.js';
import { stream } from '../../core/experiments/stream/index.js';
import { streamMethods } from '../../core/net/stream/index.js';
import { useEngine } from './engines.js';

/** @import { Engine } from '../support/smoke.js' */

const METHODS = Object.keys(streamMethods);
const PIECES = 30;
const PLAN = `methods=${METHODS}&pieces=${PIECES}&rate=50&interval=100&blocks=1&seed=1`;

/** @param {string} name that the site gives the browser @param {() => Promise<Engine>} open */
export function describeStreams(name, open) {
  describe(`in ${name} an answer`, () => {
    const measure = useEngine(open, stream);

    it('comes whole by each method', async () => {
      const run = await measure(PLAN);
      assert.equal(run.ending, undefined);
      assert.equal(problemOf(stream, run), undefined);
      const counts = run.trials.map((/** @type {any} */ { streamedBy, streams }) => [
        streamedBy,
        streams[0].atMs.length,
      ]);
      assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(METHODS.map((method) => [method, PIECES])));
    });
  });
}
