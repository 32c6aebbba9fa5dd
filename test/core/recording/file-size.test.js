import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_FILE_BYTES, problemOfPasted, problemOfSize } from '../../../core/recording/file-size.js';

it('a file may have so many bytes, and not one more', () => {
  assert.equal(problemOfSize(MAX_FILE_BYTES), '');
  assert.match(problemOfSize(MAX_FILE_BYTES + 1), /got 101 MB/);
});

it('a pasted text has a limit of its own, as its page has to hold it', () => {
  assert.equal(problemOfPasted('x'.repeat(20_000_000)), '');
  assert.match(problemOfPasted('x'.repeat(20_000_001)), /at most 20 MB, got 21 MB/);
});
