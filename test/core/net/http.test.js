import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reachServer } from '../../../core/net/http.js';

describe('a server that is reached', () => {
  it('has had its answer read, whatever it was, as one that is not read keeps its connection', async () => {
    for (const status of [200, 404, 503]) {
      const response = new Response('{"workers":[]}', { status });
      await reachServer(async () => response, 'http://example.org/status');
      assert.equal(response.bodyUsed, true);
    }
  });

  it('is not one whose answer breaks off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) });
    await assert.rejects(
      reachServer(async () => new Response(body), 'http://example.org/status'),
      (/** @type {any} */ { outcome }) => outcome === 'closed',
    );
  });
});
