import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom, shuffle } from '../../../core/base/random.js';

describe('createRandom', () => {
  it('gives the same numbers for the same seed, on every machine', () => {
    const random = createRandom(1);
    // Of Mulberry32 in C, seeded with 1.
    assert.deepEqual(
      [random(), random(), random()].map((value) => Math.round(value * 2 ** 32)),
      [2693262067, 11749833, 2265367787],
    );
  });

  it('gives numbers from 0 up to, and not, 1', () => {
    const random = createRandom(0xffffffff);
    for (let i = 0; i < 10_000; i++) {
      const value = random();
      assert.ok(value >= 0 && value < 1, String(value));
    }
  });
});

describe('shuffle', () => {
  it('keeps what it is given, and gives all of it', () => {
    const list = [1, 2, 3, 4];
    assert.deepEqual(shuffle(list, createRandom(3)).toSorted(), [1, 2, 3, 4]);
    assert.deepEqual(list, [1, 2, 3, 4]);
  });

  it('gives each of 24 orders about as often', () => {
    const random = createRandom(5);
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (let i = 0; i < 24_000; i++) {
      const order = shuffle(['a', 'b', 'c', 'd'], random).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    assert.equal(counts.size, 24);
    // qchisq(0.999, 23) of R. Its seed makes it the same each time.
    assert.ok(chiSquared < 49.73, String(chiSquared));
  });
});
