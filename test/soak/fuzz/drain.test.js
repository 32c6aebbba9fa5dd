/** Random sequences under way when the server is to end. To play a seed again: `FUZZ=SEED node --test test/soak/fuzz/drain.test.js`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSeed } from '../../../core/base/random.js';
import { startRun } from './run.js';
import { startTarget } from './target.js';

const FIXED_SEED = 2;
const SEEDS = process.env.FUZZ ? [Number.parseInt(process.env.FUZZ)] : [FIXED_SEED, createSeed(), createSeed()];
/** Sequences that are played before, and as many at most during the drain. */
const COUNT = 100;
const LOOK_MS = 10;
/** The drain takes a second. That a process ends when it is done takes no time, unless the machine has none for it. */
const END_LIMIT_MS = 60_000;

describe('a server that gets random sequences while it drains', () => {
  for (const seed of SEEDS) {
    it(`ends as it should, seed ${seed}`, async () => {
      const target = await startTarget();
      let isOver = false;
      const { ended, underWay } = startRun({
        ...target,
        seed,
        count: 1e6,
        isOver: () => isOver || target.isOver(),
        onFailure: target.fail,
      });
      target.watchRun(underWay);
      while (!target.isOver() && !underWay().some((id) => Number(id.split('/')[1]) > COUNT)) await sleep(LOOK_MS);
      const limit = new AbortController();
      const code = await Promise.race([target.close(), sleep(END_LIMIT_MS, 'no end', { signal: limit.signal })]);
      limit.abort();
      isOver = true;
      await ended;
      await target.check();
      assert.equal(code, 0);
    });
  }
});
