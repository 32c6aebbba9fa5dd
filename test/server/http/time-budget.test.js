import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimeBudget } from '../../../server/http/limit-requests.js';

describe('what making answers may cost an address', () => {
  let nowMs = 0;
  const budget = new TimeBudget(1000, () => nowMs);
  /** @param {string} address @param {number} ms */
  const read = (address, ms) => {
    const end = budget.begin(address);
    nowMs += ms;
    end();
    end();
  };

  it('is counted by milliseconds, for each address by itself, in each minute', () => {
    for (let i = 0; i < 100; i++) read('192.0.2.1', 10);
    assert.throws(() => budget.begin('192.0.2.1'), { code: 'too-many', status: 429 });
    read('192.0.2.2', 10);
    nowMs = 60_000;
    read('192.0.2.1', 10);
  });

  it('is at most half a second for one read: for longer, it waited', () => {
    read('192.0.2.3', 10_000);
    read('192.0.2.3', 499);
    read('192.0.2.3', 1);
    assert.throws(() => budget.begin('192.0.2.3'));
  });
});
