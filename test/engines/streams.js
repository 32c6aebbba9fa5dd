/** Streams by an engine's own connections: each method brings all pieces. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { problemOf } from '../../core/experiment/documents/problem.js';
import { stream } from '../../core/experiments/stream/index.js';
import { streamMethods } from '../../core/net/stream/index.js';

/** @import { useEngine } from './engines.js' */

const METHODS = Object.keys(streamMethods);
const PIECES = 30;
const PLAN = `methods=${METHODS}&pieces=${PIECES}&rate=50&interval=100&blocks=1&seed=1`;

/** @param {ReturnType<typeof useEngine>} engine */
export const testStreams = ({ measure }) =>
  it('gets an answer whole by each method', async () => {
    const run = await measure(stream, PLAN);
    assert.equal(run.ending, undefined);
    assert.equal(problemOf(stream, run), undefined);
    const counts = run.trials.map((/** @type {any} */ { streamedBy, streams }) => [streamedBy, streams[0].atMs.length]);
    assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(METHODS.map((method) => [method, PIECES])));
  });
