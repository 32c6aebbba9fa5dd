import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs, { mkdtemp, rename, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import express from 'express';
import { LIMITS } from '../../server/http/limits.js';
import { serveHealth } from '../../server/routes/status.js';
import { openStore } from '../../server/store/index.js';
import { FILE_NAME } from '../../server/store/sqlite.js';
import { createLinesLog } from '../support/lines-log.js';
import { askReady, openServer, spawnServer } from '../support/server.js';
import { openSocketioSession } from '../support/socketio-session.js';
import { openSession } from '../support/sockjs-session.js';

/** @import { AddressInfo } from 'node:net' */

const TOKEN = 'a-token-for-tests-only';

describe('/metrics', () => {
  it('counts echoes, sessions, requests and errors, and tells the event loop’s lag', async () => {
    const server = await openServer();
    try {
      for (const target of [
        '/ajaxecho?count=1',
        '/ajaxecho?count=2',
        '/ajaxecho?count=x',
        '/xhr?count=1',
        '/nothing',
      ]) {
        await (await fetch(server.origin + target)).text();
      }
      const session = await openSession(`${server.origin}/echo`, 'xhr-polling');
      await session.ask({ count: 1 });
      const text = await (await fetch(`${server.origin}/metrics`)).text();
      session.close();
      for (const line of [
        'sockshootout_echoes_total{transport="ajaxecho",worker="0"} 3',
        'sockshootout_echoes_total{transport="xhr",worker="0"} 1',
        'sockshootout_echoes_total{transport="sockjs xhr-polling",worker="0"} 1',
        'sockshootout_sessions_open{transport="sockjs xhr-polling",worker="0"} 1',
        'sockshootout_sessions_total{transport="sockjs xhr-polling",worker="0"} 1',
        'sockshootout_errors_total{code="bad-count",worker="0"} 1',
        'sockshootout_requests_total{status="404",worker="0"} 1',
      ]) {
        assert.ok(text.split('\n').includes(line), `${line}\nin\n${text}`);
      }
      assert.match(text, /^nodejs_eventloop_lag_p99_seconds\{worker="0"\} [\d.e-]+$/m);
    } finally {
      await server.close();
    }
  });

  for (const [
    who,
    env,
    headers,
    status,
  ] of /** @type {[string, Record<string, string>, Record<string, string>, number][]} */ ([
    ['this machine', {}, {}, 200],
    ['whoever comes through a proxy that is not known', {}, { 'x-forwarded-for': '127.0.0.1' }, 403],
    ['a stranger behind a known proxy', { TRUST_PROXY: '1' }, { 'x-forwarded-for': '203.0.113.9' }, 403],
    [
      'an allowed address',
      { TRUST_PROXY: '1', METRICS_ALLOW: '203.0.113.0/24' },
      { 'x-forwarded-for': '203.0.113.9' },
      200,
    ],
    [
      'a stranger with the token',
      { METRICS_TOKEN: TOKEN },
      { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${TOKEN}` },
      200,
    ],
    [
      'a stranger with another token',
      { METRICS_TOKEN: TOKEN },
      { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${TOKEN}x` },
      403,
    ],
  ])) {
    it(`${status === 200 ? 'answers' : 'refuses'} ${who}`, async () => {
      const server = await openServer({ env });
      try {
        for (const path of ['/metrics', '/metrics/own']) {
          assert.equal((await fetch(server.origin + path, { headers })).status, status, path);
        }
      } finally {
        await server.close();
      }
    });
  }
});

describe('/readyz', () => {
  it('says ready, and as soon as the server drains says so with 503', async () => {
    // It is not to matter how soon the next request comes.
    const server = await openServer({ limits: { idleGraceMs: 600_000, drainMs: 600_000 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async () => {
      const [res] = await once(get(`${server.origin}/readyz`, { agent }), 'response');
      let text = '';
      for await (const chunk of res) text += chunk;
      return [res.statusCode, res.headers.connection, JSON.parse(text).status];
    };
    assert.deepEqual(await ask(), [200, 'keep-alive', 'ready']);
    // The connection is back in the agent's hands a moment after its answer was read.
    await new Promise(setImmediate);
    const drained = server.close();
    // It is kept for a moment: the next request goes over it.
    assert.deepEqual(await ask(), [503, 'close', 'draining']);
    await drained;
  });

  it('says 503 where the store is gone, and why in the log alone; it comes back with the store', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    const { log, lines } = createLinesLog();
    const server = await openServer({ env: { DATA_DIR: dataDir }, limits: { storeCheckEveryMs: 0 }, log });
    const ask = () => askReady(server.origin);
    try {
      assert.deepEqual(await ask(), [200, { status: 'ready' }]);
      await rename(dataDir, `${dataDir}.away`);
      assert.deepEqual(await ask(), [503, { status: 'store unavailable', reason: 'unavailable' }]);
      await rename(`${dataDir}.away`, dataDir);
      assert.deepEqual(await ask(), [200, { status: 'ready' }]);
      assert.equal((await fetch(`${server.origin}/healthz`)).status, 200);
    } finally {
      await server.close();
      for (const folder of [dataDir, `${dataDir}.away`]) await rm(folder, { recursive: true, force: true });
    }
    const reasons = lines.filter(({ msg }) => msg === 'the store cannot be used');
    assert.deepEqual(
      reasons.map(({ err }) => [err.code, err.path]),
      [['ENOENT', path.join(dataDir, FILE_NAME)]],
    );
    // The check that failed has a line, those that passed have none.
    const requests = lines.filter(({ req }) => req);
    assert.deepEqual(
      requests.map(({ req, res }) => [req.url, res.status]),
      [['/readyz', 503]],
    );
  });

  it('says that the store is full where a run may not find room, although a row does', async (t) => {
    const { log, lines } = createLinesLog();
    const server = await openServer({ limits: { storeCheckEveryMs: 0 }, log });
    const statfs = t.mock.method(fs, 'statfs', async () => ({ bavail: 100, bsize: 4096, blocks: 100_000 }));
    syncBuiltinESMExports();
    try {
      assert.deepEqual(await askReady(server.origin), [503, { status: 'store unavailable', reason: 'full' }]);
      statfs.mock.restore();
      syncBuiltinESMExports();
      assert.deepEqual(await askReady(server.origin), [200, { status: 'ready' }]);
    } finally {
      statfs.mock.restore();
      syncBuiltinESMExports();
      await server.close();
    }
    assert.match(lines.find(({ err }) => err)?.err.message, /409600 bytes .*; free disk space/);
  });

  it('writes to the store once in a while, however many ask', async () => {
    const server = await openServer({ limits: { storeCheckEveryMs: 3_600_000 } });
    try {
      const { db } = server.database;
      const readRows = () => db.selectFrom('checks').selectAll().execute();
      await askReady(server.origin);
      const [written] = await readRows();
      await db.deleteFrom('checks').execute();
      const answers = await Promise.all(Array.from({ length: 50 }, () => askReady(server.origin)));
      assert.deepEqual(new Set(answers.map(([status]) => status)), new Set([200]));
      assert.deepEqual(await readRows(), []);
      assert.ok(written);
    } finally {
      await server.close();
    }
  });

  it('says 503 where the store does not answer in time, and the log says which, and what to do', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    const own = await openStore({ dataDir });
    const store = { ...own, check: () => new Promise(() => {}) };
    const { log, lines } = createLinesLog();
    const site = express();
    serveHealth(site, { isReady: () => true, store, limits: LIMITS, log, storeLimitMs: 20 });
    const server = site.listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = /** @type {AddressInfo} */ (server.address());
      assert.deepEqual(await askReady(`http://127.0.0.1:${port}`), [
        503,
        { status: 'store unavailable', reason: 'unavailable' },
      ]);
      const [{ err }] = lines;
      assert.equal(err.path, path.join(dataDir, FILE_NAME));
      assert.match(err.message, /no answer within 20 ms.*; check that its disk is mounted/);
    } finally {
      server.close();
      await own.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('node server.js', () => {
  /** @type {any[]} what it logged */
  const events = [];
  before(async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    const server = spawnServer({ DATA_DIR: dataDir });
    try {
      const origin = await server.origin((line) => events.push(JSON.parse(line)));
      assert.deepEqual(await askReady(origin), [200, { status: 'ready' }]);
      assert.equal((await fetch(`${origin}/healthz?t=1`)).status, 200);
      assert.equal((await fetch(`${origin}/healthz/none`)).status, 404);
      await (await fetch(`${origin}/ajaxecho?count=1`)).text();
      const session = await openSession(`${origin}/echo`, 'xhr-polling');
      await session.ask({ count: 1 });
      const overSocketio = await openSocketioSession(`${origin}/socket.io`);
      await overSocketio.upgraded;
      await overSocketio.ask({ count: 1 });
    } finally {
      await server.stop('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('logs a line per request off the echo paths that is no health check, and one per session of SockJS’s or Socket.IO’s, and nothing personal', () => {
    const requests = events.filter(({ req }) => req);
    assert.deepEqual(
      requests.map(({ req, res }) => [req.method, req.url, res.status]),
      [['GET', '/healthz/none', 404]],
    );
    const sessions = events.filter(({ msg }) => msg === 'sockjs session');
    assert.deepEqual(
      sessions.map(({ transport, messageCount }) => [transport, messageCount]),
      [['xhr-polling', 1]],
    );
    const overSocketio = events.filter(({ msg }) => msg === 'socketio session');
    assert.deepEqual(
      overSocketio.map(({ transport, messageCount }) => [transport, messageCount]),
      [['socketio websocket', 1]],
    );
    for (const { durationMs } of [...sessions, ...overSocketio]) assert.ok(durationMs >= 0);
    assert.doesNotMatch(JSON.stringify([requests, sessions, overSocketio]), /127\.0\.0\.1|user-agent|remoteAddress/i);
  });
});
