import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Libsql from 'libsql';
import { describe, it } from 'node:test';
import { createStore, openStore } from '../../server/store/index.js';
import { SEARCHED_AT_ONCE } from '../../server/store/lists.js';
import { toRow } from '../../server/store/rows.js';
import { FILE_NAME, openSqlite } from '../../server/store/sqlite.js';
import { storeContract } from '../contract/store/index.js';
import { holdsOnce } from '../support/attempts.js';
import '../support/lean.js';
import { createDocument, createId, createSavedRun, createSavedRuns, hashToken } from '../support/saved-runs.js';
import { startSaver } from '../support/savers.js';
import { sqliteFaults } from '../support/store-faults.js';
import { withFolder } from '../support/folder.js';

const NOBODY = 65534;
/** A statement takes 32,766 values. */
const INSERTED_AT_ONCE = 1000;

describe('the store in an SQLite file', () => {
  for (const [name, check] of Object.entries(storeContract)) {
    it(name, () =>
      withFolder((folder) => {
        const dataDir = path.join(folder, 'data');
        return check({
          place: { dataDir },
          openDatabase: () => openSqlite(dataDir),
          faults: sqliteFaults,
          path: path.join(dataDir, FILE_NAME),
        });
      }),
    );
  }

  it('lists by each filter, and each two, what an index finds in the order of the list', () =>
    withFolder(async (dataDir) => {
      const database = await openSqlite(dataDir);
      /** @type {string[]} */
      const plans = [];
      const readDb = database.readDb.withPlugin({
        transformQuery({ node, queryId }) {
          const { sql: text, parameters } = database.readDb.getExecutor().compileQuery(node, queryId);
          const rows = new Libsql(path.join(dataDir, FILE_NAME))
            .prepare(`explain query plan ${text}`)
            .all(...parameters);
          plans.push(rows.map((row) => /** @type {any} */ (row).detail).join('; '));
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const store = createStore({ ...database, readDb });
      try {
        await store.migrate();
        const all = Object.entries({
          experiment: 'e',
          label: 'l',
          place: 'p',
          browser: 'b',
          server: 's',
          isValid: true,
        });
        const pairs = all.flatMap((first, i) => all.slice(i).map((second) => Object.fromEntries([first, second])));
        const before = { savedAt: '2026-11-21T07:00:00.000Z', id: createId('any') };
        for (const filter of [{}, ...pairs, { transport: 't' }]) {
          for (const page of [{ filter }, { filter, before }]) {
            plans.length = 0;
            await store.list({ ...page, limit: 9 });
            // Before it, names are looked for that have no key yet.
            const plan = plans.at(-1) ?? '';
            const name = `${JSON.stringify(page)}: ${plan}`;
            // A transport has a table of its own, whose runs are found by their ID.
            const ofIndex = plan.replace(/SEARCH run USING (COVERING )?INDEX sqlite_autoindex.*/, '');
            assert.equal((ofIndex.match(/=\?/g) ?? []).length, Object.keys(filter).length, name);
            assert.doesNotMatch(plan, page.before || 'transport' in filter ? /SCAN|TEMP/ : /TEMP/, name);
          }
        }
      } finally {
        await store.close();
      }
    }));

  it('searches a limited number of runs for what no index finds, and goes on from there', () =>
    withFolder(async (dataDir) => {
      const database = await openSqlite(dataDir);
      const store = createStore(database);
      try {
        await store.migrate();
        const count = 2 * SEARCHED_AT_ONCE + 10;
        const minute = (/** @type {number} */ i) => new Date(Date.UTC(2026, 1, 1, 0, i)).toISOString();
        // Only the oldest one has the third.
        const runs = Array.from({ length: count }, (_, i) =>
          createSavedRun({
            id: createId(`${i}`),
            savedAt: minute(i),
            label: 'l',
            place: { name: 'p' },
            server: i > 0 ? 'a' : 'b',
          }),
        );
        const tokenHash = hashToken('x');
        for (let i = 0; i < count; i += INSERTED_AT_ONCE) {
          const rows = runs.slice(i, i + INSERTED_AT_ONCE).map((run) => toRow(run, tokenHash));
          await database.db.insertInto('saved_runs').values(rows).execute();
        }
        const filter = { label: 'l', place: 'p', server: 'b' };
        const first = await store.search({ filter, limit: 9 });
        const { id, savedAt } = runs[count - SEARCHED_AT_ONCE];
        assert.deepEqual(first, { runs: [], searchedTo: { id, savedAt } });
        const second = await store.search({ filter, before: first.searchedTo, limit: 9 });
        assert.deepEqual(second.runs, []);
        const last = await store.search({ filter, before: second.searchedTo, limit: 9 });
        assert.deepEqual(last, { runs: [runs[0]], searchedTo: undefined });
        assert.deepEqual(await store.list({ filter, limit: 9 }), [runs[0]]);
        assert.equal(await store.count({ label: 'l' }), count);
      } finally {
        await store.close();
      }
    }));

  it('is read while another process keeps it from being written', () =>
    withFolder(async (dataDir) => {
      const store = await openMigrated(dataDir);
      const [first, second] = createSavedRuns(2);
      const contents = { document: createDocument('any'), tokenHash: hashToken('any') };
      await store.save(first, contents);
      const blocker = await startBlocker(path.join(dataDir, FILE_NAME));
      try {
        /** @type {string[]} */
        const done = [];
        const writes = [
          store.save(second, contents).then(() => done.push('save')),
          store.check().then(() => done.push('check')),
        ];
        assert.deepEqual(await store.list({ limit: 9 }), [first]);
        assert.deepEqual(await store.get(first.id), first);
        assert.deepEqual(await store.getDocument(first.id), contents.document);
        assert.deepEqual(done, []);
        await blocker.end();
        await Promise.all(writes);
        assert.deepEqual(await store.get(second.id), second);
      } finally {
        await blocker.end();
        await store.close();
      }
    }));

  it('is pruned a few at a time, so that somebody can save meanwhile', (t) =>
    // Before it is its turn, a save looks for its file, which takes the system no time, or on a busy machine too long.
    holdsOnce(t, async () => {
      let failure;
      await withFolder(async (dataDir) => {
        const store = await openMigrated(dataDir);
        try {
          const contents = { document: createDocument('any'), tokenHash: hashToken('any') };
          for (const run of createSavedRuns(60)) await store.save(run, contents);
          const late = createSavedRun({ id: createId('late'), savedAt: '2026-12-01T00:00:00.000Z' });
          // Opens what reads, which would take a moment below.
          assert.equal((await store.list({ limit: 100 })).length, 60);
          const [prunedCount, leftWhenSaved] = await Promise.all([
            store.prune(new Date('2026-11-30')),
            store.save(late, contents).then(() => store.list({ limit: 100 })),
          ]);
          if (leftWhenSaved.length === 1) failure = 'all were pruned before another could save';
          assert.equal(prunedCount, 60);
          assert.deepEqual(await store.list({ limit: 100 }), [late]);
        } finally {
          await store.close();
        }
      });
      return failure;
    }));

  it('makes its folder and its files for its owner alone, those of an earlier release, too', () =>
    withFolder(async (folder) => {
      const dataDir = path.join(folder, 'a/b');
      const modeOf = async (/** @type {string} */ file) => (await stat(file)).mode & 0o777;
      const openAndLook = async () => {
        const store = await openStore({ dataDir });
        try {
          await store.migrate();
          return await Promise.all(['', '-wal', '-shm'].map((end) => modeOf(path.join(dataDir, FILE_NAME + end))));
        } finally {
          await store.close();
        }
      };
      assert.deepEqual(await openAndLook(), [0o600, 0o600, 0o600]);
      assert.equal(await modeOf(dataDir), 0o700);
      await chmod(path.join(dataDir, FILE_NAME), 0o644);
      assert.deepEqual(await openAndLook(), [0o600, 0o600, 0o600]);
    }));

  it('names the setting where its folder cannot be made, or holds no database', () =>
    withFolder(async (folder) => {
      await writeFile(path.join(folder, 'file'), '');
      const message = /^DATA_DIR: expected .*, got '.*': /;
      await assert.rejects(openStore({ dataDir: path.join(folder, 'file') }), { message });
      await mkdir(path.join(folder, FILE_NAME));
      await assert.rejects(openStore({ dataDir: folder }), { message });
      await rm(path.join(folder, FILE_NAME), { recursive: true });
      await writeFile(path.join(folder, FILE_NAME), 'something else, and long enough to be read as a header of a page');
      await assert.rejects(openStore({ dataDir: folder }), { message });
    }));

  it('notices that its file is gone, or another', () =>
    withFolder(async (dataDir) => {
      const store = await openMigrated(dataDir);
      try {
        const file = path.join(dataDir, FILE_NAME);
        await rename(file, `${file}.away`);
        await assert.rejects(store.check(), { code: 'ENOENT' });
        // What cannot be kept is not acknowledged.
        await assert.rejects(store.save(createSavedRun(), { document: new Uint8Array(1), tokenHash: hashToken('x') }), {
          code: 'ENOENT',
        });
        await writeFile(file, '');
        await assert.rejects(store.check(), { name: 'StoreError', reason: 'unavailable' });
        await rename(`${file}.away`, file);
        await store.check();
      } finally {
        await store.close();
      }
    }));
});

describe('an SQLite file that may only be read', () => {
  for (const { name, isInUse } of [
    { name: 'is opened and read, says so, and is written once it may be', isInUse: false },
    // Then its log lies beside it, and what this process has of it is shared by its connections.
    { name: 'is so, too, while another process has it open', isInUse: true },
  ]) {
    it(name, () =>
      withFolder(async (folder) => {
        const dataDir = path.join(folder, 'data');
        const store = await openMigrated(dataDir);
        await store.save(createSavedRun(), { document: createDocument('any'), tokenHash: hashToken('any') });
        await store.getSecret('jobs');
        if (!isInUse) await store.close();
        await chmod(folder, 0o755);
        await giveAway(dataDir);
        await allow(dataDir, { folder: 0o500, files: 0o400 });
        try {
          await withUser(dataDir, async (ask) => {
            assert.equal(await ask('list'), '1');
            for (const act of /** @type {const} */ (['check', 'save', 'list', 'check'])) {
              assert.equal(await ask(act), act === 'list' ? '1' : 'read-only');
            }
            await allow(dataDir, { folder: 0o700, files: 0o600 });
            for (const act of /** @type {const} */ (['save', 'check'])) assert.equal(await ask(act), 'done');
            assert.equal(await ask('list'), '2');
          });
        } finally {
          if (isInUse) await store.close();
        }
      }),
    );
  }
});

describe('a backup of an SQLite file', () => {
  it('is whole while others save, can be restored, and is for its owner alone', () =>
    withFolder(async (folder) => {
      const [dataDir, restoredDir] = ['data', 'restored'].map((name) => path.join(folder, name));
      const file = path.join(folder, 'backup.db');
      const saver = startSaver({ dataDir }, 'saver');
      const store = await openMigrated(dataDir);
      /** @type {string[]} */
      const before = [];
      try {
        await saver.untilSaved(20);
        before.push(...(await store.list({ limit: 100_000 })).map(({ id }) => id));
        await store.backup(file);
      } finally {
        saver.kill();
        await saver.ended();
        await store.close();
      }
      assert.equal((await stat(file)).mode & 0o777, 0o600);

      // As docs/store.md says.
      await mkdir(restoredDir);
      await copyFile(file, path.join(restoredDir, FILE_NAME));
      const restored = await openStore({ dataDir: restoredDir });
      try {
        assert.deepEqual(await restored.migrate(), []);
        const listed = (await restored.list({ limit: 100_000 })).map(({ id }) => id);
        assert.ok(before.length >= 20 && before.every((id) => listed.includes(id)));
        for (const id of listed) assert.deepEqual(await restored.getDocument(id), createDocument(id), id);
      } finally {
        await restored.close();
      }
    }));

  it('overwrites nothing, and leaves nothing behind where it fails', () =>
    withFolder(async (folder) => {
      const store = await openMigrated(folder);
      try {
        const file = path.join(folder, 'there');
        await writeFile(file, 'precious');
        await assert.rejects(store.backup(file), { code: 'EEXIST' });
        await assert.rejects(store.backup(path.join(folder, 'no/such/folder')), { code: 'ENOENT' });
        assert.equal((await stat(file)).size, 'precious'.length);
        assert.deepEqual(
          (await readdir(folder)).filter((name) => !name.startsWith(FILE_NAME)),
          ['there'],
        );
      } finally {
        await store.close();
      }
    }));
});

/**
 * To another user than root, who may do all.
 *
 * @param {string} dataDir
 */
async function giveAway(dataDir) {
  if (process.getuid?.() !== 0) return;
  await chown(dataDir, NOBODY, NOBODY);
  await forEachFile(dataDir, (file) => chown(file, NOBODY, NOBODY));
}

/** @param {string} dataDir @param {{ folder: number, files: number }} modes */
async function allow(dataDir, { folder, files }) {
  await forEachFile(dataDir, (file) => chmod(file, files));
  await chmod(dataDir, folder);
}

/** @param {string} dataDir @param {(file: string) => Promise<void>} act */
async function forEachFile(dataDir, act) {
  for (const name of await readdir(dataDir)) {
    // The log of a store that was closed goes when the garbage of its connections is collected.
    await act(path.join(dataDir, name)).catch((error) => assert.equal(error.code, 'ENOENT'));
  }
}

/**
 * @param {string} dataDir
 * @param {(ask: (act: 'list' | 'check' | 'save') => Promise<string>) => Promise<unknown>} use asks a process of a user who
 *   may not do all, and has the store open
 */
async function withUser(dataDir, use) {
  const child = fork(path.join(import.meta.dirname, '../programs/store-user.js'), [dataDir, String(NOBODY)]);
  const ended = once(child, 'exit');
  try {
    await use(async (act) => {
      child.send(act);
      const [said] = await Promise.race([once(child, 'message'), ended.then(([code]) => [`ended with ${code}`])]);
      return said;
    });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/**
 * Another process that has the right to write to the file, and keeps it.
 *
 * @param {string} file
 */
async function startBlocker(file) {
  const program = `
    import Libsql from 'libsql';
    new Libsql(process.argv[1]).exec('BEGIN IMMEDIATE');
    process.stdout.write('blocked');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, file], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await Promise.race([
    once(child.stdout, 'data'),
    closed.then(([code]) => assert.fail(`It ended with ${code} before it had the right to write`)),
  ]);
  return {
    end() {
      child.kill('SIGKILL');
      return closed;
    },
  };
}

/** @param {string} dataDir */
async function openMigrated(dataDir) {
  const store = await openStore({ dataDir });
  await store.migrate();
  return store;
}
