import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { createContent } from '../../../../core/net/transfer/content.js';

const decoder = new TextDecoder();

describe('createContent', () => {
  it('is the same everywhere, for ever', () => {
    assert.equal(decoder.decode(createContent(40)), 'LsluvwdcQhz9E5uztDpGdyl8DYhh3pcoT9XZr4CE');
  });

  it('is, when shorter, the beginning of what it is when longer', () => {
    const long = createContent(1000);
    for (const length of [0, 1, 4, 5, 6, 999]) assert.deepEqual(createContent(length), long.subarray(0, length));
  });

  it('has the 64 characters of base64url, each about as often', () => {
    const text = decoder.decode(createContent(640_000));
    assert.match(text, /^[\w-]+$/);
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    assert.equal(counts.size, 64);
    // qchisq(0.999, 63) of R.
    assert.ok(chiSquared < 103.44, String(chiSquared));
  });

  it('cannot be compressed by more than the two bits of a byte that are never set', () => {
    const content = createContent(1_000_000);
    const { length } = deflateRawSync(content, { level: 9 });
    assert.ok(length >= 750_000, String(length));
  });
});
