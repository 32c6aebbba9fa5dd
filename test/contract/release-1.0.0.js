/**
 * What version 1.0.0 stored: its SQLite file, and its answers about it. `test/fixtures/README.md` says what is in it.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import Libsql from 'libsql';
import { migrate, MIGRATIONS } from '../../server/store/migrations.js';
import { toBytes } from '../../server/store/rows.js';
import { FILE_NAME } from '../../server/store/sqlite.js';

/**
 * @import { Database } from '../../server/store/index.js'
 * @import { TestServer } from '../support/server.js'
 */

const FOLDER = new URL('../fixtures/release-1.0.0/', import.meta.url);
/** @type {Readonly<Record<string, { up: any }>>} */
const OWN_MIGRATIONS = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0008'));
const TABLES = /** @type {const} */ (['saved_runs', 'run_documents', 'run_transports', 'secrets', 'checks']);

/** @param {string} dataDir an existing folder @returns {Promise<string>} the path of the file that it gets */
export async function writeRelease(dataDir) {
  const packed = await readFile(new URL('saved-runs.db.gz', FOLDER));
  const file = path.join(dataDir, FILE_NAME);
  await writeFile(file, await promisify(gunzip)(packed));
  return file;
}

/** @param {Record<string, any>} row of the SQLite file @returns {any} the same, its bytes as both databases take them */
const toValues = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, it]) => [name, it instanceof Object ? Buffer.from(toBytes(it)) : it]),
  );

/** Fills an empty database with the same rows. @param {Database} database @param {string} dataDir an existing folder */
export async function copyRelease(database, dataDir) {
  await migrate(database, OWN_MIGRATIONS);
  const release = new Libsql(await writeRelease(dataDir));
  for (const table of TABLES) {
    const rows = /** @type {any[]} */ (release.prepare(`select * from ${table}`).all()).map(toValues);
    await database.db.insertInto(table).values(rows).execute();
  }
  release.close();
}

/** Checks that a server gives back all of it. @param {TestServer} server that migrated it */
export async function holdsRelease({ origin }) {
  const { deleteToken, results } = JSON.parse(await readFile(new URL('answers.json', FOLDER), 'utf8'));
  /** @param {string} query */
  const list = async (query) => (await (await fetch(`${origin}/api/results${query}`)).json()).results;
  assert.deepEqual(await list(''), results);
  for (const run of results) {
    const { document, digest, parts = {}, ...listed } = await (await fetch(`${origin}/api/results/${run.id}`)).json();
    delete digest.detail;
    assert.deepEqual({ ...listed, digest }, run);
    assert.deepEqual(Object.keys(parts).sort(), run.experiment === 'full-test' ? ['jobs', 'shootout'] : [], run.id);
    assert.ok(document.schema, run.id);
    assert.equal((await fetch(`${origin}/results/${run.id}`)).status, 200, run.id);
    assert.equal((await fetch(`${origin}/api/results/${run.id}.csv`)).status, 200, run.id);
  }
  assert.equal((await list('?experiment=jobs&label=team')).length, 1);
  assert.equal((await list('?place=stra%C3%9Fe%201')).length, 10);
  const [{ id }] = await list('?label=to%20delete');
  const headers = { authorization: `Bearer ${deleteToken}` };
  assert.equal((await fetch(`${origin}/api/results/${id}`, { method: 'DELETE', headers })).status, 204);
}
