import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownerOf } from '../../server/workers.js';

describe('ownerOf', () => {
  it('is the same wherever it is asked, and shares sessions out evenly', () => {
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[ownerOf(`session${i}`, 4)]++;
    // A fair die of four sides falls outside this range in 4000 throws once in more than a million times.
    assert.ok(
      counts.every((count) => count > 860 && count < 1140),
      String(counts),
    );
    assert.equal(ownerOf('abcdefgh', 1), 0);
  });
});
