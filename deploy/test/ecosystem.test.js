/**
 * What pm2 makes of ecosystem.config.js where somebody gets a setting wrong, or changes his mind. (Where all is right:
 * test/soak/pm2.test.js.)
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withPm2 } from '../../test/support/pm2.js';
import { assertComplaint } from '../../test/support/complaint.js';
import { openSession } from '../../test/support/sockjs-session.js';
import { createShootout, postSubmission } from '../../test/support/submissions.js';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PM2 = path.join(ROOT, 'node_modules/pm2/bin/pm2');
const SESSION_COUNT = 10;
const WATCH_LIMIT_MS = 60_000;

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {...string} words
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function pm2(env, ...words) {
  return execute(process.execPath, [PM2, ...words], { cwd: ROOT, env: { ...process.env, ...env } }).then(
    (said) => ({ code: 0, ...said }),
    (error) => error,
  );
}

// At once, as pm2 waits for most of its time.
describe('pm2 start ecosystem.config.js', { concurrency: true }, () => {
  it('names what is wrong with the settings, and starts nothing', async () => {
    const home = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-pm2-'));
    try {
      /** @type {[NodeJS.ProcessEnv, [name: string, got: string][]][]} */
      const wrongs = [
        [
          { PORT: 'abc', TRUST_PROXY: 'x' },
          [
            ['PORT', "'abc'"],
            ['TRUST_PROXY', "'x'"],
          ],
        ],
        // Both workers have a port after it.
        [{ PORT: '65534' }, [['PORT', "'65534'"]]],
        [{ WORKERS: '0' }, [['WORKERS', "'0'"]]],
      ];
      for (const [settings, expected] of wrongs) {
        const env = { PM2_HOME: home, WORKERS: '2', ...settings };
        const { code, stderr } = await pm2(env, 'start', 'ecosystem.config.js');
        assert.equal(code, 1);
        const complaints = stderr.trimEnd().split('\n');
        assert.equal(complaints.length, expected.length, stderr);
        for (const [index, [name, got]] of expected.entries()) assertComplaint(complaints[index], name, got);
      }
      assert.deepEqual(JSON.parse((await pm2({ PM2_HOME: home }, 'jlist')).stdout), []);
    } finally {
      await pm2({ PM2_HOME: home }, 'kill');
      await rm(home, { recursive: true, force: true });
    }
  });

  it('once more with another WORKERS changes the other settings, and breaks nothing', () =>
    withPm2({ workers: 2 }, async ({ origin, port, list }) => {
      const [{ pm2_env }] = await list();
      for (const workers of ['3', '1']) {
        const { PM2_HOME, DATA_DIR } = pm2_env;
        const env = { PM2_HOME, DATA_DIR, PORT: String(port), WORKERS: workers, SERVER_NAME: `of ${workers}` };
        assert.equal((await pm2(env, 'start', 'ecosystem.config.js')).code, 0);

        const running = (await list()).map(({ pm2_env: { status, WORKERS } }) => [status, WORKERS]);
        assert.deepEqual(running, Array(2).fill(['online', '2']));
        const sessions = Array.from({ length: SESSION_COUNT }, () => openSession(`${origin}/echo`, 'xhr-polling'));
        for (const session of await Promise.all(sessions)) {
          assert.equal((await session.ask({ whoami: true })).server, `of ${workers}`);
          session.close();
        }
      }
    }));
});

describe('pm2 start --watch', () => {
  it('restarts where a source changes, not where a run is shared', async () => {
    const dataDir = await mkdtemp(path.join(ROOT, 'data-'));
    const source = path.join(ROOT, 'server', `${path.basename(dataDir)}.js`);
    const options = { workers: 1, env: { DATA_DIR: path.basename(dataDir) }, args: ['--watch'] };
    try {
      await withPm2(options, async ({ origin, list }) => {
        const [{ pm2_env }] = await list();
        const readChanges = async () => {
          const log = await readFile(path.join(pm2_env.PM2_HOME, 'pm2.log'), 'utf8');
          return [...log.matchAll(/Change detected on path (\S+)/g)].map(([, file]) => file);
        };
        const share = async () => {
          const shared = await postSubmission(origin, { document: createShootout() });
          assert.equal(shared.status, 201);
        };
        /** Changes the source until pm2 has noticed it, and the site runs again. @param {number} count */
        const restart = async (count) => {
          const ended = AbortSignal.timeout(WATCH_LIMIT_MS);
          const isNoticed = async () => (await readChanges()).filter((file) => file.endsWith('.js')).length >= count;
          while (!(await isNoticed())) {
            await writeFile(source, `// ${performance.now()}`);
            await setTimeout(500, undefined, { signal: ended });
          }
          const isOnline = async () => (await list())[0].pm2_env.status === 'online';
          while (!(await isOnline())) await setTimeout(100, undefined, { signal: ended });
        };
        await restart(1);
        await share();
        await share();
        await restart(2);
        const changes = await readChanges();
        assert.deepEqual(
          changes.filter((file) => file.startsWith(path.basename(dataDir))),
          [],
        );
      });
    } finally {
      for (const one of [source, dataDir]) await rm(one, { recursive: true, force: true });
    }
  });
});

describe('a deployment', () => {
  it('needs none of the site’s settings where it starts', async () => {
    const read = `import('./ecosystem.config.js').then(({ deploy }) => console.log(deploy.production.host))`;
    const env = { ...process.env, PORT: 'abc', DEPLOY_HOST: 'example.org', DEPLOY_REPO: '/srv/site.git' };
    assert.equal((await execute(process.execPath, ['-e', read], { cwd: ROOT, env })).stdout, 'example.org\n');
  });
});
