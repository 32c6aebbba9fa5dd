/**
 * The control groups of a limited server, as files in a folder that stands for the kernel's. What they do is tested with
 * the kernel's own, in distance/bounds/link.test.js.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UsageError } from '../../cli/program/program.js';
import { limitServer } from '../../lab/server-limits.js';

const LIMITS = { cpus: 0.125, memoryMib: 1024 };

describe('a limited server', () => {
  /** @type {string} */
  let root;
  beforeEach(async () => (root = await mkdtemp(path.join(os.tmpdir(), 'control-groups-'))));
  afterEach(() => rm(root, { recursive: true }));

  /** @param {string} folder below the root, with one group */
  async function readGroup(folder) {
    const [group] = (await readdir(path.join(root, folder))).filter((name) => name.startsWith('sockshootout-'));
    const files = await readdir(path.join(root, folder, group));
    const read = files.map(async (file) => [file, await readFile(path.join(root, folder, group, file), 'utf8')]);
    return Object.fromEntries(await Promise.all(read));
  }

  it('has one control group of version 2', async () => {
    for (const file of ['cgroup.controllers', 'cgroup.subtree_control']) await writeFile(path.join(root, file), '');
    await limitServer(LIMITS, root);
    const memory = { 'memory.max': '1073741824', 'memory.swap.max': '0' };
    assert.deepEqual(await readGroup('.'), { 'cpu.max': '12500 100000', ...memory });
    assert.equal(await readFile(path.join(root, 'cgroup.subtree_control'), 'utf8'), '+cpu +memory');
  });

  it('needs the control of no more than what was asked for, and has whole bytes', async () => {
    const control = path.join(root, 'cgroup.subtree_control');
    for (const file of [path.join(root, 'cgroup.controllers'), control]) await writeFile(file, '');
    const { close } = await limitServer({ cpus: 0.5 }, root);
    assert.equal(await readFile(control, 'utf8'), '+cpu');
    const [group] = (await readdir(root)).filter((name) => name.startsWith('sockshootout-'));
    assert.deepEqual(await readdir(path.join(root, group)), ['cpu.max']);
    await rm(path.join(root, group, 'cpu.max'));
    await close();
    await limitServer({ memoryMib: 100.1 }, root);
    assert.equal(await readFile(control, 'utf8'), '+memory');
    assert.equal((await readGroup('.'))['memory.max'], '104962458');
  });

  it('has a control group for each limit in version 1', async () => {
    for (const controller of ['cpu', 'memory']) await mkdir(path.join(root, controller));
    await limitServer(LIMITS, root);
    assert.deepEqual(await readGroup('cpu'), { 'cpu.cfs_period_us': '100000', 'cpu.cfs_quota_us': '12500' });
    assert.deepEqual(await readGroup('memory'), { 'memory.limit_in_bytes': '1073741824' });
  });

  it('enters its groups before it starts, with its own process id', async () => {
    await mkdir(path.join(root, 'memory'));
    const { command } = await limitServer({ memoryMib: 64 }, root);
    const [name, ...args] = command([process.execPath, '--print', 'process.pid']);
    const pid = execFileSync(name, args, { encoding: 'utf8' });
    assert.equal((await readGroup('memory'))['cgroup.procs'], pid);
  });

  it('is any server where nothing is limited', async () => {
    const { command, close } = await limitServer({}, root);
    assert.deepEqual(command(['node', 'server.js']), ['node', 'server.js']);
    await close();
    assert.deepEqual(await readdir(root), []);
  });

  it('leaves nothing behind, nor what a killed program left', async () => {
    await mkdir(path.join(root, 'cpu'));
    // No process has an id as large.
    await mkdir(path.join(root, 'cpu', 'sockshootout-99999999-0'));
    const { close } = await limitServer({ cpus: 1 }, root);
    const [own, ...others] = await readdir(path.join(root, 'cpu'));
    assert.deepEqual(others, []);
    // The kernel's files go with their group.
    for (const file of await readdir(path.join(root, 'cpu', own))) await rm(path.join(root, 'cpu', own, file));
    await close();
    assert.deepEqual(await readdir(path.join(root, 'cpu')), []);
  });

  it('is refused where control groups cannot be made', async () => {
    const readOnly = path.join(root, 'memory');
    await writeFile(readOnly, '');
    await assert.rejects(limitServer({ memoryMib: 64 }, root), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, /--memory .* read-only/);
      return true;
    });
  });
});
