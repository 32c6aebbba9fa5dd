import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { io } from 'socket.io-client';
import SockJS from 'sockjs-client';
import { WebSocket, WebSocketServer } from 'ws';
import { createTransfer } from '../../core/net/transfer/index.js';
import { DIRECTIONS, MAX_SIZE, OFFERED_SIZES } from '../../core/experiments/payload/plan.js';
import { runExperiment } from '../../core/experiment/run/run.js';
import { payload } from '../../core/experiments/payload/index.js';
import { createTransfers } from '../../cli/net/transports.js';
import { checkAnswer, createMessages } from '../../core/net/transfer/content.js';
import { LIMITS } from '../../server/http/limits.js';
import { openServer } from '../support/server.js';
import { transferContract, limitContract, socketContract } from './transfer-contract.js';

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Receipt } from '../../core/net/transfer/index.js'
 * @import { TestServer } from '../support/server.js'
 */

/** @type {Record<string, any>} */
const LIBRARIES = {
  fetch: globalThis.fetch,
  'websocket-text': WebSocket,
  'websocket-binary': WebSocket,
  sockjs: SockJS,
  socketio: io,
};
const NAMES = Object.keys(LIBRARIES);
const NOBODY = 'http://127.0.0.1:1';

/** What is larger is carried in test/soak/transfers.test.js. */
const SIZES = OFFERED_SIZES.filter((size) => size <= 1_000_000);
const MOST_BYTES = 1_000_000;

const now = () => performance.now();

/** @param {string} name @param {string} origin */
const createNamed = (name, origin) => createTransfer(name, { library: LIBRARIES[name], baseUrl: origin, now });

// A test is waiting, for most of its time.
describe('transfers', { concurrency: true }, () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer({ limits: { payloadBytes: MOST_BYTES } });
  });
  after(() => server.close());

  for (const name of NAMES) {
    describe(`${name}, in Node`, { concurrency: 1 }, () => {
      for (const [words, check] of Object.entries({
        ...transferContract,
        ...limitContract,
        ...(name !== 'fetch' && socketContract),
      })) {
        it(words, () =>
          check({
            transfer: createNamed(name, server.origin),
            lostTransfer: createNamed(name, NOBODY),
            sizes: SIZES,
            mostBytes: MOST_BYTES,
          }),
        );
      }
    });
  }

  it('may be asked for as much as a server takes', () => assert.equal(MAX_SIZE, LIMITS.payloadBytes));

  it('make a whole run', async () => {
    const plan = { transports: NAMES, directions: DIRECTIONS, sizes: [1, 20_000], repeats: 6, seed: 1 };
    const own = Object.fromEntries(NAMES.map((name) => [name, createNamed(name, server.origin)]));
    const { trials, ending } = await runExperiment(payload, { plan, transfers: own, now });
    assert.equal(ending, undefined);
    assert.equal(trials.length, 6 * 2 * 3 * NAMES.length);
    assert.ok(trials.every(({ durationMs, failure }) => Number(durationMs) > 0 && failure === undefined));
  });
});

describe('transfers, over a new connection per message', () => {
  /** @param {{ isKept: boolean }} options does the server keep each connection, as HTTP/2 does? */
  const open = async ({ isKept }) => {
    const state = { openedCount: 0 };
    const http = createServer((request, response) => {
      if (!isKept && request.url?.includes('close=1')) response.setHeader('Connection', 'close');
      request.pipe(response);
    });
    http.on('connection', () => state.openedCount++);
    new WebSocketServer({ server: http }).on('connection', (socket) => {
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (http.address()).port}`;
    after(() => {
      http.closeAllConnections();
      http.close();
    });
    return { state, origin };
  };
  /** @param {string} name @param {string} origin */
  const send = async (name, origin) => {
    const { fetch: fetchTransfer, ...others } = await createTransfers(origin, ['fetch', 'websocket-binary']);
    const { connectAnew, form } = name === 'fetch' ? fetchTransfer : others[name];
    const connection = await connectAnew?.('echo', {});
    assert.ok(connection);
    for (let offset = 0; offset < 3; offset++) {
      const message = createMessages(5)({ direction: 'echo', bytes: 5, offset, form });
      /** @type {Receipt} */
      const receipt = await connection.send(message, {});
      assert.equal(checkAnswer(message, receipt.answer), undefined);
      assert.ok(receipt.endedAtMs > receipt.startedAtMs);
    }
  };

  it('open one for each message, over HTTP after an empty one that shows that none is left', async () => {
    const { state, origin } = await open({ isKept: false });
    await send('websocket-binary', origin);
    assert.equal(state.openedCount, 3);
    await send('fetch', origin);
    assert.equal(state.openedCount, 3 + 2 * 3);
  });

  it('fail over HTTP where the server cannot end a connection', async () => {
    const { origin } = await open({ isKept: true });
    await (await fetch(`${origin}/first`)).text();
    await assert.rejects(send('fetch', origin), { outcome: 'closed' });
  });
});

describe('transfers, over a server that lies', () => {
  const liar = createServer((request, response) => {
    const bytes = Number(new URL(String(request.url), NOBODY).searchParams.get('bytes') ?? 4);
    request.resume().on('end', () => {
      response.end(request.url === '/payload/up' ? '{"bytes":4,"crc32":"00000000"}' : 'A'.repeat(bytes));
    });
  });
  const sockets = new WebSocketServer({ server: liar });
  sockets.on('connection', (socket, { url }) => {
    socket.on('message', (_, isBinary) => {
      if (url === '/payload/ws/up') socket.send('{"bytes":4,"crc32":"00000000"}');
      else socket.send(Buffer.from('AAAA'), { binary: isBinary });
    });
  });
  let origin = '';
  before(async () => {
    liar.listen(0, '127.0.0.1');
    await once(liar, 'listening');
    origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (liar.address()).port}`;
  });
  after(() => {
    for (const socket of sockets.clients) socket.terminate();
    liar.closeAllConnections();
    liar.close();
  });

  it('count every wrong answer as a mismatch, and nothing as a sample', async () => {
    const transports = ['fetch', 'websocket-text', 'websocket-binary'];
    const plan = { transports, directions: DIRECTIONS, sizes: [4], repeats: 6, seed: 1 };
    const own = Object.fromEntries(transports.map((name) => [name, createNamed(name, origin)]));
    const { trials, ending } = await runExperiment(payload, { plan, transfers: own, now });
    assert.equal(ending, undefined);
    assert.deepEqual(
      trials.map(({ durationMs, failure }) => [durationMs, failure?.outcome]),
      Array(6 * 3 * 3).fill([undefined, 'mismatch']),
    );
  });
});
