/** What a proxy that collects 4 KiB makes of streams over HTTP: as many lumps as it passes on, each of as many pieces as fit. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flowOf, lumpsOf } from '../../../../core/experiments/stream/summary.js';
import { streamByFetch } from '../../../../core/net/stream/by-fetch.js';
import { dueTimesOf, formatStreamQuery } from '../../../../core/net/stream/stream.js';
import { holdsOnce } from '../../../support/attempts.js';
import { withHttpProxy } from '../../../support/obstacles/http-proxy.js';
import { withServer } from '../../../support/two-workers.js';

const COLLECTED = 4096;
const STREAM = { pieces: 200, bytes: 100, rate: 100, spread: 0, seed: 1 };

/** @param {string} origin @returns {Promise<{ atMs: number[], byteCount: number }>} when each piece came, and what all of them had */
async function follow(origin) {
  /** @type {number[]} */
  const atMs = [];
  let byteCount = 0;
  await streamByFetch(`${origin}/pieces?${formatStreamQuery(STREAM)}`, (pieces) => {
    for (const piece of pieces) {
      atMs.push(performance.now());
      byteCount += JSON.stringify(piece).length + 1;
    }
  });
  return { atMs, byteCount };
}

describe('a stream behind a proxy that collects 4 KiB', () => {
  it('comes in lumps of so many bytes, and is said to', (t) =>
    withServer({}, async (server) => {
      const { port } = new URL(server.origin);
      const useProxy = async (/** @type {{ origin: string }} */ { origin }) => {
        // A busy machine may take a break in the middle of a lump.
        await holdsOnce(t, async () => {
          const { atMs, byteCount } = await follow(origin);
          assert.equal(atMs.length, STREAM.pieces);
          const lumpCount = lumpsOf(atMs).length;
          const { name } = flowOf(atMs, dueTimesOf(STREAM)) ?? {};
          const isTold = name === 'bursts' || name === 'steps';
          if (isTold && Math.abs(lumpCount - Math.ceil(byteCount / COLLECTED)) <= 1) return undefined;
          return `${lumpCount} lumps, ${byteCount} bytes, ${name}`;
        });
      };
      await withHttpProxy(Number(port), () => {}, useProxy, { collectBytes: COLLECTED });
    }));
});
