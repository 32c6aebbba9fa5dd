import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAssets } from '../../server/assets.js';
import { BEST, compressAll } from '../../server/encodings.js';
import { runScript } from '../support/npm-script.js';

describe('npm run bundle', () => {
  it('makes what the site serves, compressed as well as possible', async () => {
    const { code, out, err } = await runScript('bundle', []);
    assert.equal(code, 0, err);
    const { prefix, find } = await loadAssets();
    assert.equal(out, `Bundled as ${prefix}\n`);
    const name = 'js/home.js';
    const { identity, gzip, br } = find(name) ?? assert.fail();
    const best = await compressAll(new Map([[name, identity]]), BEST);
    assert.deepEqual([gzip?.length, br?.length], [best.get(name)?.gzip?.length, best.get(name)?.br?.length]);
  });
});
