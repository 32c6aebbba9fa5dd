import { after, before, describe, it } from 'node:test';
import { createTransports, NODE_TRANSPORTS } from '../../cli/net/transports.js';
import { transports } from '../../core/net/echo/index.js';
import { openServer } from '../support/server.js';
import { transportContract } from './transport-contract.js';

/** @import { TestServer } from '../support/server.js' */

const NOBODY = 'http://127.0.0.1:1';

// What needs a page meets the contract in Chromium, and so does each fallback of SockJS: test/browser/contract.test.js.
describe('transports', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
  });
  after(() => server.close());

  for (const name of NODE_TRANSPORTS.filter((one) => transports[one].fallback !== 'always')) {
    describe(`${name}, in Node`, () => {
      for (const [words, check] of Object.entries(transportContract)) {
        it(words, async () => {
          const [{ [name]: transport }, { [name]: lostTransport }] = await Promise.all(
            [server.origin, NOBODY].map((origin) => createTransports(origin, [name])),
          );
          await check({ transport, lostTransport });
        });
      }
    });
  }
});
