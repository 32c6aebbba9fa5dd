import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createHttpTransfer } from '../../../../core/net/transfer/http.js';

const URL = 'http://127.0.0.1:9/payload';
const by = (/** @type {string} */ libraryName) =>
  createHttpTransfer({ kind: 'http', name: libraryName, libraryName, form: 'binary', url: URL, library: () => {} });

it('a transfer by requests refuses a form that its library does not read', () => {
  for (const name of ['jquery', 'XMLHttpRequest'])
    assert.throws(() => by(name), { message: `form: expected one that ${name} reads, got binary` });
  assert.equal(by('fetch').form, 'binary');
});
