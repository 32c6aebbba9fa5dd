import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measurement } from '../../../../core/experiments/stream/measure.js';
import { planOf } from '../../../support/streams.js';
import { withServer } from '../../../support/two-workers.js';

/** @import { StreamClient } from '../../../../core/net/stream/index.js' */

/**
 * Measures two blocks with fetch, whose first answer is that of a server that restarts.
 * @param {string} origin
 */
async function measureFailingOnce(origin) {
  const plan = planOf('methods=fetch&pieces=5&rate=0&blocks=2');
  let askedCount = 0;
  /** @type {any} */
  const given = { baseUrl: origin, protocol: () => 'http/1.1' };
  /** @type {StreamClient} */
  const client = {
    ...given,
    fetch: async (url, init) => (askedCount++ === 0 ? new Response('{}', { status: 503 }) : fetch(url, init)),
  };
  const readTraffic = async () => assert.fail();
  const options = { plan, createClient: () => client, readTraffic, now: () => performance.now() };
  const shared = measurement.open?.(options);
  const trials = [];
  for (const planned of measurement.trialsOf(plan))
    trials.push(await measurement.runTrial(planned, { ...options, shared, progress: { completedCount: 0 } }));
  return { trials, askedCount };
}

describe('a run of streams', () => {
  it('warms a method up again where its warm-up failed, and measures nothing before', () =>
    withServer({}, async ({ origin }) => {
      const { trials, askedCount } = await measureFailingOnce(origin);
      assert.deepEqual(
        trials.map((trial) => [trial?.streams[0].atMs.length, trial?.streams[0].failure?.outcome]),
        [
          [0, 'rejected'],
          [5, undefined],
        ],
      );
      // The warm-up that failed, another one, and the trial.
      assert.equal(askedCount, 3);
    }));
});
