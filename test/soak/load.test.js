/**
 * Loads of some messages to a server in this process.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createTally, sendAll } from '../../cli/load/send.js';
import { runProgram } from '../support/program.js';
import { openServer } from '../support/server.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { RequestListener } from 'node:http'
 * @import { LoadPlan } from '../../cli/load/index.js'
 * @import { TestServer } from '../support/server.js'
 */

const PLAN = { requests: 60, concurrency: 6, durationS: 60 };

/** @param {string} origin @param {LoadPlan['transport']} transport @param {AbortSignal} [signal] */
async function load(origin, transport, signal = new AbortController().signal) {
  const tally = createTally();
  await sendAll({ baseUrl: origin, plan: { ...PLAN, transport }, tally, signal });
  return tally;
}

/** @param {RequestListener} listener @param {(origin: string) => Promise<void>} use */
async function withHttp(listener, use) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a load', () => {
  /** @type {TestServer} */
  let site;
  before(async () => {
    site = await openServer();
  });
  after(() => site.close());

  for (const transport of /** @type {const} */ (['ajax', 'sockjs', 'websocket', 'ws'])) {
    it(`over ${transport} has a latency for each message`, async () => {
      const { latenciesMs, errors, completedCount, elapsedMs } = await load(site.origin, transport);
      assert.deepEqual([latenciesMs.length, completedCount, [...errors]], [PLAN.requests, PLAN.requests, []]);
      assert.ok(latenciesMs.every((ms) => ms > 0 && ms <= elapsedMs));
    });
  }

  it('sends nothing once it is ended', async () => {
    for (const transport of /** @type {const} */ (['ajax', 'ws'])) {
      assert.equal((await load(site.origin, transport, AbortSignal.abort())).completedCount, 0);
    }
  });

  it('counts errors by kind, and follows no redirect', async () => {
    let askedCount = 0;
    await withHttp(
      (req, res) => {
        askedCount++;
        if (askedCount <= 40) res.writeHead(302, { Location: site.origin + req.url }).end();
        else res.end('{"count":7}');
      },
      async (origin) => {
        const { latenciesMs, errors } = await load(origin, 'ajax');
        assert.deepEqual([latenciesMs, Object.fromEntries(errors)], [[], { 'status 302': 40, mismatch: 20 }]);
      },
    );
    assert.equal(askedCount, PLAN.requests);
  });

  it('counts each message of a connection that is closed without an answer', async () => {
    await withHttp(
      (req) => req.socket.destroy(),
      async (origin) => {
        const { latenciesMs, errors } = await load(origin, 'ajax');
        assert.deepEqual([latenciesMs, Object.fromEntries(errors)], [[], { closed: PLAN.requests }]);
      },
    );
  });

  it('counts a latency from its own message where connections are closed after each answer', async () => {
    await withHttp(
      (_req, res) => void setTimeout(() => res.writeHead(200, { Connection: 'close' }).end('{"count":2}'), 20),
      async (origin) => {
        const { latenciesMs, elapsedMs } = await load(origin, 'ajax');
        assert.ok(latenciesMs.length >= PLAN.concurrency, `${latenciesMs.length} answers`);
        // On each connection, no message is sent before the one before it is answered.
        const sumMs = latenciesMs.reduce((sum, ms) => sum + ms, 0);
        assert.ok(sumMs <= PLAN.concurrency * elapsedMs, `${sumMs} ms in ${elapsedMs} ms`);
      },
    );
  });

  it('tells why there is no connection', async () => {
    let left = '';
    await withHttp(
      () => {},
      async (origin) => void (left = origin),
    );
    const { errors } = await load(left, 'ajax');
    assert.deepEqual([...errors], [['ECONNREFUSED', PLAN.requests]]);
  });

  it('ends after its time, with 1 where nothing was answered by then', { timeout: 30_000 }, async () => {
    await withHttp(
      (req, res) => void (req.url?.endsWith('count=0') && res.end('{"count":1}')),
      async (origin) => {
        const args = ['load', '--url', origin, '--duration', '1'];
        const { code, out } = await runProgram('cli/sockshootout.js', args);
        assert.equal(code, 1);
        assert.match(out, /: only 0 of 10000 messages were sent\.\nEnded after 1 s \(--duration\)\.\n$/);
      },
    );
  });

  it('ends after its time with 0 where all that was sent was answered', { timeout: 30_000 }, async () => {
    const args = ['load', '--url', site.origin, '--requests', '1000000', '--concurrency', '2', '--duration', '1'];
    const { code, out, err } = await runProgram('cli/sockshootout.js', [...args, '--transport', 'ws', '--json']);
    assert.equal(code, 0, err);
    const { ending, rows } = JSON.parse(out);
    assert.equal(ending, 'Ended after 1 s (--duration).');
    assert.deepEqual([rows[0].isCutOff, rows[0].errors], [true, {}]);
    assert.ok(rows[0].answered > 0 && rows[0].answered === rows[0].completed);
  });

  it('tells what a server that takes no more sessions said', async () => {
    const full = await openServer({ limits: { sessionCount: 2 } });
    try {
      const { latenciesMs, errors, completedCount } = await load(full.origin, 'ws');
      assert.deepEqual(
        [latenciesMs.length, completedCount, Object.fromEntries(errors)],
        [PLAN.requests, PLAN.requests, { 'not connected (closed)': 4 }],
      );
    } finally {
      await full.close();
    }
  });

  it('refuses what is no SockShootout with 2, also where that leads to one', async () => {
    await withHttp(
      (req, res) => res.writeHead(302, { Location: site.origin + req.url }).end(),
      async (origin) => {
        const { code, out, err } = await runProgram('cli/sockshootout.js', ['load', '--url', origin]);
        assert.deepEqual([code, out], [2, ''], err);
        assert.match(err, /^--url: expected a SockShootout server at /);
      },
    );
  });
});
