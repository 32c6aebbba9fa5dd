import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAlarms } from '../../../server/endpoints/alarms.js';
import { ask, eventsOf, make, RUN } from '../../support/job-client.js';
import { withServer, withTwoWorkers } from '../../support/two-workers.js';
import { openWebSocket } from '../../support/web-socket.js';
import { withFolder } from '../../support/folder.js';

const WAITER = { visitor: '192.0.2.1', owned: { destroy() {} } };
describe('the origins that may create jobs', () => {
  const FRIEND = 'https://friend.example';
  const STRANGER = 'https://stranger.example';

  it('are only those of ALLOWED_ORIGINS where it is set, for every delivery method', () =>
    withServer({ env: { ALLOWED_ORIGINS: FRIEND } }, async ({ origin, port }) => {
      const { id } = await make(origin);
      for (const [method, target] of [
        ['POST', '/job'],
        ['GET', `/job/${id}`],
        ['GET', `/job/events?ids=${id}`],
        ['GET', '/jobs/info'],
        ['GET', `/traffic/${RUN}`],
      ]) {
        const friend = await ask(origin + target, { method, headers: { origin: FRIEND } });
        assert.ok(friend.status < 300, target);
        assert.equal(friend.headers.get('access-control-allow-origin'), FRIEND, target);
        const stranger = await ask(origin + target, { method, headers: { origin: STRANGER } });
        assert.deepEqual([stranger.status, stranger.answer.error.code], [403, 'origin-refused'], target);
      }
      for (const socketPath of ['/ws/job', '/ws/jobs', '/jobs/websocket', '/jobs/000/abc/websocket']) {
        const url = `ws://127.0.0.1:${port}${socketPath}`;
        (await openWebSocket(url, { origin: FRIEND })).close();
        await assert.rejects(openWebSocket(url, { origin: STRANGER }), /status 403/, socketPath);
      }
    }));

  it('are all by default, with CORS', () =>
    withServer({}, async ({ origin }) => {
      const { status, headers } = await ask(`${origin}/job`, { method: 'POST', headers: { origin: STRANGER } });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [201, '*']);
      assert.equal((await ask(`${origin}/job`, { method: 'OPTIONS', headers: { origin: STRANGER } })).status, 204);
    }));
});

describe('/metrics', () => {
  it('counts the jobs that were created, by transport', () =>
    withServer({}, async ({ origin, port }) => {
      for (let i = 0; i < 2; i++) await make(origin);
      (await openWebSocket(`ws://127.0.0.1:${port}/ws/job?max=0`)).close();
      const shared = await openWebSocket(`ws://127.0.0.1:${port}/ws/jobs`);
      for (const message of ['{}', '{}', '{}', 'wrong']) await shared.ask(message);
      const { text } = await ask(`${origin}/metrics`);
      assert.deepEqual(
        [...text.matchAll(/^sockshootout_jobs_total\{transport="(.*?)".*\} (\d+)$/gm)].map(([, ...pair]) => pair),
        [
          ['http', '2'],
          ['ws/job', '1'],
          ['ws/jobs', '3'],
        ],
      );
      shared.close();
    }));
});

describe('jobs that several servers know', () => {
  it('are created on one worker, and polled, long polled and streamed on the other', () =>
    withFolder((folder) =>
      withTwoWorkers(
        async ([first, second]) => {
          const made = await make(first.origin, `trial=${RUN}&min=40&max=40`);
          const notified = { ...made, complete: true, durationMs: 40 };
          const [polled, waited, streamed] = await Promise.all([
            ask(`${second.origin}/job/${made.id}`),
            ask(`${second.origin}/job/${made.id}?wait=25000`),
            ask(`${second.origin}/job/events?ids=${made.id}`),
          ]);
          assert.deepEqual(polled.answer, polled.answer.complete ? notified : made);
          assert.deepEqual(waited.answer, notified);
          assert.deepEqual(eventsOf(streamed.text), [notified]);
        },
        { DATA_DIR: folder },
      ),
    ));

  it('are those of servers with the same JOB_SECRET or the same store', () =>
    withFolder((folder) => {
      const shared = { JOB_SECRET: 'sixteen-or-more-characters' };
      return withServer({ env: shared }, (first) =>
        withServer({ env: shared }, (second) =>
          withServer({ env: { DATA_DIR: folder } }, (third) =>
            withServer({ env: { DATA_DIR: folder } }, async (fourth) => {
              const servers = [first, second, third, fourth];
              const ids = await Promise.all(servers.map(async ({ origin }) => (await make(origin)).id));
              const statuses = await Promise.all(
                servers.map(({ origin }) =>
                  Promise.all(ids.map(async (id) => (await ask(`${origin}/job/${id}`)).status)),
                ),
              );
              assert.deepEqual(statuses, [
                [200, 200, 404, 404],
                [200, 200, 404, 404],
                [404, 404, 200, 200],
                [404, 404, 200, 200],
              ]);
            }),
          ),
        ),
      );
    }));

  // Jobs outlast the process that made them, too: test/soak/jobs-process.test.js.
  it('outlast the server that made them', () =>
    withFolder(async (folder) => {
      const env = { DATA_DIR: folder };
      let made = { id: '' };
      await withServer({ env }, async ({ origin }) => (made = await make(origin, 'min=1&max=1')));
      await withServer({ env }, async ({ origin }) => {
        const { answer } = await ask(`${origin}/job/${made.id}?wait=25000`);
        assert.deepEqual(answer, { ...made, complete: true, durationMs: 1 });
      });
    }));
});

describe('an alarm', () => {
  it('never goes off before it is due, even where the timer is early', async () => {
    let nowMs = 1000;
    const alarms = createAlarms({ limit: 9, now: () => nowMs });
    /** @type {number[]} */
    const actedAtMs = [];
    await new Promise((resolve) => {
      alarms.at(WAITER, 1003, () => resolve(actedAtMs.push(nowMs)));
      // This clock runs at a third of the timer's speed.
      const clock = setInterval(() => nowMs++ >= 1003 && clearInterval(clock), 9);
    });
    assert.deepEqual(actedAtMs, [1003]);
    assert.equal(alarms.waitingCount(), 0);
  });

  it('gives its place back once, however often it is given up', () => {
    const alarms = createAlarms({ limit: 2, now: () => 0 });
    const act = () => assert.fail('it was given up');
    const giveUps = [1e6, 1e12].map((dueMs) => alarms.at(WAITER, dueMs, act));
    assert.throws(() => alarms.at(WAITER, 1e6, act), { code: 'busy' });
    for (const giveUp of [...giveUps, ...giveUps]) giveUp();
    assert.equal(alarms.waitingCount(), 0);
    const waits = [1e6, 1e12, 1e12].map((dueMs) => ({ dueMs, act }));
    assert.throws(() => alarms.atAll(WAITER, waits), { code: 'busy' });
    assert.equal(alarms.waitingCount(), 0, 'all or none');
    const giveUpBoth = alarms.atAll(WAITER, waits.slice(1));
    assert.equal(alarms.waitingCount(), 2);
    giveUpBoth();
    assert.equal(alarms.waitingCount(), 0);
  });
});
