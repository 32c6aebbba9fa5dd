/** `sockshootout serve --workers N`: the site as several processes, without pm2. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { ownerOf } from '../../server/workers.js';
import { assertRefused } from '../support/complaint.js';
import { runProgram } from '../support/program.js';
import { openSession } from '../support/sockjs-session.js';

const PROGRAM = 'cli/sockshootout.js';
const WORKERS = 3;
/** It includes the time after which a worker counts as frozen. */
const BACK_LIMIT_MS = 180_000;

/** @param {string} origin @returns {Promise<{ worker: number, startedAt: string }>} */
const askWho = async (origin) =>
  (await fetch(`${origin}/ajaxecho?whoami=1`, { signal: AbortSignal.timeout(5000) })).json();

/** @param {number} worker @returns {string} the ID of a session that it owns */
const createSessionId = (worker) =>
  Array.from({ length: 100 }, (_, i) => `session${i}`).find((id) => ownerOf(id, WORKERS) === worker) ?? assert.fail();

/** @param {number} pid @returns {Promise<number>} of the process that it started last */
async function findLastChild(pid) {
  const pids = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(pids.trim().split(' ').at(-1));
}

/** @param {string} origin at a worker's own port @param {{ worker: number, startedAt: string }} before */
async function untilReplaced(origin, before) {
  const limit = AbortSignal.timeout(BACK_LIMIT_MS);
  for (;;) {
    const { worker, startedAt } = await askWho(origin).catch(() => before);
    if (startedAt !== before.startedAt) {
      assert.equal(worker, before.worker);
      return;
    }
    await setTimeout(100, undefined, { signal: limit });
  }
}

/** @param {(site: { pid: number, port: number, stop(): Promise<any[]>, logged: string[] }) => Promise<unknown>} use */
async function withSite(use) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  const port = await findFreePorts(WORKERS + 1);
  const args = ['--host', '127.0.0.1', '--port', `${port}`, '--data', folder, '--workers', `${WORKERS}`];
  const env = { ...process.env, LOG_LEVEL: 'error' };
  const site = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(site, 'exit');
  /** @type {string[]} */
  const logged = [];
  try {
    const lines = createInterface({ input: site.stdout });
    lines.on('line', (line) => logged.push(line));
    // It says so when all of them listen.
    await once(lines, 'line');
    assert.equal(logged[0], `SockShootout: http://127.0.0.1:${port}`);
    const stop = () => {
      site.kill('SIGTERM');
      return exited;
    };
    await use({ pid: Number(site.pid), port, stop, logged });
  } finally {
    site.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
}

describe('serve --workers', { concurrency: true }, () => {
  it('starts that many, relays sessions between them, replaces one that ended, and ends all with the signal', () =>
    withSite(async ({ pid, port, stop, logged }) => {
      const origin = `http://127.0.0.1:${port}`;
      for (let worker = 0; worker < WORKERS; worker++) {
        assert.equal((await askWho(`http://127.0.0.1:${port + 1 + worker}`)).worker, worker);
        // Each of its requests is a connection, which Node.js gives to one worker after the other.
        const { ask, close } = await openSession(`${origin}/echo`, 'xhr-polling', createSessionId(worker));
        assert.deepEqual(await ask({ count: 1 }), { count: 2 });
        assert.equal((await ask({ whoami: true })).worker, worker);
        close();
      }

      const last = `http://127.0.0.1:${port + WORKERS}`;
      const before = await askWho(last);
      process.kill(await findLastChild(pid), 'SIGKILL');
      await untilReplaced(last, before);
      const { worker, signal } = JSON.parse(logged.at(-1) ?? '');
      assert.deepEqual([worker, signal], [WORKERS - 1, 'SIGKILL']);

      const sessions = await Promise.all(
        ['websocket', 'xhr-streaming'].map((name) => openSession(`${origin}/echo`, name)),
      );
      const ended = stop();
      for (const { closed } of sessions) assert.equal((await closed).code, 1001);
      assert.deepEqual(await ended, [0, null]);
    }));

  it('replaces one that stands still, and says so in one line', () =>
    withSite(async ({ pid, port, logged }) => {
      const last = `http://127.0.0.1:${port + WORKERS}`;
      const before = await askWho(last);
      process.kill(await findLastChild(pid), 'SIGSTOP');
      await untilReplaced(last, before);
      const lines = logged.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.map(({ worker, signal }) => [worker, signal]),
        [[WORKERS - 1, 'SIGKILL']],
      );
      assert.match(lines[0].msg, /not answered for 60 s/);
    }));

  it('checks the settings once, and ends where the first worker cannot start', async () => {
    assertRefused(await runProgram(PROGRAM, ['serve', '--workers', '2', '--port', '0']), '--port', '0');
    const nobody = 'postgres://somebody@127.0.0.1:1/runs';
    const env = { ...process.env, DATABASE_URL: nobody, PORT: `${await findFreePorts(3)}`, WORKERS: '2' };
    const { code, out, err } = await runProgram(PROGRAM, ['serve'], { env });
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^DATABASE_URL: expected [^\n]+\n$/);
  });
});
