/**
 * A store that cannot be used, as visitors, whoever asks for readiness, and the log see it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import Libsql from 'libsql';
import { openStore } from '../../server/store/index.js';
import { FILE_NAME } from '../../server/store/sqlite.js';
import { assertComplaint } from '../support/complaint.js';
import { createLinesLog } from '../support/lines-log.js';
import { createDocument, createSavedRuns, hashToken } from '../support/saved-runs.js';
import { askReady, openServer, spawnServer } from '../support/server.js';
import { sqliteFaults } from '../support/store-faults.js';
import { createShootout, postSubmission } from '../support/submissions.js';

const PAGE_BYTES = 4096;
/** So that a run does not fit on the page of the one before. */
const NOTE = 'x'.repeat(2000);
const RUNS = createSavedRuns(30);

describe('a store that cannot be written', () => {
  for (const { fault, reason, status, code, cause } of /** @type {const} */ ([
    { fault: 'fill', reason: 'full', status: 507, code: 'store-full', cause: 'SQLITE_FULL' },
    { fault: 'freeze', reason: 'read-only', status: 503, code: 'store-read-only', cause: 'SQLITE_READONLY' },
  ])) {
    it(`as it is ${reason}: saving is answered with ${status}, /readyz with 503, until it can be written again`, async () => {
      const { log, lines } = createLinesLog();
      const server = await openServer({ limits: { storeCheckEveryMs: 0 }, log });
      try {
        const save = () => postSubmission(server.origin, { document: createShootout(), note: NOTE });
        const kept = await save();
        const undo = await sqliteFaults[fault](server.database);

        const refused = await save();
        assert.deepEqual([refused.status, refused.answer.error.code], [status, code]);
        // A visitor is told nothing of files.
        assert.doesNotMatch(refused.answer.error.message, /\.db|SQLITE|\//);
        assert.deepEqual(await askReady(server.origin), [503, { status: 'store unavailable', reason }]);
        assert.equal((await fetch(`${server.origin}/results/${kept.answer.id}`)).status, 200);
        assert.equal((await fetch(`${server.origin}/healthz`)).status, 200);

        await undo();
        assert.deepEqual(await askReady(server.origin), [200, { status: 'ready' }]);
        assert.equal((await save()).status, 201);
      } finally {
        await server.close();
      }
      const errors = lines.filter(({ msg }) => msg === 'the store cannot be used').map(({ err }) => err);
      assert.deepEqual(
        errors.map((err) => [err.reason, err.code, path.basename(err.path)]),
        Array(2).fill([reason, cause, FILE_NAME]),
      );
      for (const { remedy, message } of errors) assert.ok(remedy && message.includes(remedy), message);
    });
  }
});

describe('a damaged database', () => {
  it('ends the start with its file and the remedy in one line, where it is read at the start', () =>
    withDamaged('kysely_migration', async (dataDir) => {
      const { code, errors } = await spawnServer({ DATA_DIR: dataDir }).exited;
      assertComplaint(errors, path.join(dataDir, FILE_NAME), 'damaged');
      assert.match(errors, /^.*docs\/store\.md.*npx sockshootout results.*\n$/);
      assert.equal(code, 1);
    }));

  it('ends the start so where its first page is damaged, too', () =>
    withDamaged(undefined, async (dataDir) => {
      const { code, errors } = await spawnServer({ DATA_DIR: dataDir }).exited;
      assertComplaint(errors, 'DATA_DIR', 'damaged');
      assert.ok(errors.includes(path.join(dataDir, FILE_NAME)), errors);
      assert.match(errors, /^.*docs\/store\.md.*npx sockshootout results.*\n$/);
      assert.equal(code, 1);
    }));

  it('is named to the operator in one line', () =>
    withDamaged('saved_runs', async (dataDir) => {
      const listing = spawn(process.execPath, ['cli/sockshootout.js', 'results', 'list'], {
        env: { ...process.env, DATA_DIR: dataDir },
      });
      let errors = '';
      listing.stderr.on('data', (text) => (errors += text));
      const [code] = await once(listing, 'close');
      assertComplaint(errors, path.join(dataDir, FILE_NAME), 'damaged');
      assert.match(errors, /^.*\n$/);
      assert.equal(code, 1);
    }));

  it('is named in the log with the remedy where it is found later; the rest of the site goes on', () =>
    withDamaged('sqlite_autoindex_saved_runs_1', async (dataDir) => {
      const server = spawnServer({ DATA_DIR: dataDir });
      /** @type {any[]} */
      const lines = [];
      try {
        const origin = await server.origin((line) => lines.push(JSON.parse(line)));
        const response = await fetch(`${origin}/api/results/${RUNS[20].id}`);
        const { error } = await response.json();
        assert.deepEqual([response.status, error.code], [503, 'store-unavailable']);
        assert.equal((await fetch(`${origin}/ajaxecho?count=1`)).status, 200);
      } finally {
        server.child.kill('SIGTERM');
        await once(server.child, 'close');
      }
      const errors = lines.filter(({ msg }) => msg === 'the store cannot be used').map(({ err }) => err);
      assert.deepEqual(
        errors.map((err) => [err.reason, err.path]),
        [['damaged', path.join(dataDir, FILE_NAME)]],
      );
    }));
});

/**
 * A store with runs in it, of whose file a page is overwritten: the first one of a table or an index, or of the file.
 *
 * @param {string | undefined} name of the table or index
 * @param {(dataDir: string) => Promise<unknown>} use
 */
async function withDamaged(name, use) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-store-'));
  const file = path.join(dataDir, FILE_NAME);
  try {
    await writeStore(dataDir);
    const database = new Libsql(file);
    const { rootpage } = name
      ? /** @type {any} */ (database.prepare('select rootpage from sqlite_schema where name = ?').get(name))
      : { rootpage: 1 };
    database.close();
    const bytes = await readFile(file);
    bytes.fill(0x5a, (rootpage - 1) * PAGE_BYTES, rootpage * PAGE_BYTES);
    await writeFile(file, bytes);
    await use(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** @param {string} dataDir gets one file, as a backup is: without a log beside it */
async function writeStore(dataDir) {
  const made = path.join(dataDir, 'made');
  const store = await openStore({ dataDir: made });
  const contents = { document: createDocument('any'), tokenHash: hashToken('any') };
  await store.migrate();
  await store.getSecret('jobs');
  for (const run of RUNS) await store.save(run, contents);
  await store.backup(path.join(dataDir, FILE_NAME));
  await store.close();
}
