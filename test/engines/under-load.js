/** Loads by an engine's own connections: each transfer ends, and every small message beside it is answered. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { problemOf } from '../../core/experiment/documents/problem.js';
import { underLoad } from '../../core/experiments/under-load/index.js';
import { LOADS as ROWS } from '../../core/experiments/under-load/plan.js';

/** @import { useEngine } from './engines.js' */

const LOADS = 'unloaded,http-down,http6-down,ws-down,ws-down-16,http-up,ws-up,ws-up-16';
const PLAN = `loads=${LOADS}&transports=ajax,ws,same-socket,sockjs&down=4000000&up=4000000&seconds=2&blocks=1&seed=1`;

/** @param {ReturnType<typeof useEngine>} engine */
export const testLoads = ({ measure }) =>
  it('transfers a load of each kind, beside small messages that are all answered', async () => {
    const run = await measure(underLoad, PLAN);
    assert.equal(run.ending, undefined);
    assert.equal(problemOf(underLoad, run), undefined);
    assert.equal(run.trials.length, LOADS.split(',').length);
    const failures = run.trials.flatMap((/** @type {any} */ trial) => underLoad.readTrial(trial).failures);
    assert.deepEqual(failures, []);
    for (const { load, transfer } of run.trials) {
      if (load !== 'unloaded' && !ROWS[load].chunkBytes) assert.equal(transfer.byteCount, 4_000_000, load);
    }
  });
