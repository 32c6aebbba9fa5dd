import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareResult } from '../../server/workers.js';

describe('a shared result', () => {
  it('is that of one call for all who ask within its time, and of another after it', async () => {
    let nowMs = 100;
    let callCount = 0;
    const ask = shareResult(async () => ++callCount, { keptMs: 5000, now: () => nowMs });
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
    nowMs += 4999;
    assert.equal(await ask(), 1);
    nowMs += 1;
    assert.deepEqual(await Promise.all([ask(), ask()]), [2, 2]);
  });
});
