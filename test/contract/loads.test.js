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
  createLoads({ origin, maxBytes: direction === 'up' ? 2_000_000 : 0, WebSocket: /** @type {any} */ (WebSocket) });

describe('loads', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  /** @param {object[]} requests @param {{ isReadLate?: boolean }} [options] @returns {Promise<(string | number)[]>} texts, and sizes of binary messages */
  async function converse(requests, { isReadLate = false } = {}) {
    const client = new WebSocket(`${server.origin.replace('http', 'ws')}/payload/ws/down`);
    await once(client, 'open');
    /** @type {(string | number)[]} */
    const got = [];
    const [{ bytes }] = /** @type {any[]} */ (requests);
    const done = new Promise((resolve) => {
      client.on('message', (data, isBinary) => {
        const message = /** @type {Buffer} */ (data);
        got.push(isBinary ? message.length : message.toString());
        const sum = got.reduce((/** @type {number} */ total, one) => total + (typeof one === 'number' ? one : 0), 0);
        const textCount = got.filter((one) => typeof one === 'string').length;
        if (sum === bytes && textCount === requests.length) resolve(undefined);
      });
    });
    if (isReadLate) client.pause();
    for (const request of requests) client.send(JSON.stringify(request));
    if (isReadLate) {
      // The server has filled the buffers on the way, and waits.
      await new Promise((resolve) => setTimeout(resolve, 200));
      client.resume();
    }
    await done;
    client.close();
    return got;
  }

  it('in chunks let a small message in between, and as one message do not', async () => {
    const small = { bytes: 16, offset: 7 };
    const download = { bytes: LARGE, binary: true };
    const whole = await converse([{ ...download, chunk: LARGE }, small], { isReadLate: true });
    assert.deepEqual([whole[0], whole[1], String(whole[2]).length], ['{"began":true}', LARGE, 16]);
    const chunked = await converse([{ ...download, chunk: 64 * KIB }, small], { isReadLate: true });
    assert.equal(chunked[0], '{"began":true}');
    const place = chunked.findIndex((one, i) => i > 0 && typeof one === 'string');
    assert.ok(place > 0 && place < chunked.length - 1, `${place} of ${chunked.length}`);
    assert.equal(chunked.filter((one) => one === 64 * KIB).length, Math.floor(LARGE / (64 * KIB)));
  });

  it('are refused where a chunk is no size, or another download in chunks goes on', async () => {
    const download = { bytes: 1_000_000, binary: true, chunk: 16 * KIB };
    const texts = (await converse([download, download])).filter((one) => typeof one === 'string');
    assert.equal(texts[0], '{"began":true}');
    assert.equal(JSON.parse(String(texts[1])).error.code, 'busy');
    for (const chunk of [0, 1023, 17 * KIB * KIB, 2048.5, '2048', null]) {
      const [answer] = await converse([{ bytes: 0, chunk }]);
      assert.equal(JSON.parse(String(answer)).error.code, 'bad-field', String(chunk));
    }
    const unknown = await fetch(`${server.origin}/payload/down?bytes=10&chunk=2048`);
    assert.equal(unknown.status, 400);
  });

  for (const direction of /** @type {LoadDirection[]} */ (['down', 'up'])) {
    for (const chunkBytes of [16 * KIB, 256 * KIB, 2_000_000]) {
      it(`over a WebSocket, ${direction}, in chunks of ${chunkBytes}, beside small messages`, async () => {
        const socket = await loadsTo(server.origin, direction).open(direction, { signal: NO_END });
        /** @type {string[]} */
        const events = [];
        const note = (/** @type {string} */ event) => () => void events.push(event);
        const options = { bytes: 2_000_000, chunkBytes, onFirst: note('first'), signal: NO_END };
        await socket.exchange({ index: 0, signal: NO_END });
        const transfer = socket.transfer(options).then(note('last'));
        const small = [1, 2, 3].map((index) => socket.exchange({ index, signal: NO_END }).then(note(`small ${index}`)));
        await Promise.all([transfer, ...small]);
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

    it(`${direction} end at once with the signal’s reason`, async () => {
      const reason = new ExchangeError('aborted', 'Stopped.');
      const loads = loadsTo(server.origin);
      const socket = await loads.open(direction, { signal: NO_END });
      for (const begin of [
        (/** @type {AbortSignal} */ signal) =>
          loads.request(direction, { bytes: 2_000_000, count: 1, onFirst() {}, signal }),
        (/** @type {AbortSignal} */ signal) =>
          socket.transfer({ bytes: 2_000_000, chunkBytes: 16 * KIB, onFirst() {}, signal }),
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
      const options = { bytes: 200_000, onFirst() {}, signal: NO_END };
      await assert.rejects(loads.request('down', { ...options, count: 1 }), { outcome: 'rejected' });
      await assert.rejects(loads.request('up', { ...options, count: 1 }), { name: 'ExchangeError' });
      const socket = await loads.open('down', { signal: NO_END });
      await assert.rejects(socket.transfer({ ...options, chunkBytes: 20_000 }), { outcome: 'rejected' });
    } finally {
      await server.close();
    }
  });

  it('are held in chunks, so that a chunk’s room is enough', async () => {
    const server = await openServer({ limits: { payloadBytesInFlight: 1_000_000 } });
    try {
      const loads = loadsTo(server.origin);
      const options = { bytes: 4_000_000, onFirst() {}, signal: NO_END };
      const socket = await loads.open('down', { signal: NO_END });
      await socket.transfer({ ...options, chunkBytes: 64 * KIB });
      await assert.rejects(socket.transfer({ ...options, chunkBytes: options.bytes }), { outcome: 'closed' });
    } finally {
      await server.close();
    }
  });
});
