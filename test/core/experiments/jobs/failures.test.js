import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useGolden } from '../../../support/golden.js';
import { DELIVERIES, measure, messagesOf, RTT_MS } from '../../../support/run-scripted-jobs.js';

/** @import { createScriptedJobs } from '../../../support/scripted-jobs.js' */

const matchGolden = useGolden(import.meta.url);

describe('failed jobs', () => {
  it('counts a job as late without a notification within the limit', async (t) => {
    const { trials, ending } = await measure({ deliveries: ['push'], minMs: 0, maxMs: 1000, limitMs: 500, users: 4 });
    const [{ notified, failures }] = trials;
    assert.ok(notified.durationMs.every((ms) => ms <= 500 - RTT_MS));
    assert.deepEqual(new Set(failures.map(({ outcome }) => outcome)), new Set(['timeout']));
    matchGolden(t, 'jobs', messagesOf(trials[0]));
    const jobs = [...notified.job, ...failures.map(({ job }) => job)].sort((a, b) => a - b);
    assert.deepEqual(jobs, [...jobs.keys()]);
    assert.equal(ending, undefined);
  });

  it('counts only the job as late whose poll was not answered', async () => {
    const request = (/** @type {string} */ kind, /** @type {number} */ number) =>
      kind === 'poll' && number === 3 ? 'silence' : undefined;
    const { trials } = await measure({ deliveries: ['poll'] }, { request: /** @type {any} */ (request) });
    assert.deepEqual(
      trials[0].failures.map(({ outcome }) => outcome),
      ['timeout'],
    );
    assert.equal(trials[0].notified.job.length, 9);
  });

  it('counts a job as late whose creation was not answered', async (t) => {
    const { trials } = await measure(
      { deliveries: ['poll'] },
      { request: (kind, number) => (kind === 'create' && number < 2 ? 'silence' : undefined) },
    );
    assert.deepEqual(
      trials[0].failures.map(({ outcome, createdAtMs }) => [outcome, createdAtMs]),
      Array(2).fill(['timeout', undefined]),
    );
    matchGolden(t, 'jobs', messagesOf(trials[0]));
  });

  /** @type {[string, string, Parameters<typeof createScriptedJobs>[1], number, string, RegExp][]} delivery, what, script, how many, outcome, what is said */
  const faults = [
    ['poll', 'a poll that is lost', { request: (kind, number) => (kind === 'poll' && number === 0 ? 'lost' : undefined) }, 1, 'closed', /scripted loss/],
    ['poll', 'a poll that is refused', { request: (kind, number) => (kind === 'poll' && number === 0 ? { status: 404, answer: { error: { message: 'No such job.' } } } : undefined) }, 1, 'rejected', /No such job/],
    ['long-poll', 'an answer without JSON', { request: (kind, number) => (kind === 'wait' && number === 0 ? { status: 200 } : undefined) }, 1, 'mismatch', /JSON/],
    ['poll', 'a creation without an id', { request: (kind, number) => (kind === 'create' && number === 0 ? { status: 201, answer: {} } : undefined) }, 1, 'mismatch', /got none/],
    ['sse', 'a creation that is refused', { request: (kind, number) => (kind === 'create' && number === 0 ? { status: 503 } : undefined) }, 1, 'rejected', /503/],
    ['sse', 'streams that break off', { message: (number) => (number === 0 ? 'close' : undefined) }, 10, 'closed', /stream of events/],
    ['sse', 'an event without JSON', { message: (number) => (number === 0 ? 'x' : undefined) }, 10, 'mismatch', /JSON/],
    ['socket-per-job', 'sockets that are refused', { refusesSocket: (path) => path === '/ws/job' }, 10, 'closed', /1006/],
    ['socket-per-job', 'sockets that break off', { message: () => 'close' }, 10, 'closed', /1006/],
    ['push', 'sockets that are refused', { refusesSocket: () => true }, 10, 'closed', /1006/],
    ['push', 'an error in the place of an answer', { message: (number) => (number === 1 ? '{"error":{"message":"Busy."}}' : undefined) }, 2, 'rejected', /Busy/],
    ['push', 'an answer without JSON', { message: (number) => (number === 1 ? 'x' : undefined) }, 2, 'mismatch', /got none/],
    ['sockjs', 'connections that are lost', { message: (number) => (number === 5 ? 'close' : undefined) }, 10, 'closed', /1006/],
  ]; // prettier-ignore
  for (const [delivery, what, script, failureCount, outcome, said] of faults) {
    it(`records '${outcome}' after ${what}: ${delivery}`, async () => {
      const { trials, state } = await measure({ deliveries: [delivery] }, script);
      const [{ notified, failures }] = trials;
      assert.deepEqual([failures.length, notified.job.length], [failureCount, 10 - failureCount]);
      for (const failure of failures) {
        assert.equal(failure.outcome, outcome);
        assert.match(failure.message, said);
      }
      assert.deepEqual([state.openCount, state.closedClientCount], [0, 2]);
    });
  }

  /** @type {Parameters<typeof createScriptedJobs>[1]} */
  const otherDuration = { answer: (answer) => ({ ...answer, durationMs: answer.durationMs + 1 }) };
  for (const delivery of DELIVERIES) {
    it(`records 'mismatch' for a job of another duration than the plan drew: ${delivery}`, async () => {
      const { trials } = await measure({ deliveries: [delivery], users: 1, jobs: 1 }, otherDuration);
      const [{ outcome, message }] = trials[0].failures;
      const [expectedMs, gotMs] = [...message.matchAll(/(\d+) ms/g)].map(([, ms]) => Number(ms));
      assert.deepEqual([outcome, gotMs], ['mismatch', expectedMs + 1]);
      assert.match(message, /^Expected a job /);
    });
  }

  it('says why each job failed', async (t) => {
    /** @type {string[]} */
    const said = [];
    for (const [delivery, what, script] of faults) {
      const { trials } = await measure({ deliveries: [delivery] }, script);
      said.push(`${delivery}, ${what}: ${messagesOf(trials[0]).join(' ')}`);
    }
    const { trials } = await measure({ deliveries: ['poll'], users: 1, jobs: 1 }, otherDuration);
    said.push(`poll, another duration: ${messagesOf(trials[0]).join(' ')}`);
    matchGolden(t, 'jobs', said);
  });
});
