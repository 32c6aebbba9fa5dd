/** Large transfers and the small messages beside them, against a real server: what comes before what, never how fast. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { createLoads } from '../../core/net/load/index.js';
import { openServer } from '../support/server.js';

/**
 * @import { LoadDirection } from '../../core/net/load/index.js'
 * @import { TestServer } from '../support/server.js'
 */

const KIB = 1024;
/** More than the buffers of a system on the way. */
const LARGE = 16_000_000;
const NO_END = new AbortController().signal;

/** @param {string} origin @param {LoadDirection} [direction] a run of downloads alone has nothing to upload */
const loadsTo = (origin, direction = 'up') =>
  createLoads({
    baseUrl: origin,
    maxBytes: direction === 'up' ? 2_000_000 : 0,
    WebSocket: /** @type {any} */ (WebSocket),
  });

describe('loads', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  /** @param {object[]} requests @returns {Promise<(string | number)[]>} texts, and sizes of binary messages */
  async function converse(requests) {
    const client = new WebSocket(`${server.origin.replace('http', 'ws')}/payload/ws/down`);
    await once(client, 'open');
    /** @type {(string | number)[]} */
    const got = [];
    const done = new Promise((resolve) => {
      client.on('message', (data, isBinary) => {
        const message = /** @type {Buffer} */ (data);
        got.push(isBinary ? message.length : message.toString());
        if (got.filter((one) => one !== '{"began":true}').length === requests.length) resolve(undefined);
      });
    });
    for (const request of requests) client.send(JSON.stringify(request));
    await done;
    client.close();
    return got;
  }

  it('are announced before they are sent, and small messages wait for them', async () => {
    const got = await converse([
      { bytes: LARGE, binary: true, announce: true },
      { bytes: 16, offset: 7 },
    ]);
    assert.deepEqual([got[0], got[1], String(got[2]).length], ['{"began":true}', LARGE, 16]);
    assert.deepEqual(await converse([{ bytes: 5, binary: true, announce: false }]), [5]);
  });

  it('are refused with an announcement that is neither true nor false, and over HTTP', async () => {
    for (const announce of [0, 1, 'true', null, {}]) {
      const [answer] = await converse([{ bytes: 0, announce }]);
      assert.equal(JSON.parse(String(answer)).error.code, 'bad-field', String(announce));
    }
    const unknown = await fetch(`${server.origin}/payload/down?bytes=10&announce=true`);
    assert.equal(unknown.status, 400);
  });

  for (const direction of /** @type {LoadDirection[]} */ (['down', 'up'])) {
    for (const chunkBytes of [16 * KIB, 256 * KIB, 2_000_000]) {
      it(`over a WebSocket, ${direction}, in chunks of ${chunkBytes}, beside small messages`, async () => {
        const socket = await loadsTo(server.origin, direction).open(direction, { signal: NO_END });
        /** @type {string[]} */
        const events = [];
        const note = (/** @type {string} */ event) => () => void events.push(event);
        const options = { bytes: 2_000_000, chunkBytes, isEnough: () => false, onFirst: note('first'), signal: NO_END };
        await socket.exchange({ index: 0, signal: NO_END });
        const transfer = socket.transfer(options);
        transfer.then(note('last'));
        const small = [1, 2, 3].map((index) => socket.exchange({ index, signal: NO_END }).then(note(`small ${index}`)));
        const [bytes] = await Promise.all([transfer, ...small]);
        assert.equal(bytes, 2_000_000);
        assert.equal(events.filter((event) => event === 'first').length, 1);
        assert.ok(events.indexOf('first') < events.indexOf('last'));
        const order = events.filter((event) => event.startsWith('small'));
        assert.deepEqual(order, ['small 1', 'small 2', 'small 3']);
        socket.close();
      });
    }

    for (const count of [1, 6]) {
      it(`over HTTP, ${direction}, by ${count} at once`, async () => {
        let firstCount = 0;
        const onFirst = () => firstCount++;
        await loadsTo(server.origin, direction).request(direction, {
          bytes: 1_000_001,
          count,
          onFirst,
          signal: NO_END,
        });
        assert.equal(firstCount, 1);
      });
    }

    it(`${direction} in chunks end early when there is enough, but not before the first chunk`, async () => {
      const socket = await loadsTo(server.origin, direction).open(direction, { signal: NO_END });
      const options = { bytes: 2_000_000, chunkBytes: 16 * KIB, onFirst() {}, signal: NO_END };
      assert.equal(await socket.transfer({ ...options, isEnough: () => true }), 16 * KIB);
      let lookCount = 0;
      // Two are begun with, and each that arrives is followed by another.
      assert.equal(await socket.transfer({ ...options, isEnough: () => ++lookCount > 3 }), 4 * 16 * KIB);
      // All has arrived: nothing waits for the rest.
      await socket.exchange({ index: 1, signal: NO_END });
      socket.close();
    });

    it(`${direction} keep two chunks under way, and no more`, async () => {
      /** @type {number[]} 1 for one that is sent, or asked for; −1 for one that has arrived */
      const log = [];
      class Watched extends WebSocket {
        /** @param {string} url */
        constructor(url) {
          super(url);
          this.on('message', (_, isBinary) => {
            if (isBinary || direction === 'up') log.push(-1);
          });
        }
        /** @param {any} data */
        send(data) {
          log.push(1);
          super.send(data);
        }
      }
      const loads = createLoads({
        baseUrl: server.origin,
        maxBytes: 2_000_000,
        WebSocket: /** @type {any} */ (Watched),
      });
      const socket = await loads.open(direction, { signal: NO_END });
      const options = { bytes: 500_000, chunkBytes: 16 * KIB, isEnough: () => false, onFirst() {}, signal: NO_END };
      await socket.transfer(options);
      let underWay = 0;
      const counts = log.map((change) => (underWay += change));
      assert.equal(Math.max(...counts), 2);
      assert.equal(counts.length, 2 * Math.ceil(500_000 / (16 * KIB)));
      socket.close();
    });

    it(`${direction} end at once with the signal’s reason`, async () => {
      const reason = new ExchangeError('aborted', 'Stopped.');
      const loads = loadsTo(server.origin);
      const socket = await loads.open(direction, { signal: NO_END });
      for (const begin of [
        (/** @type {AbortSignal} */ signal) =>
          loads.request(direction, { bytes: 2_000_000, count: 1, onFirst() {}, signal }),
        (/** @type {AbortSignal} */ signal) =>
          socket.transfer({ bytes: 2_000_000, chunkBytes: 16 * KIB, isEnough: () => false, onFirst() {}, signal }),
      ]) {
        const controller = new AbortController();
        const transfer = begin(controller.signal);
        controller.abort(reason);
        await assert.rejects(transfer, reason);
      }
      // Its rest would delay what comes after it.
      await assert.rejects(socket.exchange({ index: 1, signal: NO_END }), { outcome: 'closed' });
    });
  }
});

describe('loads of a server without room', () => {
  it('are refused, and the reason is said', async () => {
    const server = await openServer({ limits: { payloadBytes: 100_000 } });
    try {
      const loads = loadsTo(server.origin);
      const options = { bytes: 200_000, isEnough: () => false, onFirst() {}, signal: NO_END };
      await assert.rejects(loads.request('down', { ...options, count: 1 }), { outcome: 'rejected' });
      await assert.rejects(loads.request('up', { ...options, count: 1 }), { name: 'ExchangeError' });
      const socket = await loads.open('down', { signal: NO_END });
      await assert.rejects(socket.transfer({ ...options, chunkBytes: 200_000 }), { outcome: 'rejected' });
      // Each chunk is a message of its own.
      const other = await loads.open('down', { signal: NO_END });
      assert.equal(await other.transfer({ ...options, chunkBytes: 20_000 }), 200_000);
    } finally {
      await server.close();
    }
  });

  it('are held in chunks, so that a chunk’s room is enough', async () => {
    const server = await openServer({ limits: { payloadBytesInFlight: 1_000_000 } });
    try {
      const loads = loadsTo(server.origin);
      const options = { bytes: 4_000_000, isEnough: () => false, onFirst() {}, signal: NO_END };
      const socket = await loads.open('down', { signal: NO_END });
      await socket.transfer({ ...options, chunkBytes: 64 * KIB });
      await assert.rejects(socket.transfer({ ...options, chunkBytes: options.bytes }), { outcome: 'closed' });
    } finally {
      await server.close();
    }
  });
});
