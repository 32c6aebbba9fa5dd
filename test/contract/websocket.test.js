import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { createWebsocket } from '../../core/net/echo/sockets.js';
import { openServer } from '../support/server.js';
import { transportContract } from './transport-contract.js';

/** @import { TestServer } from '../support/server.js' */

describe('websocket, in Node', () => {
  const library = /** @type {any} */ (WebSocket);
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const [name, check] of Object.entries(transportContract)) {
    it(name, () =>
      check({
        transport: createWebsocket({ library, url: `${server.origin}/echo/websocket` }),
        lostTransport: createWebsocket({ library, url: 'http://127.0.0.1:1/echo/websocket' }),
      }),
    );
  }
});
