/** `npm run release:check`: its list, and what it says of small repositories, which take seconds. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { runScript } from '../support/npm-script.js';

const PROGRAM = path.join(import.meta.dirname, '../release-check.js');
const START = 'npm ci && npm start';
const TEST = 'npm ci && npm test';

/** A site of a few lines. It leaves word where it ran and when it was stopped. */
const SITE = `
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
const server = createServer((req, res) => res.writeHead(req.url === '/readyz' ? 200 : 404).end());
server.listen(process.env.PORT, '127.0.0.1');
process.on('SIGINT', () => {
  writeFileSync(process.env.WORD, process.cwd());
  process.exit();
});
`;

describe('npm run release:check', () => {
  it('lists README’s commands, each of which it or a test runs, and the tests', async () => {
    const { code, out, err } = await runScript('release:check', ['--list']);
    assert.equal(code, 0, err);
    const lines = out.trimEnd().split('\n');
    const own = lines.filter((line) => !/ {3}\(by /.test(line));
    assert.deepEqual(own.slice(0, 2), [START, TEST]);
    assert.deepEqual(own.slice(-2), ['package', 'container']);
    const readme = readFileSync('README.md', 'utf8');
    for (const line of lines.slice(0, -2)) assert.ok(readme.includes(line.replace(/ {3}\(by .*/, '')), line);
    assert.ok(
      lines.some((line) => line.startsWith('docker build ')) &&
        lines.some((line) => line.startsWith('npm run deploy ')),
    );
  });

  it('refuses a step that there is not', async () => {
    const { code, err } = await runScript('release:check', ['--only', 'nothing']);
    assert.equal(code, 2);
    assert.match(err, /^--only: expected one of npm ci .*, got “nothing”/);
  });
});

describe('a check of a repository', () => {
  /** @type {string} */
  let folder;
  /** @type {string} that the site writes when it is stopped */
  let word;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    word = path.join(folder, 'word.txt');
    await promisify(execFile)('git', ['init', '--quiet', folder]);
    await writeFile(path.join(folder, '.gitignore'), 'word.txt\n');
    await writeFile(path.join(folder, 'README.md'), `\`\`\`sh\n${START}   # the site\n${TEST}\n\`\`\`\n`);
    await writeFile(path.join(folder, 'site.mjs'), SITE);
    await writeFile(
      path.join(folder, 'package-lock.json'),
      '{"name":"x","lockfileVersion":3,"packages":{"":{"name":"x"}}}',
    );
    await commit({ start: 'node site.mjs', test: 'echo tested' });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** @param {Record<string, string>} scripts */
  async function commit(scripts) {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'x', scripts }));
    const git = (/** @type {string[]} */ ...args) =>
      promisify(execFile)('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
        cwd: folder,
      });
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'A commit');
  }

  /** @param {string[]} only @param {NodeJS.ProcessEnv} [more] */
  async function check(only, more) {
    const args = only.flatMap((name) => ['--only', name]);
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      env: { ...process.env, WORD: word, ...more },
    });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, out, err };
  }

  it('starts the site in a clone, which is gone afterwards, and stops it with Ctrl-C', async () => {
    const { code, out, err } = await check([START, TEST]);
    assert.equal(code, 0, out + err);
    assert.match(out, /^Checking [0-9a-f]{7,} A commit$/m);
    for (const name of [START, TEST]) assert.match(out, new RegExp(`^✔ ${name}: passed, [\\d.]+ s$`, 'm'));
    const place = readFileSync(word, 'utf8');
    assert.notEqual(place, folder);
    assert.ok(!existsSync(place));
  });

  it('ends with 1 after a step that fails, and prints what that wrote; the others are run', async () => {
    await commit({ start: 'node site.mjs', test: 'echo this broke && exit 3' });
    const { code, out } = await check([TEST, START]);
    assert.equal(code, 1);
    assert.match(out, new RegExp(`^✔ ${START}: passed`, 'm'));
    assert.match(out, new RegExp(`^✖ ${TEST}: failed, .* s\n[^]*^this broke\n[^]*got 3$`, 'm'));
    assert.match(out, new RegExp(`^Failed: ${TEST}$`, 'm'));
  });

  it('says so where the site ends before it is ready', async () => {
    await commit({ start: 'echo no port; exit 4', test: 'true' });
    const { code, out } = await check([START]);
    assert.equal(code, 1);
    assert.match(out, /no port\n[^]*ended with 4$/m);
  });

  it('says what a step needs that the machine lacks, and how to get it', async () => {
    const bin = path.join(folder, '.git/bin');
    await mkdir(bin);
    const { stdout: git } = await promisify(execFile)('sh', ['-c', 'command -v git']);
    await symlink(git.trim(), path.join(bin, 'git'));
    const { code, out } = await check(['container'], { PATH: bin });
    assert.equal(code, 1);
    assert.match(out, /^container needs .*podman.*\. To get it: .*apt-get install -y .*podman/m);
  });

  it('checks what is committed, and says so', async () => {
    await commit({ start: 'node site.mjs', test: 'true' });
    await writeFile(path.join(folder, 'package.json'), '{}');
    const { code, out } = await check([TEST]);
    assert.deepEqual([code, /^Uncommitted changes are not checked\.$/m.test(out)], [0, true]);
  });
});
