import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAssets } from '../../server/assets.js';
import { THOROUGH, compressAll } from '../../server/encodings.js';
import { runScript } from '../support/npm-script.js';

describe('npm run bundle', () => {
  it('makes what the site serves, compressed thoroughly', async () => {
    const { code, out, err } = await runScript('bundle', []);
    assert.equal(code, 0, err);
    const { prefix, find } = await loadAssets();
    assert.equal(out, `Bundled as ${prefix}\n`);
    const name = 'js/home.js';
    const { identity, gzip, br } = find(name) ?? assert.fail();
    const thorough = await compressAll(new Map([[name, identity]]), THOROUGH);
    assert.deepEqual([gzip?.length, br?.length], [thorough.get(name)?.gzip?.length, thorough.get(name)?.br?.length]);
  });
});
