import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import module from 'node:module';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { COMPILE_CACHE, mayKeepCompiled } from '../../server/compile-cache.js';

const PROGRAM = `
  import module from 'node:module';
  import { keepCompiled, writeCompiled } from './server/compile-cache.js';
  keepCompiled();
  writeCompiled();
  console.log(module.getCompileCacheDir?.() ?? '');
`;

describe('the cache of compiled code', () => {
  it('is beneath node_modules, where Node.js has one', async () => {
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], { env });
    const isThere = /** @type {any} */ (module).enableCompileCache !== undefined && mayKeepCompiled();
    assert.equal(stdout.trim().startsWith(COMPILE_CACHE), isThere, stdout);
  });
});
