/**
 * No script of package.json can break unnoticed: each is run by a test or by CI.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { runScript, startScript } from './support/npm-script.js';
import { runCommand } from './support/program.js';

/** Where each script is run: as `npm run NAME` or `npm NAME`, or by the functions of support/npm-script.js. */
const RUN_BY = {
  '.ci/run': [
    ...['test', 'test:browser', 'test:soak', 'test:weight', 'test:fuzz', 'test:engines', 'test:distance'],
    ...['test:whole-deploy', 'test:deploy', 'lint', 'format:check', 'typecheck'],
  ],
  'test/scripts.test.js': ['start', 'sockshootout', 'migrate', 'nginx'],
  'test/soak/release-check.test.js': ['release:check'],
  'test/soak/benches.test.js': ['bench'],
  'test/soak/bundle.test.js': ['bundle'],
  'test/soak/count.test.js': ['count'],
  'test/soak/package.test.js': ['prepack'],
  'test/soak/steady.test.js': ['test:steady'],
  'test/soak/figures.test.js': ['figures'],
  'distance/bounds/lab.test.js': ['lab'],
  'deploy/test/version.test.js': ['preversion', 'version'],
  'deploy/test/whole/deploy.test.js': ['deploy:setup', 'deploy', 'deploy:revert'],
};

describe('the scripts of package.json', () => {
  /** @type {{ scripts: Record<string, string> }} */
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

  it('are all in the list of what is run', () => {
    assert.deepEqual(Object.values(RUN_BY).flat().sort(), Object.keys(scripts).sort());
  });

  it('are run where the list says so', () => {
    const unrun = Object.entries(RUN_BY).flatMap(([file, names]) => {
      const text = readFileSync(file, 'utf8');
      const isRun = (/** @type {string} */ name) =>
        new RegExp(`(npm (run )?(--silent )?|(run|start)Script\\(')${name}(?![\\w:-])`).test(text);
      return names.filter((name) => !isRun(name)).map((name) => `${file}: ${name}`);
    });
    assert.deepEqual(unrun, []);
  });
});

describe('npm start', () => {
  it('becomes ready, and stops when it is asked to', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    const child = startScript('start', [], { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', DATA_DIR: dataDir });
    try {
      const exited = once(child, 'exit');
      for await (const line of createInterface({ input: child.stdout })) {
        const { port } = JSON.parse(line);
        if (!port) continue;
        assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
        process.kill(-Number(child.pid), 'SIGTERM');
      }
      await exited;
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});

describe('the programs', () => {
  // What it measures is in test/cli, which starts it without npm.
  it('npx sockshootout explains itself without a network', async () => {
    const { code, out, err } = await runCommand(['npx', '--offline', 'sockshootout', '--help']);
    assert.equal(code, 0, err);
    assert.match(out, /^Usage: npx sockshootout /);
  });

  it('npm run migrate makes a store, which npm run sockshootout lists', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    const env = { DATA_DIR: dataDir };
    try {
      const migrated = await runScript('migrate', [], env);
      assert.equal(migrated.code, 0, migrated.err);
      assert.match(migrated.out, /migrated: /);
      assert.equal((await runScript('sockshootout', ['results', 'list'], env)).code, 0);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it('npm run nginx prints a configuration', async () => {
    const { code, out } = await runScript('nginx', ['--domain', 'example.org']);
    assert.equal(code, 0);
    assert.match(out, /server_name example\.org;/);
  });
});
