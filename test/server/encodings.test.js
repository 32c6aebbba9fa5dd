import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { THOROUGH, compressAll, FAST, readOrMake } from '../../server/encodings.js';
import { withFolder } from '../support/folder.js';

const SCRIPT = await readFile('core/base/statistics.js');
const CONTENTS = new Map([
  ['js/b.js', SCRIPT],
  ['js/b.js.map', SCRIPT],
  ['js/a.js', Buffer.from('a short file')],
]);

/** @param {string} folder */
function openCache(folder) {
  const cache = path.join(folder, 'new/cache');
  let madeCount = 0;
  const make = async () => {
    madeCount += 1;
    return CONTENTS;
  };
  return {
    cache,
    madeCount: () => madeCount,
    /** @param {typeof FAST} effort @returns {Promise<number>} bytes of the script by Brotli */
    read: async (effort) => Number((await readOrMake(cache, { make, effort })).get('js/b.js')?.br?.length),
  };
}

const [FAST_BYTES, THOROUGH_BYTES] = await Promise.all(
  [FAST, THOROUGH].map(async (effort) => Number((await compressAll(CONTENTS, effort)).get('js/b.js')?.br?.length)),
);

describe('the encodings of files', () => {
  for (const [name, effort] of Object.entries({ FAST, THOROUGH })) {
    it(`by ${name} contain what the file does, where compressing it saves anything`, async () => {
      const files = await compressAll(CONTENTS, effort);
      assert.deepEqual([...files.keys()], ['js/a.js', 'js/b.js', 'js/b.js.map']);
      const { gzip, br, identity } = files.get('js/b.js') ?? assert.fail();
      assert.deepEqual([gunzipSync(gzip ?? ''), brotliDecompressSync(br ?? ''), identity], [SCRIPT, SCRIPT, SCRIPT]);
      for (const other of ['js/a.js', 'js/b.js.map'])
        assert.deepEqual(Object.keys(files.get(other) ?? {}), ['hash', 'identity']);
    });
  }
});

describe('the cache of encodings', () => {
  it('keeps what was made quickly until it is wanted thoroughly, and that from then on', async () => {
    assert.ok(THOROUGH_BYTES < FAST_BYTES, `${THOROUGH_BYTES} ${FAST_BYTES}`);
    await withFolder(async (folder) => {
      const { read, madeCount } = openCache(folder);
      const efforts = [FAST, FAST, THOROUGH, THOROUGH, FAST];
      const seen = [];
      for (const effort of efforts) seen.push([await read(effort), madeCount()]);
      assert.deepEqual(seen, [
        [FAST_BYTES, 1],
        [FAST_BYTES, 1],
        [THOROUGH_BYTES, 2],
        [THOROUGH_BYTES, 2],
        [THOROUGH_BYTES, 2],
      ]);
    });
  });

  it('makes again what cannot be read whole', async () => {
    await withFolder(async (folder) => {
      const { cache, read, madeCount } = openCache(folder);
      await read(FAST);
      const whole = await readFile(cache);
      await writeFile(cache, whole.subarray(0, whole.length / 2));
      assert.deepEqual([await read(FAST), madeCount()], [FAST_BYTES, 2]);
      assert.deepEqual(await readFile(cache), whole);
    });
  });

  it('removes others a day after they were made', async () => {
    await withFolder(async (folder) => {
      const { cache, read } = openCache(folder);
      const beside = path.dirname(cache);
      await mkdir(beside);
      for (const name of ['old', 'young']) await writeFile(path.join(beside, name), '');
      const longAgo = Date.now() / 1000 - 25 * 60 * 60;
      await utimes(path.join(beside, 'old'), longAgo, longAgo);
      await read(FAST);
      assert.deepEqual((await readdir(beside)).sort(), ['cache', 'young']);
    });
  });

  it('does without where it cannot be written, and leaves nothing behind', async () => {
    await withFolder(async (folder) => {
      const { cache, read, madeCount } = openCache(folder);
      await mkdir(cache, { recursive: true });
      assert.deepEqual([await read(FAST), await read(FAST), madeCount()], [FAST_BYTES, FAST_BYTES, 2]);
      assert.deepEqual(await readdir(path.dirname(cache)), ['cache']);
    });
  });
});
