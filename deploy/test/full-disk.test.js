/**
 * A disk that is really full: a small one of its own, which needs root to mount.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { FILE_NAME } from '../../server/store/sqlite.js';
import { createLinesLog } from '../../test/support/lines-log.js';
import { runProgram } from '../../test/support/program.js';
import { askReady, openServer } from '../../test/support/server.js';
import { createShootout, postSubmission } from '../../test/support/submissions.js';

const execute = promisify(execFile);
const DISK_BYTES = 4 * 1024 * 1024;

describe('a full disk', () => {
  it('is said to be so, and is written again without a restart once there is room', () =>
    withDisk(async (disk) => {
      const { log, lines } = createLinesLog();
      const dataDir = path.join(disk, 'data');
      const server = await openServer({ env: { DATA_DIR: dataDir }, limits: { storeCheckEveryMs: 0 }, log });
      /** @returns {Promise<[status: number, code?: string]>} */
      const save = async () => {
        const { status, answer } = await postSubmission(server.origin, { document: createShootout() });
        return [status, answer.error?.code];
      };
      try {
        assert.deepEqual(await save(), [201, undefined]);
        const filler = path.join(disk, 'filler');
        await fill(filler);
        assert.deepEqual(await save(), [507, 'store-full']);
        assert.deepEqual(await askReady(server.origin), [503, { status: 'store unavailable', reason: 'full' }]);
        const { results } = await (await fetch(`${server.origin}/api/results`)).json();
        assert.equal(results.length, 1);

        await rm(filler);
        assert.deepEqual(await askReady(server.origin), [200, { status: 'ready' }]);
        assert.deepEqual(await save(), [201, undefined]);
      } finally {
        await server.close();
      }
      const errors = lines.filter(({ msg }) => msg === 'the store cannot be used').map(({ err }) => err);
      assert.deepEqual(
        errors.map(({ code, reason, path: file }) => [code, reason, file]),
        Array(2).fill(['SQLITE_FULL', 'full', path.join(dataDir, FILE_NAME)]),
      );
    }));

  it('is said to be so while a row still finds room, where a run may not', () =>
    withDisk(async (disk) => {
      const server = await openServer({ env: { DATA_DIR: disk }, limits: { storeCheckEveryMs: 0 } });
      try {
        const filler = path.join(disk, 'filler');
        await fill(filler);
        await truncate(filler, (await stat(filler)).size - DISK_BYTES / 4);
        await assert.rejects(server.store.check(), { reason: 'full', code: undefined });
        assert.deepEqual(await askReady(server.origin), [503, { status: 'store unavailable', reason: 'full' }]);
      } finally {
        await server.close();
      }
    }));

  it('is what a program says that finds no room for the file beside the database', () =>
    withDisk(async (disk) => {
      const migrate = () => runProgram('deploy/migrate.js', [], { env: { ...process.env, DATA_DIR: disk } });
      assert.equal((await migrate()).code, 0);
      await fill(path.join(disk, 'filler'));
      const { code, err } = await migrate();
      assert.equal(code, 1);
      assert.ok(err.includes(disk) && err.includes('full disk'), err);
    }));
});

/** @param {(folder: string) => Promise<unknown>} use */
async function withDisk(use) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-disk-'));
  await execute('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
  try {
    await use(folder);
  } finally {
    // Lazily: what was closed may be held for a moment yet.
    await execute('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} file takes all the room that is left */
async function fill(file) {
  const handle = await open(file, 'w');
  try {
    const block = Buffer.alloc(4096);
    while ((await handle.write(block)).bytesWritten === block.length);
  } catch (error) {
    assert.equal(/** @type {NodeJS.ErrnoException} */ (error).code, 'ENOSPC');
  } finally {
    await handle.close();
  }
}
