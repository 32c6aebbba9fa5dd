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
import { after, before, describe, it } from 'node:test';
import { runScript, startScript } from './support/npm-script.js';
import { openServer } from './support/server.js';

/** Where each script is run: as `npm run NAME` or `npm NAME`, or by the functions of support/npm-script.js. */
const RUN_BY = {
  '.ci/run': ['test', 'test:all', 'test:distance', 'test:deploy', 'lint', 'format', 'format:check', 'typecheck'],
  'package.json': ['test:browser', 'test:soak'],
  'test/scripts.test.js': ['start', 'shootout', 'jobs', 'payload', 'results', 'migrate', 'nginx'],
  'test/soak/benches.test.js': ['bench', 'bench:cluster', 'bench:floods', 'bench:itself', 'bench:store'],
  'distance/lab.test.js': ['lab'],
  'deploy/test/deploy.test.js': ['deploy:setup', 'deploy', 'deploy:revert'],
};

describe('the scripts of package.json', () => {
  it('are all in the list of what is run', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
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
  /** @type {import('./support/server.js').TestServer} */
  let server;
  /** @type {string} */
  let dataDir;
  before(async () => {
    server = await openServer();
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  });
  after(async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  });

  /** @param {Awaited<ReturnType<typeof runScript>>} result */
  const parse = ({ code, out, err }) => {
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };

  it('npm run shootout measures', async () => {
    const plan = 'transports=fetch,sockjs&blocks=6&iterations=2&warmup=0&payload=0&seed=1';
    const { trials } = parse(
      await runScript('shootout', ['--url', server.origin, '--plan', plan, '--json', '--quiet']),
    );
    assert.equal(trials.length, 12);
  });

  it('npm run jobs measures', async () => {
    const plan = ['--ways', 'push', '--users', '1', '--jobs', '2', '--most', '10'];
    const { trials } = parse(await runScript('jobs', ['--url', server.origin, ...plan, '--json', '--quiet']));
    assert.equal(trials[0].told.job.length, 2);
  });

  it('npm run payload measures', async () => {
    const plan = ['--sizes', '10', '--directions', 'up', '--transports', 'fetch'];
    const { trials } = parse(await runScript('payload', ['--url', server.origin, ...plan, '--json', '--quiet']));
    assert.equal(trials.length, 6);
  });

  it('npm run migrate makes a store, which npm run results lists', async () => {
    const env = { DATA_DIR: dataDir };
    const migrated = await runScript('migrate', [], env);
    assert.equal(migrated.code, 0, migrated.err);
    assert.match(migrated.out, /migrated: /);
    assert.equal((await runScript('results', ['list'], env)).code, 0);
  });

  it('npm run nginx prints a configuration', async () => {
    const { code, out } = await runScript('nginx', ['--domain', 'example.org']);
    assert.equal(code, 0);
    assert.match(out, /server_name example\.org;/);
  });
});
