/**
 * `sockshootout lab open` as its user has it: a URL for a browser of this machine, and nothing left afterwards.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as waitMs } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readUntil } from '../../cli/program/child.js';
import { launchChromium } from '../../cli/program/chromium.js';
import { withLink } from '../../lab/link.js';
import { runCommand } from '../../test/support/program.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Browser } from 'playwright-core' */

/** For what hangs: nothing takes nearly as long. */
const LIMIT_MS = 120_000;
const LOOK_MS = 100;
const execute = promisify(execFile);

/** @param {string} args @returns {Promise<{ child: ChildProcess, url: string, address: string }>} when it is open */
async function open(args) {
  const child = spawn(process.execPath, ['cli/sockshootout.js', 'lab', 'open', ...args.split(' ')]);
  const url = await readUntil(child, (line) => line, { limitMs: LIMIT_MS });
  return { child, url, address: new URL(url).hostname };
}

/**
 * @param {string} prepare for a shell: what it mounts is only for this lab
 * @param {string} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function openAfter(prepare, args, env = process.env) {
  /** @type {ChildProcess | undefined} */
  let lab;
  const program = [process.execPath, 'cli/sockshootout.js', 'lab', 'open', ...args.split(' ')];
  const command = ['unshare', '--mount', 'sh', '-c', `${prepare} && exec "$@"`, 'sh', ...program];
  const { code, out, err } = await runCommand(command, { env, onProgress: (_text, child) => (lab = child) });
  return { code, out, err, left: lab ? await listLeft(lab) : [] };
}

/** @param {string} address @returns {Promise<number>} ms, the smallest of three */
async function ping(address) {
  const { stdout } = await execute('ping', ['-n', '-q', '-c', '3', '-i', '0.2', address]);
  return Number(/= ([\d.]+)\//.exec(stdout)?.[1]);
}

/** @param {ChildProcess} child @returns {Promise<string[]>} its namespaces, and what runs in them */
async function listLeft({ pid }) {
  const { stdout } = await execute('ip', ['netns', 'list']);
  const names = stdout.split('\n').map((line) => line.split(' ')[0]);
  const own = names.filter((name) => name.startsWith(`sockshootout-${pid}-`));
  // It may be gone in between.
  const programs = own.map((name) => execute('ip', ['netns', 'pids', name]).catch(() => ({ stdout: '' })));
  return [...own, ...(await Promise.all(programs)).flatMap(({ stdout: pids }) => pids.split('\n')).filter(Boolean)];
}

/** @param {string} address @returns {Promise<boolean>} does this machine have a device that leads there? */
const isReached = async (address) => (await execute('ip', ['route', 'show', address])).stdout !== '';

describe('sockshootout lab open', () => {
  /** @type {Browser} */
  let browser;
  before(async () => (browser = await launchChromium()));
  after(() => browser.close());

  /** @param {string} url @returns {Promise<{ title: string, elapsedMs: number, protocol: string }>} as a browser loads it */
  async function load(url) {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    try {
      // The browser's own times of connecting begin when the request gets to it, which may be later.
      const begunMs = performance.now();
      await page.goto(url);
      const elapsedMs = performance.now() - begunMs;
      const timing = await page.evaluate(() => performance.getEntriesByType('navigation')[0].toJSON());
      return { title: await page.title(), elapsedMs, protocol: timing.nextHopProtocol };
    } finally {
      await page.close();
    }
  }

  it('leads a browser over the link, two at once over two, until Ctrl-C', { timeout: LIMIT_MS }, async () => {
    const [near, far] = await Promise.all([open('--rtt 20 --h2'), open('--rtt 120 --rtt-up 100')]);
    try {
      assert.notEqual(near.address, far.address);
      assert.ok((await ping(far.address)) >= 120);
      const [nearPage, farPage] = [await load(near.url), await load(far.url)];
      assert.match(farPage.title, /SockShootout/);
      assert.deepEqual([nearPage.protocol, farPage.protocol], ['h2', 'http/1.1']);
      // What a proxy would spare: a round trip each for TCP, TLS and the request.
      assert.ok(nearPage.elapsedMs >= 3 * 20, `${nearPage.elapsedMs} ms`);
      assert.ok(farPage.elapsedMs >= 2 * 120, `${farPage.elapsedMs} ms`);
    } finally {
      near.child.kill('SIGINT');
      far.child.kill('SIGINT');
    }
    for (const { child, address } of [near, far]) {
      const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
      assert.equal(code, 0);
      assert.deepEqual(await listLeft(child), []);
      assert.equal(await isReached(address), false);
    }
  });

  it('changes the link when it is told to', { timeout: LIMIT_MS }, async () => {
    // Its name has at most 100 characters, however many there are.
    const later = Array.from({ length: 10 }, (_, i) => ` --then rtt=${1000 + i}@${3600 + i}s`);
    const { child, address } = await open(`--rtt 20 --then rtt=80@2s${later.join('')}`);
    try {
      const begunMs = performance.now();
      let ms = await ping(address);
      assert.ok(ms >= 20, `${ms} ms`);
      while (ms < 80) {
        assert.ok(performance.now() - begunMs < LIMIT_MS / 2, `${ms} ms`);
        ms = await ping(address);
      }
    } finally {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
  });

  it('says what it could not take down, and ends with 1', { timeout: LIMIT_MS }, async () => {
    const { child } = await open('--rtt 0');
    let err = '';
    child.stderr?.on('data', (text) => (err += text));
    const [name] = (await listLeft(child)).filter((left) => left.endsWith('-server'));
    await execute('ip', ['netns', 'delete', name]);
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.match(err, new RegExp(`^The lab could not be taken down: .*${name}`, 'm'));
    assert.deepEqual(await listLeft(child), []);
  });

  it('says that control groups are read-only before it opens anything', { timeout: LIMIT_MS }, async () => {
    const groups = '/sys/fs/cgroup';
    const prepare = `mount --bind ${groups} ${groups} && mount -o remount,bind,ro ${groups}`;
    const { code, out, err, left } = await openAfter(prepare, '--cpus 0.125 --rtt 0');
    assert.deepEqual({ code, out, left }, { code: 2, out: '', left: [] });
    assert.match(err, /^--cpus and --memory need control groups .*EROFS.*docs\/scale\.md shows\.\n$/);
  });

  it('says what it needs without netem where there is no TUN device', { timeout: LIMIT_MS }, async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-tools-'));
    try {
      await writeFile(path.join(folder, 'tc'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      const prepare = 'mkdir -p /dev/net && mount -t tmpfs none /dev/net';
      const { code, out, err, left } = await openAfter(prepare, '--rtt 0', env);
      assert.deepEqual({ code, out, left }, { code: 2, out: '', left: [] });
      assert.match(err, /^Without netem, the lab needs \/dev\/net\/tun: modprobe tun \(ENOENT.*\)\n$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('leaves nothing that the next link does not remove when it was killed', { timeout: LIMIT_MS }, async () => {
    const { child, address } = await open('--rtt 0 --h2');
    // As long as it runs no other link removes it.
    assert.notDeepEqual(await listLeft(child), []);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await withLink({ rttMs: 0 }, async () => {});
    assert.deepEqual(await listLeft(child), []);
    // The kernel takes a moment for what was in a namespace.
    while (await isReached(address)) await waitMs(LOOK_MS);
  });
});
