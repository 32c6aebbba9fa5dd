import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_FILE_BYTES, problemOfSize } from '../../../core/recording/file-size.js';

it('a file may have so many bytes, and not one more', () => {
  assert.equal(problemOfSize(MAX_FILE_BYTES), '');
  assert.match(problemOfSize(MAX_FILE_BYTES + 1), /got 101 MB/);
});
