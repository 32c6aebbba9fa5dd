/**
 * Poll or push through a real nginx, over TLS and HTTP/2, from the command line.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openServer } from '../../test/support/server.js';
import { requireNginx, withNginx } from './support/nginx.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const JOBS = ['--users', '3', '--jobs', '10', '--max', '300', '--interval', '20', '--limit', '700000', '--blocks', '1'];
/** Each with the protocol that it has through nginx. */
const WAYS = {
  poll: 'h2',
  'long-poll': 'h2',
  sse: 'h2',
  'socket-per-job': 'websocket',
  push: 'websocket',
  sockjs: 'websocket',
};

before(requireNginx);

describe('sockshootout run jobs through nginx', () => {
  it('has each user’s requests on one HTTP/2 connection, and loses none', async () => {
    const server = await openServer({ env: { TRUST_PROXY: '1' } });
    try {
      await withNginx(['--upstream', `127.0.0.1:${server.port}`], async ({ port, certificatePath }) => {
        const args = [
          '--url',
          `https://127.0.0.1:${port}`,
          ...JOBS,
          '--deliveries',
          Object.keys(WAYS).join(),
          '--json',
        ];
        const child = spawn(process.execPath, ['cli/sockshootout.js', 'run', 'jobs', ...args], {
          cwd: ROOT,
          env: { ...process.env, NODE_EXTRA_CA_CERTS: certificatePath },
        });
        let [out, err] = ['', ''];
        child.stdout.on('data', (text) => (out += text));
        child.stderr.on('data', (text) => (err += text));
        const [code] = await once(child, 'close');
        assert.equal(code, 0, err);
        const { trials } = JSON.parse(out);
        for (const { delivery, protocol, notified, failures, requestCount, traffic } of trials) {
          assert.deepEqual([delivery, failures], [delivery, []]);
          assert.deepEqual([delivery, notified.job.length], [delivery, 30]);
          assert.deepEqual([delivery, protocol], [delivery, WAYS[/** @type {keyof typeof WAYS} */ (delivery)]]);
          assert.deepEqual([delivery, traffic?.requestCount], [delivery, requestCount]);
        }
      });
    } finally {
      await server.close();
    }
  });
});
