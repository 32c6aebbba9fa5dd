/**
 * A run from Node.js, by what its client prepares.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureInNode } from '../../cli/run/measure.js';

/** Three trials, which `runTrial` makes. @param {() => Promise<object>} runTrial */
const experimentOf = (runTrial) =>
  /** @type {any} */ ({
    schema: 'sockshootout/scripted/1',
    trialsOf: () => [1, 2, 3].map((block) => ({ block })),
    runTrial,
    watchFaults: () => ({ look() {} }),
    readTrial: () => ({ answerCount: 1, failures: [] }),
    progressOf: (/** @type {any} */ { block }) => ({ label: `number ${block}`, totalCount: 1 }),
  });

/** @param {() => Promise<object>} runTrial @param {object} [callbacks] of the client */
async function measure(runTrial, callbacks) {
  /** @type {string[]} */
  const seen = [];
  const progress = /** @type {any} */ ({ start: (/** @type {any} */ { title }) => seen.push(title) });
  const prepareRun = async () => ({ ...callbacks, close: () => seen.push('closed') });
  const run = { baseUrl: 'http://127.0.0.1:1', plan: {}, progress, signal: new AbortController().signal };
  const ended = await measureInNode(experimentOf(runTrial), { prepareRun }, run).catch((error) => error.message);
  return { seen, ended };
}

describe('what a client prepares', () => {
  it('is closed when the run is over', async () => {
    const { seen, ended } = await measure(async () => ({}));
    assert.equal(ended.trials.length, 3);
    assert.deepEqual(seen, [...[1, 2, 3].map((n) => `trial ${n} of 3: number ${n}`), 'closed']);
  });

  it('is closed, too, where a fault of the program ends it', async () => {
    const fail = async () => {
      throw new Error('A fault.');
    };
    const { seen, ended } = await measure(fail);
    assert.deepEqual([ended, seen.at(-1)], ['A fault.', 'closed']);
  });

  it('can show by itself how far the run is', async () => {
    const { seen } = await measure(async () => ({}), { onTrialStart() {} });
    assert.deepEqual(seen, ['closed']);
  });
});
