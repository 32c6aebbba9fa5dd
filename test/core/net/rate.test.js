import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rateOfLoad, slowStartOf } from '../../../core/net/rate.js';

/** @param {{ bytes: number, rttMs: number, bytesPerSecond: number, atMs?: number }} path @returns an entry of Resource Timing */
function load({ bytes, rttMs, bytesPerSecond, atMs = 0 }) {
  const responseStart = atMs + rttMs;
  const lastsMs = slowStartOf(bytes) * rttMs + (1000 * bytes) / bytesPerSecond;
  return { transferSize: bytes, requestStart: atMs, responseStart, responseEnd: responseStart + lastsMs };
}

describe('the rate of a path, by what a page loaded', () => {
  it('is that of a slow path, near and far', () => {
    for (const rttMs of [5, 100, 230]) {
      const rate = Number(rateOfLoad([load({ bytes: 60_000, rttMs, bytesPerSecond: 125_000 })]));
      assert.ok(Math.abs(rate - 125_000) < 1, String(rate));
    }
  });

  it('is unknown where the round trips were all that took time, and where nothing came over the path', () => {
    assert.equal(rateOfLoad([load({ bytes: 60_000, rttMs: 230, bytesPerSecond: 12_500_000 })]), undefined);
    assert.equal(rateOfLoad([]), undefined);
    // From the browser's cache.
    assert.equal(rateOfLoad([{ transferSize: 0, requestStart: 0, responseStart: 0, responseEnd: 900 }]), undefined);
  });

  it('stays what an earlier page learned, until what loads tells otherwise', () => {
    const known = 125_000;
    const cached = { transferSize: 0, requestStart: 0, responseStart: 0, responseEnd: 900 };
    assert.equal(rateOfLoad([cached], known), known);
    // A small page would not have taken long over that path, either.
    assert.equal(rateOfLoad([load({ bytes: 8000, rttMs: 40, bytesPerSecond: known }), cached], known), known);
    assert.equal(rateOfLoad([load({ bytes: 60_000, rttMs: 40, bytesPerSecond: 12_500_000 })], known), undefined);
    const slower = Number(rateOfLoad([load({ bytes: 60_000, rttMs: 40, bytesPerSecond: 50_000 })], known));
    assert.ok(Math.abs(slower - 50_000) < 1, String(slower));
  });

  it('counts what loaded beside the largest, and not what did before', () => {
    const path = { rttMs: 1, bytesPerSecond: 125_000 };
    const [script, style] = [load({ ...path, bytes: 60_000 }), load({ ...path, bytes: 30_000 })];
    // Both share the path, so they end when it has carried both.
    const shared = { ...script, responseEnd: script.responseEnd + 240 };
    const early = { ...style, requestStart: -900, responseStart: -899, responseEnd: -500 };
    const rate = Number(rateOfLoad([early, shared, style]));
    assert.ok(Math.abs(rate / 125_000 - 1) < 0.02, String(rate));
  });
});
