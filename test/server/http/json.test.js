import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countStructure, isTooComplex, MAX_JSON_DEPTH, MAX_JSON_STRUCTURE } from '../../../server/http/json.js';

describe('countStructure', () => {
  /** @type {[string, number][]} */
  const table = [
    ['["text"]', 2],
    ['["a","b"]', 3],
    ['["a,\\"b\\",[c"]', 2],
    ['["\\\\","\\\\\\""]', 3],
    ['[[],{},1]', 8],
    ['{"a":{"b":[1]}}', 8],
    ['["broken', 1],
    ['', 0],
  ];
  for (const [text, count] of table) {
    it(`finds ${count} in ${text || 'nothing'}`, () => assert.equal(countStructure(text), count));
  }

  it('gives Infinity beyond the most', () => {
    assert.equal(countStructure('"",'.repeat(10), 10), 10);
    assert.equal(countStructure('"",'.repeat(11), 10), Infinity);
  });

  it('gives Infinity beyond the depth, closed or not', () => {
    const nested = (/** @type {number} */ levels) => '['.repeat(levels) + ']'.repeat(levels);
    assert.equal(countStructure(nested(MAX_JSON_DEPTH)), 2 * MAX_JSON_DEPTH);
    assert.equal(countStructure(nested(MAX_JSON_DEPTH + 1)), Infinity);
    assert.equal(countStructure('{"a":'.repeat(MAX_JSON_DEPTH + 1)), Infinity);
  });

  it('looks at each character of a string of quotes and backslashes once', () => {
    const { length } = JSON.stringify('\\"'.repeat(200_000));
    assert.equal(length, 800_002);
    assert.equal(countStructure(`[${JSON.stringify('\\"'.repeat(200_000))}]`), 2);
  });
});

describe('isTooComplex', () => {
  it('is what is wider than a message may be, or deeper, and nothing else', () => {
    const wide = (/** @type {number} */ count) => `{"count":1,"x":[${Array(count).fill(0).join()}]}`;
    assert.equal(isTooComplex(wide(MAX_JSON_STRUCTURE - 6)), false);
    assert.equal(isTooComplex(wide(MAX_JSON_STRUCTURE)), true);
    assert.equal(isTooComplex('['.repeat(MAX_JSON_DEPTH)), false);
    assert.equal(isTooComplex('['.repeat(MAX_JSON_DEPTH + 1)), true);
    assert.equal(isTooComplex(JSON.stringify({ count: 1, body: '[{'.repeat(100_000) })), false);
  });
});
