import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from '../../bench/pairs.js';

/**
 * Blocks of one pair each, whose interval is the whole range: that of six values is.
 *
 * @param {number[]} ratios
 */
const blocksOf = (...ratios) => ratios.map((ratio) => [{ ours: ratio * 8, baseline: 8 }]);

const around = blocksOf(0.75, 0.875, 1, 1, 1.125, 1.25);

for (const { blocks, limit, word } of [
  { blocks: around, limit: { atMost: 1.25 }, word: 'within' },
  { blocks: around, limit: { atMost: 1.1 }, word: 'cannot tell' },
  { blocks: around, limit: { atMost: 0.7 }, word: 'falls short' },
  { blocks: around, limit: { atLeast: 0.75 }, word: 'within' },
  { blocks: around, limit: { atLeast: 0.95 }, word: 'cannot tell' },
  { blocks: around, limit: { atLeast: 1.3 }, word: 'falls short' },
  { blocks: around, limit: undefined, word: 'reported' },
]) {
  test(`says '${word}' of 0.75 to 1.25 for the limit ${JSON.stringify(limit)}`, () => {
    assert.equal(judge(blocks, limit).word, word);
  });
}

test('counts a block as one value, however many pairs it holds', () => {
  const [first, ...others] = around;
  const longFirst = Array.from({ length: 100 }, () => first[0]);
  assert.deepEqual(judge([longFirst, ...others]), judge(around));
});

test('takes the ratio within each pair, so that drift over the pairs does not count', () => {
  const blocks = [1, 2, 4, 8, 16, 32].map((drift) => [{ ours: 3 * drift, baseline: 2 * drift }]);
  const { medianRatio, interval } = judge(blocks);
  assert.deepEqual([medianRatio, interval?.low, interval?.high], [1.5, 1.5, 1.5]);
});

test('gives no interval for fewer than six blocks, and so no verdict', () => {
  assert.deepEqual(judge(around.slice(0, 5), { atMost: 0.1 }), { medianRatio: 1, word: 'too few pairs' });
});
