import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatServer, serverOf, unnamedServer } from '../../../core/experiment/names.js';

describe('a server without a name', () => {
  it('is named by its host, in trust checks as in lists', () => {
    const url = 'https://echo.example.org/shootout';
    // Earlier releases answered an empty name.
    for (const server of ['', unnamedServer('0f3a77c1')]) {
      const answered = { server, location: '', version: '1.0.0' };
      assert.equal(formatServer(answered, url), 'echo.example.org, version 1.0.0');
      assert.equal(serverOf({ url, userAgent: '' }, answered).server, 'echo.example.org');
    }
    const named = { server: 'unnamed-1', location: 'Köln', version: '1.0.0' };
    assert.equal(formatServer(named, url), 'unnamed-1, Köln, version 1.0.0');
  });
});
