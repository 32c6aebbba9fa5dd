/**
 * The package as somebody has it who installs it: packed, installed into an empty folder without scripts, and used there.
 * `npm pack` begins with `npm run prepack`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { launchBrowser } from '../support/browser.js';
import { PAGES } from '../support/page-uses.js';
import { runCommand } from '../support/program.js';
import { driven } from '../support/tab.js';

const MAX_PACKED_BYTES = 2_000_000;
const LIMIT_MS = 120_000;
const SHORT = ['--plan', 'transports=fetch,ws&depths=1,4&blocks=2&seed=1'];

/** @param {string} folder @param {readonly string[]} command */
async function run(folder, [name, ...args]) {
  const child = spawn(name, args, { cwd: folder });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, out + err);
  return out;
}

/** @param {string} folder @returns {Promise<string[]>} a line for each file below it, which any change changes */
async function describeFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    const { mtimeMs, size } = await stat(file);
    return `${file} ${mtimeMs} ${size}`;
  });
  return (await Promise.all(lines)).sort();
}

describe('the installed package', { timeout: 4 * LIMIT_MS }, () => {
  /** @type {string} */
  let folder;
  /** @type {string} the package’s, with what it needs beside it */
  let modules;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    modules = path.join(folder, 'node_modules');
    const { code, err } = await runCommand(['npm', 'pack', '--silent', '--pack-destination', folder]);
    assert.equal(code, 0, err);
    const [tarball] = await readdir(folder);
    assert.ok((await stat(path.join(folder, tarball))).size <= MAX_PACKED_BYTES);
    // What npm ci has fetched is in npm's cache.
    const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await run(folder, ['npm', 'install', ...options, `./${tarball}`]);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('lacks what only a checkout needs: a bundler, sources of pages, pm2, tests', async () => {
    const names = await readdir(modules);
    const own = await readdir(path.join(modules, 'sockshootout'));
    for (const name of ['esbuild', 'pm2', '@picocss']) assert.ok(!names.includes(name), name);
    for (const name of ['public', 'test', 'bench', 'ecosystem.config.js']) assert.ok(!own.includes(name), name);
  });

  it('starts the site, which is measured from a browser and a terminal, and stops with Ctrl-C; writes nothing of its own', async () => {
    const before = await describeFiles(modules);
    const work = path.join(folder, 'work');
    await mkdir(work);
    const program = path.join(modules, '.bin/sockshootout');
    const site = spawn(program, ['--port', '0', '--host', '127.0.0.1'], { cwd: work });
    let errors = '';
    site.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    const exited = once(site, 'exit');
    try {
      /** @type {string[]} */
      const lines = [];
      for await (const line of createInterface({ input: site.stdout })) if (lines.push(line) === 3) break;
      const [, origin] = /^SockShootout: +(http:\S+)$/.exec(lines[0]) ?? assert.fail(lines.join('\n') + errors);
      assert.match(lines[1], /^Shared runs: /);
      assert.ok(lines[1].endsWith(path.join(work, 'data')), lines[1]);
      assert.deepEqual(await readdir(work), ['data']);

      const measured = await run(work, [program, 'run', 'in-flight', '--url', origin, ...SHORT, '--json', '--quiet']);
      assert.match(JSON.parse(measured).schema, /^sockshootout\/in-flight\//);
      await useInBrowser(origin);
    } finally {
      site.kill('SIGINT');
    }
    assert.deepEqual([...(await exited), errors], [0, null, '']);
    assert.deepEqual(await describeFiles(modules), before);
  });

  it('has every other command, without a clone', async () => {
    const program = path.join(modules, '.bin/sockshootout');
    const env = { ...process.env, DATA_DIR: path.join(folder, 'store') };
    for (const words of ['migrate', 'results list', 'nginx --domain example.org', 'lab --help', 'load --help']) {
      const { code, err } = await runCommand([program, ...words.split(' ')], { env });
      assert.equal(code, 0, `${words}: ${err}`);
    }
    // It starts a server of its own.
    await run(folder, [program, 'run', 'in-flight', ...SHORT, '--quiet']);
  });
});

/** @param {string} origin */
async function useInBrowser(origin) {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(`${origin}/inflight`);
    await PAGES.inflight.use?.(driven(page));
  } finally {
    await browser.close();
  }
}
