import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runScript } from '../support/npm-script.js';

describe('npm run bundle', () => {
  it('makes what the site serves', async () => {
    const { code, out, err } = await runScript('bundle', []);
    assert.equal(code, 0, err);
    assert.match(out, /^Bundled as \/assets\/[0-9a-f]{16}\/\n$/);
  });
});
