import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { createRandom } from '../../core/base/random.js';
import { formatStreamQuery } from '../../core/net/stream/stream.js';
import { networkOf, Pool } from '../../server/http/pool.js';
import { ownerOf } from '../../server/workers.js';
import { createRecords } from '../../server/telemetry/records.js';
import { sendRaw } from '../support/raw-http.js';
import { withServer, workerEnv } from '../support/two-workers.js';
import { openWebSocket } from '../support/web-socket.js';

/**
 * @import { IncomingMessage, RequestOptions } from 'node:http'
 * @import { Limits } from '../../server/http/limits.js'
 * @import { TestServer } from '../support/server.js'
 * @typedef {{ status: number, close(): void, body: IncomingMessage }} Held an answer of which the head has come
 * @typedef {(server: TestServer, from: string) => Promise<(() => void) | undefined>} Hold takes a place of a pool, and gives
 *   what leaves it, where that takes no time; rejects with the status in the message
 */

const ATTACKER = '192.0.2.1';
const OTHER = '192.0.2.2';
const WAITING = 'min=600000&max=600000';

let lastId = 0;
const nextId = () => `session-${++lastId}`;

/** @param {string} from */
const headersOf = (from) => ({ 'X-Forwarded-For': from });

/** @param {number} port @param {string} path @param {RequestOptions} [options] @returns {Promise<Held>} */
async function send(port, path, options) {
  const asked = request({ host: '127.0.0.1', port, path, agent: false, ...options }).end();
  const [body] = await once(asked, 'response');
  asked.on('error', () => {});
  return { status: body.statusCode, close: () => asked.destroy(), body };
}

/** @param {Held} held @returns {Promise<() => void>} */
async function requireOk({ status, close }) {
  if (status === 200) return close;
  close();
  throw new Error(`status ${status}`);
}

/** @type {(path: string) => Hold} */
const socketAt = (path) => async (server, from) =>
  (await openWebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers: headersOf(from) })).close;

/** @type {(path: () => string) => Hold} */
const streamAt = (path) => async (server, from) =>
  requireOk(await send(server.port, path(), { headers: headersOf(from) }));

/** By polling, and so without a connection; its place is free only seconds after the last poll. @type {(prefix: string) => Hold} */
const sessionAt = (prefix) => async (server, from) => {
  const path = prefix.replace('ID', nextId());
  await requireOk(await send(server.port, path, { method: 'POST', headers: headersOf(from) }));
  return undefined;
};

/** As {@link sessionAt}, over Socket.IO. @type {(path: string) => Hold} */
const pollingAt = (path) => async (server, from) => {
  await requireOk(await send(server.port, `${path}&transport=polling`, { headers: headersOf(from) }));
  return undefined;
};

/** @param {TestServer} server */
async function makeJob({ origin }) {
  return (await (await fetch(`${origin}/job?${WAITING}`, { method: 'POST' })).json()).id;
}

/** A socket with a waiting job. @type {(path: string) => Hold} */
const jobOn = (path) => async (server, from) => askOver(server, { path, from, message: '{"min":600000,"max":600000}' });

/** @param {TestServer} server @param {{ path: string, from: string, message: string }} asked @returns {Promise<() => void>} */
async function askOver(server, { path, from, message }) {
  const { ask, close } = await openWebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers: headersOf(from) });
  const { error } = JSON.parse(await ask(message));
  if (!error) return close;
  close();
  throw new Error(`status ${error.code === 'too-many' ? 429 : 503}`);
}

/** @type {Hold} */
const jobStream = async (server, from) =>
  requireOk(await send(server.port, `/job/events?ids=${await makeJob(server)}`, { headers: headersOf(from) }));

/** Follows a feed that lasts. @type {(hold: (path: string) => Hold, path: string) => Hold} */
const feedOn = (hold, path) => async (server, from) => {
  const { id } = await (await fetch(`${server.origin}/feed?rate=1&count=180`, { method: 'POST' })).json();
  const withId = path.includes(':feed')
    ? path.replace(':feed', id)
    : `${path}${path.includes('?') ? '&' : '?'}feed=${id}`;
  return hold(withId)(server, from);
};

const STREAM = { pieces: 60, bytes: 1, rate: 1, spread: 0, seed: 1 };
const PIECES = formatStreamQuery(STREAM);

/** A socket with a stream under way. @type {(path: string) => Hold} */
const streamOn = (path) => async (server, from) => askOver(server, { path, from, message: JSON.stringify(STREAM) });

/** @type {Record<string, [limits: Partial<Limits>, hold: Hold][]>} */
const POOLS = {
  'the echoes': [
    [{ sessionCount: 8 }, socketAt('/ws')],
    [{ sessionCount: 8 }, socketAt('/echo/websocket')],
    [{ sessionCount: 8 }, socketAt('/echo2012/000/x/websocket')],
    [{ sessionCount: 8 }, sessionAt('/echo/000/ID/xhr')],
    [{ sessionCount: 8 }, socketAt('/socket.io/?EIO=4&transport=websocket')],
    [{ sessionCount: 8 }, pollingAt('/socket.io/?EIO=4')],
    [{ sessionCount: 8 }, streamAt(() => `/sse/${nextId()}`)],
  ],
  jobs: [
    [{ jobSessionCount: 8 }, socketAt('/ws/jobs')],
    [{ jobSessionCount: 8 }, socketAt(`/ws/job?${WAITING}`)],
    [{ jobSessionCount: 8 }, sessionAt('/jobs/000/ID/xhr')],
    [{ jobSessionCount: 8 }, socketAt('/socket.io/jobs/?EIO=4&transport=websocket')],
    [{ jobSessionCount: 8 }, pollingAt('/socket.io/jobs/?EIO=4')],
    [{ jobSessionCount: 8 }, jobStream],
  ],
  payload: [
    [{ payloadSocketCount: 8 }, socketAt('/payload/ws/up')],
    [{ payloadSocketCount: 8 }, socketAt('/payload/sockjs/000/x/websocket?direction=up')],
    [{ payloadSocketCount: 8 }, sessionAt('/payload/sockjs/000/ID/xhr?direction=up')],
    [{ payloadSocketCount: 8 }, socketAt('/payload/socket.io/?EIO=4&transport=websocket&direction=up')],
    [{ payloadSocketCount: 8 }, pollingAt('/payload/socket.io/?EIO=4&direction=up')],
  ],
  reach: [
    [{ reachSessionCount: 8 }, socketAt('/reach/ws?probe=probe-held')],
    [{ reachSessionCount: 8 }, streamAt(() => '/reach/events?count=100&interval=1000')],
  ],
  feeds: [
    [{ feedSessionCount: 8 }, feedOn(socketAt, '/ws/feed')],
    [{ feedSessionCount: 8 }, feedOn(sessionAt, '/feeds/000/ID/xhr')],
    [{ feedSessionCount: 8 }, feedOn(socketAt, '/socket.io/feeds/?EIO=4&transport=websocket')],
    [{ feedSessionCount: 8 }, feedOn(pollingAt, '/socket.io/feeds/?EIO=4')],
    [{ feedSessionCount: 8 }, feedOn((path) => streamAt(() => path), '/feed/:feed/events')],
  ],
  'sessions for streams': [
    [{ streamSessionCount: 8 }, socketAt('/ws/pieces')],
    [{ streamSessionCount: 8 }, sessionAt('/pieces/sockjs/000/ID/xhr')],
    [{ streamSessionCount: 8 }, socketAt('/pieces/socket.io/?EIO=4&transport=websocket')],
    [{ streamSessionCount: 8 }, pollingAt('/pieces/socket.io/?EIO=4')],
    [{ streamSessionCount: 8 }, streamAt(() => `/pieces?${PIECES}`)],
    [{ streamSessionCount: 8 }, streamAt(() => `/pieces/events?${PIECES}`)],
  ],
  'the pace of streams': [
    [{ streamPiecesPerSecond: 8 }, streamOn('/ws/pieces')],
    [{ streamPiecesPerSecond: 8 }, streamAt(() => `/pieces?${PIECES}`)],
    [{ streamPiecesPerSecond: 8 }, streamAt(() => `/pieces/events?${PIECES}`)],
  ],
  'waiting jobs': [
    [{ waitingJobCount: 8 }, socketAt(`/ws/job?${WAITING}`)],
    [{ waitingJobCount: 8 }, jobOn('/ws/jobs')],
    [{ waitingJobCount: 8 }, jobOn('/jobs/websocket')],
    [{ waitingJobCount: 8 }, jobStream],
  ],
};

describe('an address that takes all it can get', () => {
  for (const [name, ways] of Object.entries(POOLS)) {
    it(`leaves room for others among the places of ${name}, and has them again when it has gone`, async () => {
      for (const [limits, hold] of ways) {
        await withServer({ env: { TRUST_PROXY: '1' }, limits }, async (server) => {
          const leaves = [];
          for (let i = 0; i < 5; i++) leaves.push(await hold(server, ATTACKER));
          for (let i = 0; i < 2; i++) await assert.rejects(hold(server, ATTACKER), /status 429/);
          for (let i = 0; i < 3; i++) leaves.push(await hold(server, OTHER));
          await assert.rejects(hold(server, '192.0.2.3'), /status 503/);

          const metrics = await (await fetch(`${server.origin}/metrics`)).text();
          const counts = Object.fromEntries(
            [...metrics.matchAll(/errors_total\{code="([a-z-]+)".*?\} (\d+)/g)].map(([, code, count]) => [code, count]),
          );
          assert.deepEqual(counts, { 'too-many': '2', busy: '1' });
          if (leaves.includes(undefined)) return;
          for (const leave of leaves) leave?.();
          for (let i = 0; i < 5; i++) await untilHeld(() => hold(server, ATTACKER));
        });
      }
    });
  }

  it('has no long poll, and others have, while its jobs fill half of the places', () =>
    withServer({ env: { TRUST_PROXY: '1' }, limits: { waitingJobCount: 8 } }, async (server) => {
      for (let i = 0; i < 5; i++) await jobOn('/ws/jobs')(server, ATTACKER);
      const path = `/job/${await makeJob(server)}?wait=20`;
      const statuses = [ATTACKER, OTHER].map(async (from) => {
        const { status, close } = await send(server.port, path, { headers: headersOf(from) });
        close();
        return status;
      });
      assert.deepEqual(await Promise.all(statuses), [429, 200]);
    }));

  it('is one network where it has IPv6, and not another one in the two forms of an IPv4 address', () => {
    assert.equal(networkOf('2001:db8:1:2ff::1'), networkOf('2001:db8:1:200::'));
    assert.notEqual(networkOf('2001:db8:1:300::1'), networkOf('2001:db8:1:200::'));
    assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
  });
});

/** The server learns that a place is free a moment later. @param {() => Promise<unknown>} hold */
async function untilHeld(hold) {
  for (;;) {
    try {
      return await hold();
    } catch (error) {
      if (!/status (429|503)/.test(String(error))) throw error;
    }
  }
}

describe('a pool', () => {
  const pool = () => new Pool({ limit: 8, noun: 'places' });

  it('refuses an address only while more than half is taken and it has more than a quarter', () => {
    const places = pool();
    for (let i = 0; i < 5; i++) places.take('a');
    assert.throws(() => places.take('a'), { code: 'too-many', status: 429 });
    for (let i = 0; i < 3; i++) places.take('b');
    assert.throws(() => places.take('c'), { code: 'busy', status: 503 });
    assert.equal(places.takenCount, 8);
  });

  it('gives all that were asked for, or none, and takes each back once', () => {
    const places = pool();
    assert.throws(() => places.takeMany('a', 9), { code: 'busy' });
    const leaves = places.takeMany('a', 8);
    for (const leave of [...leaves, ...leaves]) leave();
    assert.equal(places.takenCount, 0);
    assert.equal(places.takeMany('b', 8).length, 8);
  });

  it('gives several that are left together', () => {
    const places = pool();
    const leave = places.take('a', 5);
    assert.throws(() => places.take('b', 4), { code: 'busy' });
    assert.equal(places.takenCount, 5);
    leave();
    leave();
    assert.equal(places.takenCount, 0);
  });
});

describe('an upgrade that is not made', () => {
  it('keeps no place, whoever refused it', () =>
    withServer({ limits: { sessionCount: 2, jobSessionCount: 2, waitingJobCount: 2 } }, async ({ port }) => {
      const head = (/** @type {string} */ path, extra = '') =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${extra}\r\n`;
      for (let i = 0; i < 4; i++) {
        // The library refuses the first two, the endpoint the last.
        const badProtocol = 'Sec-WebSocket-Protocol: ,\r\n';
        assert.match(await sendRaw(port, head('/ws', badProtocol)), /^HTTP\/1.1 400 /);
        assert.match(
          await sendRaw(port, head('/socket.io/?EIO=4&transport=websocket', badProtocol)),
          /^HTTP\/1.1 400 /,
        );
        assert.match(await sendRaw(port, head(`/ws/job?${WAITING}`, badProtocol)), /^HTTP\/1.1 400 /);
        assert.match(await sendRaw(port, head('/ws/job?min=x')), /^HTTP\/1.1 400 /);
        // No session comes of a receiver's request that SockJS refuses.
        await fetch(`http://127.0.0.1:${port}/echo/000/${nextId()}/jsonp`);
      }
      for (const path of ['/ws', `/ws/job?${WAITING}`]) {
        for (let i = 0; i < 2; i++) await openWebSocket(`ws://127.0.0.1:${port}${path}`);
      }
    }));
});

describe('what one worker hands on to another', () => {
  it('counts for its visitor, whatever the visitor says, and not for the worker', async () => {
    const port = await findFreePorts(3);
    const limits = { sessionCount: 8 };
    const envOf = (/** @type {number} */ index) => ({
      JOB_SECRET: 'a-secret-of-both-workers',
      ...workerEnv(index, port),
    });
    await withServer({ env: envOf(0), limits }, (first) =>
      withServer({ env: envOf(1), limits }, async () => {
        /** @param {string} localAddress @param {string} [claimed] */
        const open = async (localAddress, claimed) => {
          let id = nextId();
          while (ownerOf(id, 2) === 0) id = nextId();
          const headers = claimed ? { 'x-sockshootout-visitor': claimed } : {};
          const path = `/echo/000/${id}/xhr`;
          const { status, close } = await send(first.port, path, { method: 'POST', localAddress, headers });
          close();
          return status;
        };
        const statuses = [];
        for (let i = 0; i < 7; i++) statuses.push(await open('127.0.0.2', `127.0.0.${10 + i}`));
        assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
        assert.equal(await open('127.0.0.3'), 200);
      }),
    );
  });
});

describe('the records of an address', () => {
  /** @param {TestServer} server @param {string} path @param {string} from @param {string} [method] */
  const ask = async ({ origin }, path, from, method = 'GET') =>
    (await fetch(origin + path, { method, headers: headersOf(from) })).text();

  it('are not erased by all that another one makes', () =>
    withServer({ env: { TRUST_PROXY: '1' }, limits: { probeCount: 50, trafficTrialCount: 50 } }, async (server) => {
      for (let i = 0; i < 20; i++) {
        await ask(server, `/reach/ws?probe=measured-${i}`, OTHER);
        await ask(server, `/job?trial=${'m'.repeat(10)}${10 + i}`, OTHER, 'POST');
      }
      for (let i = 100; i < 201; i++) {
        await ask(server, `/reach/ws?probe=flood-${i}`, ATTACKER);
        await ask(server, `/job?trial=${'f'.repeat(9)}${i}`, ATTACKER, 'POST');
      }
      const plainCounts = [];
      const requestCounts = [];
      for (let i = 0; i < 20; i++) {
        plainCounts.push(JSON.parse(await ask(server, `/reach/seen?probe=measured-${i}`, OTHER)).plainCount);
        const { workers } = JSON.parse(await ask(server, `/traffic/${'m'.repeat(10)}${10 + i}`, OTHER));
        requestCounts.push(workers[0].requestCount);
      }
      assert.deepEqual([plainCounts, requestCounts], [Array(20).fill(1), Array(20).fill(1)]);
    }));

  it('are forgotten in the order in which they were touched, those of the address with most first', () => {
    let nowMs = 0;
    const records = createRecords({ count: 0 }, { keptMs: 100, maxCount: 5, now: () => nowMs });
    const known = () => ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].filter((name) => records.read(name).count > 0).join(' ');
    const open = (/** @type {string} */ name) => void records.open(name, () => name[0]).count++;
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'a1']) open(name);
    open('c1');
    assert.equal(known(), 'a1 a3 b1 b2 c1');
    nowMs = 100;
    open('b1');
    nowMs = 101;
    assert.equal(known(), 'b1');
  });

  it('are as those of a plain account, whatever comes', () => {
    const maxCount = 20;
    const records = createRecords({ count: 0 }, { keptMs: Infinity, maxCount, now: () => 0 });
    /** @type {string[]} names, the newest last: an address is their first letter */
    let account = [];
    const countOf = (/** @type {string} */ address) => account.filter((name) => name[0] === address).length;
    const random = createRandom(1);
    let goneCount = 0;
    for (let step = 0; step < 2000; step++) {
      // The later letters are the more frequent.
      const name = 'abcdefg'[Math.floor(7 * Math.sqrt(random()))] + Math.floor(11 * random());
      records.open(name, () => name[0]).count++;
      account = [...account.filter((one) => one !== name), name];
      const known = account.filter((one) => records.read(one).count > 0);
      const gone = account.filter((one) => !known.includes(one));
      assert.equal(known.length, Math.min(account.length, maxCount), `step ${step}`);
      for (const one of gone) {
        assert.equal(countOf(one[0]), Math.max(...[...'abcdefg'].map(countOf)), `step ${step}`);
        assert.equal(
          one,
          account.find(([address]) => address === one[0]),
          `step ${step}`,
        );
      }
      goneCount += gone.length;
      account = known;
    }
    assert.ok(goneCount > 100);
  });
});
