import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { lagOf, TICK_MS } from '../../server/telemetry/metrics.js';
import { isFromWorker } from '../../server/workers.js';
import '../support/lean.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { withServer, withTwoWorkers, workerEnv } from '../support/two-workers.js';
import { openSession } from '../support/sockjs-session.js';
import { openWebSocket } from '../support/web-socket.js';

/**
 * @import { ServerResponse } from 'node:http'
 * @import { Status } from '../../core/net/status.js'
 */

/**
 * @param {{ origin: string }} server
 * @returns {Promise<Status>}
 */
const readStatus = async ({ origin }) => (await fetch(`${origin}/status`)).json();

/** @param {Status} status */
const echoCountOf = ({ workers }) => workers.reduce((sum, { echoCount }) => sum + echoCount, 0);

describe('/status', () => {
  it('says who answers and how its only worker does, and is not cached', () =>
    withServer({ env: { SERVER_LOCATION: 'Köln' } }, async ({ origin }) => {
      const response = await fetch(`${origin}/status`);
      assert.equal(response.headers.get('cache-control'), 'no-store, no-transform');
      assert.equal(response.headers.get('content-type'), 'application/json');
      const { workers, ...status } = await response.json();
      const { startedAt, ...whoami } = await (await fetch(`${origin}/ajaxecho?whoami=1`)).json();
      assert.deepEqual(status, { ...whoami, location: 'Köln', ipFamily: 4, silentWorkerCount: 0 });
      const [{ eventLoop, ...worker }] = workers;
      assert.deepEqual([workers.length, worker], [1, { worker: 0, startedAt, openSessions: 0, echoCount: 0 }]);
      assert.deepEqual(Object.keys(eventLoop), ['lagCount', 'lagTotalMs']);
      assert.equal(new Date(startedAt).toISOString(), startedAt);
    }));

  it('counts exactly the echoes that were answered, and the sessions that are open', () =>
    withServer({}, async (server) => {
      const { origin, port } = server;
      for (const target of ['/ajaxecho?count=1', '/xhr?count=1', '/ajaxecho?count=x', '/ajaxecho?whoami=1']) {
        await (await fetch(origin + target)).text();
      }
      const sockets = [
        await openWebSocket(`ws://127.0.0.1:${port}/ws`),
        await openWebSocket(`ws://127.0.0.1:${port}/echo/websocket`),
      ];
      for (const { ask } of sockets) for (let i = 0; i < 3; i++) await ask('{"count":1}');
      const { workers } = await readStatus(server);
      assert.deepEqual([workers[0].echoCount, workers[0].openSessions], [10, 2]);
      for (const socket of sockets) socket.close();
    }));

  it('answers for both workers, whichever is asked, and counts a relayed echo once', () =>
    withTwoWorkers(async ([first, second]) => {
      const before = await readStatus(first);
      assert.deepEqual(
        [before.worker, before.workers.map(({ worker }) => worker), before.silentWorkerCount],
        [0, [0, 1], 0],
      );
      await (await fetch(`${first.origin}/ajaxecho?count=1`)).text();
      await (await fetch(`${second.origin}/ajaxecho?count=1`)).text();
      // Half of the sessions are the other worker's.
      for (let i = 0; i < 6; i++) {
        const session = await openSession(`${first.origin}/echo`, 'xhr-polling');
        for (const count of [1, 2]) await session.ask({ count });
        session.close();
      }
      const after = await readStatus(second);
      assert.deepEqual([after.worker, after.workers.map(({ worker }) => worker)], [1, [0, 1]]);
      assert.equal(echoCountOf(after) - echoCountOf(before), 2 + 6 * 2);
    }));

  it('counts a worker that is down as silent', () =>
    withTwoWorkers(async ([first, second]) => {
      assert.equal((await readStatus(first)).silentWorkerCount, 0);
      await second.close();
      const { workers, silentWorkerCount } = await readStatus(first);
      assert.deepEqual([workers.map(({ worker }) => worker), silentWorkerCount], [[0], 1]);
    }));

  it('asks the workers once at a time however many visitors ask, and none gets what is older than the request', async () => {
    const port = await findFreePorts(3);
    /** @type {ServerResponse[]} */
    const asked = [];
    const worker = createServer((_req, res) => void asked.push(res)).listen(port + 2, '127.0.0.1');
    await once(worker, 'listening');
    /** @param {number} echoCount */
    const answerNext = (echoCount) => asked.shift()?.end(JSON.stringify({ worker: 1, echoCount }));
    try {
      await withServer({ env: workerEnv(0, port) }, async (server) => {
        const first = readStatus(server);
        await once(worker, 'request');
        const others = Array.from({ length: 20 }, () => readStatus(server));
        for (let i = 0; i < others.length; i++) await once(server.server, 'request');
        assert.equal(asked.length, 1);
        answerNext(7);
        await once(worker, 'request');
        answerNext(8);
        assert.equal((await first).workers[1].echoCount, 7);
        for (const status of await Promise.all(others)) assert.equal(status.workers[1].echoCount, 8);
        assert.equal(asked.length, 0);
      });
    } finally {
      worker.close();
    }
  });

  it('tells a loop that was blocked', () =>
    withServer({}, async (server) => {
      const BLOCKED_MS = 100;
      const readLag = async () => (await readStatus(server)).workers[0].eventLoop;
      // Lag is known from the first tick on.
      while ((await readLag()).lagCount === 0);
      const startMs = performance.now();
      const before = await readLag();
      const endMs = performance.now() + BLOCKED_MS;
      while (performance.now() < endMs);
      const after = await readLag();
      const elapsedMs = performance.now() - startMs;
      const tickCount = after.lagCount - before.lagCount;
      const lagMs = after.lagTotalMs - before.lagTotalMs;
      // One tick fell due while it was blocked, and the next may have come early: so it is however busy the machine is, as
      // no tick comes earlier than so long after the loop looked at its clock for the one before.
      assert.ok(lagMs >= BLOCKED_MS - 3 * TICK_MS, `${lagMs} ms over ${tickCount} ticks`);
      // All ticks and their lags together are no more than the time that passed, and the tick under way at its start.
      assert.ok(lagMs + (tickCount - 1) * TICK_MS <= elapsedMs + TICK_MS, `${lagMs} ms over ${tickCount} ticks`);
    }));

  for (const [env, address, family] of /** @type {[Record<string, string>, string, number | undefined][]} */ ([
    [{ TRUST_PROXY: '1' }, '2001:db8::1', 6],
    [{ TRUST_PROXY: '1' }, '203.0.113.9', 4],
    [{ TRUST_PROXY: '1' }, '::ffff:203.0.113.9', 4],
    [{ TRUST_PROXY: '1' }, 'unknown', undefined],
    [{}, '2001:db8::1', 4],
  ])) {
    it(`takes a visitor for ${family} whom a proxy that is ${env.TRUST_PROXY ? '' : 'not '}believed calls ${address}`, () =>
      withServer({ env }, async ({ origin }) => {
        const response = await fetch(`${origin}/status`, { headers: { 'x-forwarded-for': address } });
        assert.equal((await response.json()).ipFamily, family);
      }));
  }

  for (const [allowed, origin, status, cors] of /** @type {[string, string, number, string | null][]} */ ([
    ['*', 'https://a.example', 200, '*'],
    ['https://a.example', 'https://a.example', 200, 'https://a.example'],
    ['https://a.example', 'https://b.example', 403, 'https://b.example'],
  ])) {
    it(`answers ${status} to a page of ${origin} where ${allowed} may measure, as the echoes do`, () =>
      withServer({ env: { ALLOWED_ORIGINS: allowed } }, async (server) => {
        for (const path of ['/status', '/ajaxecho?count=1']) {
          const response = await fetch(server.origin + path, { headers: { origin } });
          assert.equal(response.status, status, path);
          assert.equal(response.headers.get('access-control-allow-origin'), cors, path);
        }
      }));
  }

  it('takes no other method than GET', () =>
    withServer({}, async ({ origin }) => {
      const response = await fetch(`${origin}/status`, { method: 'POST', body: 'x' });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET']);
    }));
});

describe('/status/own', () => {
  it('is answered to a worker at the own port, and to nobody else', () =>
    withTwoWorkers(async ([first], port) => {
      const own = `http://127.0.0.1:${port + 1}`;
      /** @param {string} origin @param {Record<string, string>} [headers] */
      const statusOf = async (origin, headers) => (await fetch(`${origin}/status/own`, { headers })).status;
      assert.equal(await statusOf(own), 200);
      assert.equal(await statusOf(own, { 'x-forwarded-for': '127.0.0.1' }), 404);
      assert.equal(await statusOf(first.origin), 404);
    }));

  it('is not there where there is but one worker', () =>
    withServer({}, async ({ origin }) => assert.equal((await fetch(`${origin}/status/own`)).status, 404)));

  it('takes none for a worker who comes from another machine', () => {
    const workers = { index: 0, count: 2, firstPort: 8001 };
    for (const [remoteAddress, expected] of /** @type {const} */ ([
      ['127.0.0.1', true],
      ['::ffff:127.0.0.1', true],
      ['::1', true],
      ['10.0.0.1', false],
      [undefined, false],
    ])) {
      const req = /** @type {any} */ ({ headers: {}, socket: { localPort: 8001, remoteAddress } });
      assert.equal(isFromWorker(req, workers), expected, remoteAddress);
    }
  });
});

describe('the lag of an event loop', () => {
  for (const [what, ticks, lagTotalMs] of /** @type {const} */ ([
    ['none before the first tick', { count: 0, mean: NaN }, 0],
    ['what ticks are late by', { count: 4, mean: 10.25e6 }, 1],
    ['none where they are early', { count: 4, mean: 9.8e6 }, 0],
  ])) {
    it(`is ${what}`, () => assert.deepEqual(lagOf(ticks), { lagCount: ticks.count, lagTotalMs }));
  }
});
