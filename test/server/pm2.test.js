import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PM2 = path.join(ROOT, 'node_modules/pm2/bin/pm2');

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

describe('ecosystem.config.js', () => {
  it('starts the site under pm2, which waits until it is ready and lets it drain', async () => {
    const home = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-pm2-'));
    const port = await findFreePort();
    const env = { ...process.env, PM2_HOME: home, PORT: String(port), LOG_LEVEL: 'info' };
    /** @param {...string} words */
    const pm2 = (...words) => promisify(execFile)(process.execPath, [PM2, ...words], { cwd: ROOT, env });
    try {
      await pm2('start', 'ecosystem.config.js');
      // It answers at once: pm2 start came back only when the site had said that it listens.
      assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
      const [app] = JSON.parse((await pm2('jlist')).stdout);
      assert.deepEqual([app.name, app.pm2_env.status], ['sockshootout', 'online']);

      await pm2('stop', 'sockshootout');
      const [stopped] = JSON.parse((await pm2('jlist')).stdout);
      assert.deepEqual([stopped.pm2_env.status, stopped.pm2_env.exit_code], ['stopped', 0]);
    } finally {
      await pm2('kill');
      await rm(home, { recursive: true, force: true });
    }
  });
});
