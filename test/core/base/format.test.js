import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatBytes } from '../../../core/base/format.js';

describe('formatBytes', () => {
  for (const [bytes, text] of /** @type {const} */ ([
    [0, '0 B'],
    [999.4, '999 B'],
    [999.5, '1 kB'],
    [2000, '2 kB'],
    [2440, '2.4 kB'],
    [9949, '9.9 kB'],
    [9951, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [1_600_000, '1.6 MB'],
    [2_000_000_000, '2 GB'],
    [1_234_500_000_000, '1,235 GB'],
  ]))
    it(`of ${bytes}: ${text}`, () => {
      assert.equal(formatBytes(bytes), text);
    });
});
