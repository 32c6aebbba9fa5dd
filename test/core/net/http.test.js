import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fetchBeside, reachServer } from '../../../core/net/http.js';

describe('a server that is reached', () => {
  it('has had its answer read, whatever it was, as one that is not read keeps its connection', async () => {
    for (const status of [200, 404, 503]) {
      const response = new Response('{"workers":[]}', { status });
      await reachServer(async () => response, 'http://example.org/status');
      assert.equal(response.bodyUsed, true);
    }
  });

  it('is one whose answer breaks off, as it began', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) });
    await reachServer(async () => new Response(body), 'http://example.org/status');
  });

  it('is not one that gives no answer', async () => {
    await assert.rejects(
      reachServer(async () => Promise.reject(new TypeError('network error')), 'http://example.org/status'),
      (/** @type {any} */ { outcome }) => outcome === 'closed',
    );
  });
});

describe('what is fetched beside a run', () => {
  it('is absent where the server refuses, whose answer is read', async () => {
    const response = new Response('busy', { status: 503 });
    assert.equal(await fetchBeside(async () => response, 'http://example.org/status', () => 'picked'), undefined); // prettier-ignore
    assert.equal(response.bodyUsed, true);
  });
});
