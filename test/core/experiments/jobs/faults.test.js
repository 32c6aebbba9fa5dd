import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFault } from '../../../../core/experiment/run/faults.js';
import { jobs } from '../../../../core/experiments/jobs/index.js';
import { ExchangeError } from '../../../../core/net/exchange-error.js';
import { useGolden } from '../../../support/golden.js';
import { measure, PLAN, RTT_MS } from '../../../support/run-scripted-jobs.js';

/** @import { createScriptedJobs } from '../../../support/scripted-jobs.js' */

const matchGolden = useGolden(import.meta.url);

describe('runs with failed jobs', () => {
  it('ends a run as invalid where a connection is lost that had worked', async (t) => {
    /** @type {string[]} */
    const reasons = [];
    for (const [delivery, script] of /** @type {[string, Parameters<typeof createScriptedJobs>[1]][]} */ ([
      ['poll', { request: (kind, number) => (kind === 'poll' && number > 20 ? 'lost' : undefined) }],
      ['push', { message: (number) => (number === 7 ? 'close' : undefined) }],
    ])) {
      const plan = { deliveries: [delivery, 'socket-per-job'], seed: delivery === 'poll' ? 1 : 0 };
      const { trials, ending } = await measure(plan, script);
      const last = trials[trials.length - 1];
      assert.equal(ending?.kind, 'invalid');
      assert.match(String(ending?.reason), new RegExp(` lost in trial ${trials.length} of 2 `));
      assert.ok(last.failures.some(({ createdAtMs }) => Number(createdAtMs) > 0));
      reasons.push(String(ending?.reason));
    }
    matchGolden(t, 'jobs', reasons);
  });

  it('makes a run invalid where the server is gone when a trial begins', async (t) => {
    const plan = { ...PLAN, deliveries: ['poll', 'push'] };
    const { trials } = await measure(plan);
    const [first, { traffic, ...last }] = trials;
    const notified = Object.fromEntries(Object.keys(last.notified).map((name) => [name, []]));
    const failures = last.notified.job.map((job) => ({ job, outcome: 'closed', message: 'Refused.' }));
    const gone = /** @type {any} */ ({ ...last, notified, failures });
    assert.ok(traffic);
    const fault = findFault(jobs, { plan, trials: [first, { ...gone, trafficFault: 'unread' }] });
    assert.equal(fault?.kind, 'invalid');
    matchGolden(t, 'jobs', String(fault?.reason));
    // If the server can still be asked, the delivery method never worked.
    assert.equal(findFault(jobs, { plan, trials: [first, { ...gone, traffic }] }), undefined);
  });

  it('ends a run at once where the server no longer answers, in the warm-up or in a trial', async () => {
    const loss = new ExchangeError('closed', 'Nobody is there.');
    const reach = async () => {
      throw loss;
    };
    const lostPolls = (/** @type {number} */ from) => ({
      request: (/** @type {string} */ kind, /** @type {number} */ number) =>
        kind === 'poll' && number >= from ? /** @type {const} */ ('lost') : undefined,
    });
    await assert.rejects(measure({ deliveries: ['poll'] }, lostPolls(0), { reach, warmUpRounds: 1 }), loss);
    const { trials, ending, time } = await measure({ deliveries: ['poll', 'push'], seed: 1 }, lostPolls(5), { reach });
    const last = trials[trials.length - 1];
    assert.deepEqual([last.delivery, ending?.kind], ['poll', 'invalid']);
    assert.ok(last.failures.length > 1 && last.notified.job.length === 0);
    // The trial ends two polls of some 50 ms after it began.
    assert.ok(last.elapsedMs < 3 * (50 + RTT_MS), `${last.elapsedMs} ms`);
    assert.ok(time.now() > 0);

    const answering = await measure({ deliveries: ['poll'] }, lostPolls(5), { reach: async () => {} });
    assert.ok(answering.trials[0].elapsedMs > last.elapsedMs);
  });

  it('keeps a run valid where the server refused jobs before it created them', async () => {
    const refused = { refusesSocket: (/** @type {string} */ path) => path === '/ws/job' };
    const { trials, ending } = await measure({ deliveries: ['poll', 'socket-per-job'] }, refused);
    assert.deepEqual([trials.length, ending], [2, undefined]);
    assert.ok(trials.every(({ failures }) => failures.every(({ createdAtMs }) => createdAtMs === undefined)));
  });

  it('makes a run invalid where no delivery method notified of any job', async (t) => {
    const { trials, ending } = await measure(
      { deliveries: ['poll', 'push'] },
      { request: () => 'lost', refusesSocket: () => true },
    );
    assert.deepEqual([trials.length, ending?.kind], [2, 'invalid']);
    const reason = String(ending?.reason);
    const last = trials[1].failures.at(-1);
    assert.ok(reason.endsWith(`: ${last?.message}`), reason);
    matchGolden(t, 'jobs', reason);
  });
});
