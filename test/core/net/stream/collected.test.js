/** What a proxy that collects 4 KiB makes of streams over HTTP: as many bursts as it passes on, each of as many pieces as fit. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flowOf, lumpsOf } from '../../../../core/experiments/stream/flow.js';
import { streamByFetch } from '../../../../core/net/stream/by-fetch.js';
import { dueTimesOf, formatStreamQuery } from '../../../../core/net/stream/stream.js';
import { withHttpProxy } from '../../../support/obstacles/http-proxy.js';
import { withServer } from '../../../support/two-workers.js';

const COLLECTED = 4096;
const STREAM = { pieces: 200, bytes: 100, rate: 100, spread: 0, seed: 1 };

describe('a stream behind a proxy that collects 4 KiB', () => {
  it('comes in bursts of so many bytes, and is said to', () =>
    withServer({}, async (server) => {
      await withHttpProxy(
        Number(new URL(server.origin).port),
        () => {},
        async ({ origin }) => {
          /** @type {number[]} */
          const atMs = [];
          let byteCount = 0;
          await streamByFetch(`${origin}/pieces?${formatStreamQuery(STREAM)}`, (pieces) => {
            for (const piece of pieces) {
              atMs.push(performance.now());
              byteCount += JSON.stringify(piece).length + 1;
            }
          });
          assert.equal(atMs.length, STREAM.pieces);
          const lumpCount = lumpsOf(atMs).length;
          assert.ok(
            Math.abs(lumpCount - Math.ceil(byteCount / COLLECTED)) <= 1,
            `${lumpCount} lumps, ${byteCount} bytes`,
          );
          const flow = flowOf(atMs, dueTimesOf(STREAM));
          assert.equal(flow?.name === 'bursts' || flow?.name === 'steps', true, flow?.name);
        },
        { collectBytes: COLLECTED },
      );
    }));
});
