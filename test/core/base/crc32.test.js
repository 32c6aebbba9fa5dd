import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 as crc32OfZlib } from 'node:zlib';
import { crc32, formatCrc32 } from '../../../core/base/crc32.js';
import { createContent } from '../../../core/net/transfer/content.js';

describe('crc32', () => {
  it('gives the check value of the CRC catalogue', () => {
    assert.equal(crc32(new TextEncoder().encode('123456789')), 0xcbf43926);
    assert.equal(crc32(new Uint8Array(0)), 0);
  });

  it('gives what zlib gives, for every byte and many lengths', () => {
    assert.equal(crc32(Uint8Array.from({ length: 256 }, (_, i) => i)), 0x29058c73);
    const content = createContent(100_000);
    for (const length of [1, 2, 3, 4, 5, 255, 256, 257, 65_536, 100_000]) {
      const bytes = content.subarray(content.length - length);
      assert.equal(crc32(bytes), crc32OfZlib(bytes), String(length));
    }
  });
});

describe('formatCrc32', () => {
  it('writes 8 digits, whatever the number', () => {
    assert.deepEqual([0, 0xcbf43926, 0xffffffff].map(formatCrc32), ['00000000', 'cbf43926', 'ffffffff']);
  });
});
