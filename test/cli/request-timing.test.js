import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRequestTiming } from '../../cli/request-timing.js';
import { runTrial } from '../../core/trial.js';
import { createFetch } from '../../core/transports/fetch.js';
import { openServer } from '../support/server.js';

const now = () => performance.now();

/** @param {Parameters<typeof createFetch>[0]} options */
const measure = (options) => runTrial({ transport: createFetch(options), now, iterations: 8 });

describe('what fetch does with connections in Node', () => {
  it('is told by the client beneath it: the protocol, the one that was opened, those that were reused', async () => {
    const server = await openServer();
    let connectionCount = 0;
    server.server.on('connection', () => connectionCount++);
    const options = { url: `${server.origin}/ajaxecho`, performance: /** @type {any} */ (createRequestTiming()) };
    try {
      const first = await measure(options);
      assert.equal(first.protocol, 'http/1.1');
      assert.ok(Number(first.setUpMs) > 0);
      assert.deepEqual(first.requests, { seenCount: 9, openedCount: connectionCount, cacheHitCount: 0 });
      assert.ok(connectionCount < 9);

      const second = await measure(options);
      assert.equal(second.setUpMs, undefined);
      assert.deepEqual(second.requests, { seenCount: 9, openedCount: 0, cacheHitCount: 0 });
    } finally {
      await server.close();
    }
  });

  it('is not told by Node’s performance, and so nothing is said of it', async () => {
    const server = await openServer();
    try {
      const { protocol, setUpMs, requests } = await measure({ url: `${server.origin}/ajaxecho` });
      assert.deepEqual([protocol, setUpMs], [undefined, undefined]);
      assert.deepEqual(requests, { seenCount: 0, openedCount: 0, cacheHitCount: 0 });
    } finally {
      await server.close();
    }
  });
});
