/** `npm version`, as whoever makes a release types it, in a repository of its own; it begins with `npm run preversion`. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '../..');
const COPIED = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'README.md',
  'deploy/version.js',
  'deploy/checkout/package.json',
];

describe('npm version', () => {
  /** @type {string} */
  let folder;
  /** @param {string} name @param {string[]} args */
  const run = (name, ...args) => execute(name, args, { cwd: folder });
  const read = (/** @type {string} */ file) => readFile(path.join(folder, file), 'utf8');
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    for (const file of COPIED) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await copyFile(path.join(ROOT, file), path.join(folder, file));
    }
    // After a release, nothing is there that nobody has released.
    await describeChange('- One more.');
    await run('git', 'init', '--quiet');
    await run('git', 'config', 'user.name', 'Test');
    await run('git', 'config', 'user.email', 'test@example.org');
    await commit();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** @param {string} line */
  async function describeChange(line) {
    const text = await read('CHANGELOG.md');
    await writeFile(path.join(folder, 'CHANGELOG.md'), text.replace('## Unreleased\n', `## Unreleased\n\n${line}\n`));
  }

  async function commit() {
    await run('git', 'add', '.');
    await run('git', 'commit', '--quiet', '-m', 'x');
  }

  it('changes every place that names the version, and commits them with a tag', async () => {
    await run('npm', 'version', '7.8.9');
    const lock = JSON.parse(await read('package-lock.json'));
    const versions = [JSON.parse(await read('package.json')).version, lock.version, lock.packages[''].version];
    assert.deepEqual(versions, Array(3).fill('7.8.9'));
    assert.match(await read('CHANGELOG.md'), /^## Unreleased\n\n## 7\.8\.9 - \d{4}-\d\d-\d\d\n\n- One more\.\n/m);
    const files = (await read('README.md')).match(/sockshootout-\d\S*\.tgz/g) ?? [];
    assert.deepEqual([...new Set(files)], ['sockshootout-7.8.9.tgz']);
    assert.equal((await run('git', 'status', '--porcelain')).stdout, '');
    assert.equal((await run('git', 'tag')).stdout, 'v7.8.9\n');
  });

  it('needs to change no other document', async () => {
    const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
    const names = (await readdir(path.join(ROOT, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md'));
    const texts = await Promise.all(names.map((name) => readFile(path.join(ROOT, 'docs', name), 'utf8')));
    const own = new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.]*\\d)`);
    assert.deepEqual(
      names.filter((_, i) => own.test(texts[i])),
      [],
    );
  });

  it('refuses a release whose changes nobody described, and leaves no change of its own', async () => {
    await assert.rejects(run('npm', 'version', '7.9.0'), (/** @type {any} */ error) => {
      assert.match(error.stderr, /CHANGELOG\.md: expected changes/);
      return true;
    });
    assert.equal((await run('git', 'status', '--porcelain')).stdout, '');
    await describeChange('- More.');
    await commit();
    await run('npm', 'version', '7.9.0');
    const [, , ...headings] = (await read('CHANGELOG.md')).match(/^## .*$/gm) ?? [];
    assert.match(headings[0], /^## 7\.8\.9 /);
  });
});
