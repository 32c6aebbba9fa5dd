import { after, before, describe, it } from 'node:test';
import SockJS from 'sockjs-client';
import { createSockjs } from '../../core/net/echo/sockets.js';
import { openServer } from '../support/server.js';
import { transportContract } from './transport-contract.js';

/** @import { TestServer } from '../support/server.js' */

// jQuery needs a page, so its transport meets the contract in Chromium: test/browser/contract.test.js.
describe('sockjs, in Node', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const [name, check] of Object.entries(transportContract)) {
    it(name, () =>
      check({
        transport: createSockjs({ library: SockJS, url: `${server.origin}/echo` }),
        lostTransport: createSockjs({ library: SockJS, url: 'http://127.0.0.1:1/echo' }),
      }),
    );
  }
});
