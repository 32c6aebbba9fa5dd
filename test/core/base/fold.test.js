import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldName } from '../../../core/base/fold.js';

describe('the folding of names', () => {
  for (const [name, ...others] of [
    ['İzmir', 'izmir', 'IZMIR', 'İZMİR', 'I\u0307zmir', 'i\u0307zmir', 'ızmır', 'İzmir'.toLowerCase()],
    ['straße', 'STRASSE', 'strasse', 'STRAẞE', 'Straẞe'],
    ['Zürich', 'ZU\u0308RICH', 'zu\u0308rich', 'ZÜRICH'],
    ['Σίσυφος', 'ΣΊΣΥΦΟΣ', 'σίσυφοσ', 'ΣΊΣΥΦΟς'],
    ['Hà Nội', 'HÀ NỘI', 'Ha\u0300 No\u0302\u0323i', ' hà  nội '],
    ['ﬃ K', 'FFI k'],
    ['ᾳ', 'ΑΙ', 'ᾼ'],
  ]) {
    it(`is the same for all spellings of ${name}`, () => {
      for (const other of others) assert.equal(foldName(other), foldName(name), other);
      assert.equal(foldName(foldName(name)), foldName(name));
    });
  }

  it('keeps apart what is not the same', () => {
    const names = ['Bonn', 'Born', 'Koln', 'Köln', 'office 1', 'office 11', 'a/b', 'a b', '.', '..', '㎞'];
    assert.equal(new Set(names.map(foldName)).size, names.length);
  });
});
