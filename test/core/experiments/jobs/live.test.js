import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { measureDocument } from '../../../support/jobs-report.js';

it('a run of jobs is shown live as the notifications of each delivery method so far', async () => {
  const { plan, trials } = await measureDocument(
    { deliveries: ['poll', 'sse'], users: 1, jobs: 4, maxMs: 1000, blocks: 6 },
    { roundTripMs: 90 },
  );
  const seen = (/** @type {number} */ trialCount) =>
    jobs.live({ plan, trials: trials.slice(0, trialCount) }).map(({ result, word }) => [result, word]);
  assert.deepEqual(seen(0), [
    ['waiting', '0 of 24 notified'],
    ['waiting', '0 of 24 notified'],
  ]);
  assert.deepEqual(seen(2), [
    ['waiting', '4 of 24 notified'],
    ['waiting', '4 of 24 notified'],
  ]);
  assert.deepEqual(seen(12), [
    ['pass', '24 of 24 notified'],
    ['pass', '24 of 24 notified'],
  ]);
});
