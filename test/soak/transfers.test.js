import { after, before, describe, it } from 'node:test';
import { io } from 'socket.io-client';
import SockJS from 'sockjs-client';
import { WebSocket } from 'ws';
import { createTransfer } from '../../core/net/transfer/index.js';
import { transferContract, limitContract } from '../contract/transfer-contract.js';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

/** @type {Record<string, any>} */
const LIBRARIES = {
  fetch: globalThis.fetch,
  'websocket-text': WebSocket,
  'websocket-binary': WebSocket,
  sockjs: SockJS,
  socketio: io,
};

// Small messages, and all else that transfer methods do: test/contract/transfers.test.js.
describe('transfers, of every size up to the most', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const [name, library] of Object.entries(LIBRARIES)) {
    const create = (/** @type {string} */ origin) =>
      createTransfer(name, { library, baseUrl: origin, now: () => performance.now() });
    for (const [words, check] of Object.entries({ ...transferContract, ...limitContract })) {
      it(`${name} ${words}`, () =>
        check({ transfer: create(server.origin), lostTransfer: create('http://127.0.0.1:1') }));
    }
  }
});
