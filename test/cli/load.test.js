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
 * @import { LoadPlan } from '../../cli/load/options.js'
 * @import { TestServer } from '../support/server.js'
 */

const PLAN = { requests: 60, concurrency: 6, durationS: 60 };

/** @param {string} origin @param {LoadPlan['transport']} transport @param {AbortSignal} [signal] */
async function load(origin, transport, signal = new AbortController().signal) {
  const tally = createTally();
  await sendAll({ origin, plan: { ...PLAN, transport }, tally, signal });
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

  for (const transport of /** @type {const} */ (['ajax', 'sockjs', 'websocket'])) {
    it(`over ${transport} has a latency for each message`, async () => {
      const { latenciesMs, errors, completedCount, elapsedMs } = await load(site.origin, transport);
      assert.deepEqual([latenciesMs.length, completedCount, [...errors]], [PLAN.requests, PLAN.requests, []]);
      assert.ok(latenciesMs.every((ms) => ms > 0 && ms <= elapsedMs));
    });
  }

  it('sends nothing once it is ended', async () => {
    for (const transport of /** @type {const} */ (['ajax', 'websocket'])) {
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

  it('tells what a server that takes no more sessions said', async () => {
    const full = await openServer({ limits: { sessionCount: 2 } });
    try {
      const { latenciesMs, errors } = await load(full.origin, 'websocket');
      assert.deepEqual(
        [latenciesMs.length, Object.fromEntries(errors)],
        [PLAN.requests, { 'not connected (closed)': 4 }],
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
