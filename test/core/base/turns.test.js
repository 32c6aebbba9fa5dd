import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurns } from '../../../core/base/async.js';

describe('turns', () => {
  it('are had one at a time, by each in turn', async () => {
    const takeTurn = createTurns();
    /** @type {string[]} */
    const log = [];
    let workingCount = 0;
    /** @param {string} name */
    const goOn = async (name) => {
      for (let block = 0; block < 3; block++) {
        await takeTurn(async () => {
          assert.equal(++workingCount, 1);
          await new Promise((resolve) => setImmediate(resolve));
          log.push(`${name}${block}`);
          workingCount--;
        });
      }
    };
    await Promise.all([goOn('a'), goOn('b'), goOn('c')]);
    assert.deepEqual(log, ['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  });

  it('give what the work gives, and one that fails does not keep the next from its turn', async () => {
    const takeTurn = createTurns();
    const failing = takeTurn(() => Promise.reject(new Error('broken')));
    const next = takeTurn(async () => 7);
    await assert.rejects(failing, /broken/);
    assert.equal(await next, 7);
  });
});
