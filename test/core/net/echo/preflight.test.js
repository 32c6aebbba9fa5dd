import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measurePreflight } from '../../../../core/net/echo/probe.js';

describe('measurePreflight', () => {
  it('asks each new address twice, so that what is more in the first is the question for leave', async () => {
    let nowMs = 0;
    /** @type {Set<string>} */
    const known = new Set();
    /** As a browser does at a distance of 100 ms. @type {any} */
    const fetch = async (/** @type {string} */ url, /** @type {RequestInit} */ { method }) => {
      assert.equal(method, 'POST');
      nowMs += known.has(url) ? 100 : 200;
      known.add(url);
      return new Response('{"count":1}');
    };
    const preflight = await measurePreflight({ fetch, url: 'http://x/ajaxecho', now: () => nowMs });
    assert.deepEqual(preflight, { firstMs: [200, 200, 200], secondMs: [100, 100, 100] });
  });

  it('is absent where the server does not answer', async () => {
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    assert.equal(await measurePreflight({ fetch, url: 'http://x/', now: () => 0 }), undefined);
  });
});
