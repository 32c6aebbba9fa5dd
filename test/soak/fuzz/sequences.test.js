/**
 * Random sequences on connections to every path that the server lists, while visitors use it as it is meant.
 *
 * To play again what was found: `FUZZ=SEED/INDEX node --test test/soak/fuzz/sequences.test.js`. `FUZZ=SEED` plays all of a
 * seed in place of the fixed one, and `FUZZ_COUNT=50000` more of each. The fixed seed's are fewer, as they are the same each time.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSeed } from '../../../core/base/random.js';
import { askEachPath } from './each-path.js';
import { startRun } from './run.js';
import { startTarget } from './target.js';
import { startVisitors } from './visitors.js';
import { openRaw, upgradeHead } from '../../support/payload-client.js';

/** @import { Target } from './target.js' */

const FIXED_SEED = 1;
const [givenSeed = FIXED_SEED, givenIndex] = process.env.FUZZ?.split('/').map(Number) ?? [];
/** Of the fixed seed; and of a random one, each time. */
const FIXED_COUNT = Number(process.env.FUZZ_COUNT ?? 300);
const COUNT = Number(process.env.FUZZ_COUNT ?? 700);
const MIB = 1024 * 1024;
/**
 * From the end of the first seed's sequences to that of the second's: what was made once is there by then. Two kibibytes that
 * stay of each connection would be 1.95 MiB, and one of each of 2500 would be 2.4; by itself it grows by 0.9 MiB at most.
 */
const MOST_GROWTH_BYTES = 1.9 * MIB;

/** Clients that are there, and do nothing. */
const STAYING = [
  upgradeHead('/ws'),
  upgradeHead('/echo/000/staying/websocket'),
  'GET /sse/staying-stream HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /reach/poll?ms=60000 HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /payload/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx',
];

/**
 * @param {Target} target
 * @param {{ seed: number, count: number, first?: number }} run
 */
async function fuzz(target, run) {
  const endVisitors = await startVisitors(target.port, target.fail);
  const { ended, underWay } = startRun({ ...target, ...run, onFailure: target.fail });
  target.watchRun(underWay);
  await ended;
  await target.check();
  await endVisitors();
  await target.check();
}

describe('a server that gets random sequences', () => {
  it('lives, answers visitors rightly, holds nothing afterwards, and drains', async (t) => {
    const target = await startTarget();
    try {
      const answersBefore = await askEachPath(target.port, target.known);
      const seeds = givenIndex === undefined ? [givenSeed, createSeed()] : [givenSeed];
      const countOf = (/** @type {number} */ seed) => (seed === FIXED_SEED ? FIXED_COUNT : COUNT);
      t.diagnostic(seeds.map((seed) => `seed ${seed}, ${countOf(seed)} sequences`).join('; '));
      let heapBytes = 0;
      for (const seed of seeds) {
        heapBytes = await target.heapBytes();
        await fuzz(target, { seed, count: givenIndex === undefined ? countOf(seed) : 1, first: givenIndex });
      }
      const grownBytes = (await target.settle()) - heapBytes;
      t.diagnostic(`the heap grew by ${(grownBytes / MIB).toFixed(2)} MiB`);
      if (seeds.length > 1) assert.ok(grownBytes < MOST_GROWTH_BYTES, `${grownBytes} bytes`);
      assert.deepEqual(await askEachPath(target.port, target.known), answersBefore);
      await fuzz(target, { seed: 0, count: 1 });

      const clients = await Promise.all(STAYING.map(() => openRaw(target.port)));
      for (const [index, { send }] of clients.entries()) send(STAYING[index]);
      await Promise.all(clients.slice(0, 3).map(({ received }) => received(1)));
      assert.equal(await target.close(), 0);
      await target.check();
    } finally {
      await target.close();
    }
  });
});
