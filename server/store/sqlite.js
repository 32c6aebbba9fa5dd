/**
 * SQLite, for the workers of one machine: a file that all of them open.
 */
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { openConnections } from './sqlite-connection.js';
import { createTransactionalDialect } from './sqlite-dialect.js';
import { createExplain, StoreError } from './store-error.js';

/**
 * @import { ColumnTypes, Database, Tables } from './database.js'
 * @import { StoreReason } from './store-error.js'
 */

/** Below the data folder; `-wal` and `-shm` lie beside it while it is in use. */
export const FILE_NAME = 'saved-runs.db';

/** @type {ColumnTypes} */
const COLUMN_TYPES = { orderedText: sql`text`, bytes: sql`blob`, float: sql`real` };

/**
 * By the beginning of SQLite's code, or by the number where libsql has no name for it: 1544 is READONLY_DIRECTORY.
 *
 * @see https://sqlite.org/rescode.html
 */
const REASONS = /** @type {const} */ ([
  // The second: for the file that connections share there is no room.
  [/^SQLITE_(?:FULL|IOERR_SHMSIZE)/, 'full'],
  [/^SQLITE_READONLY|^UNKNOWN_SQLITE_ERROR_1544$/, 'read-only'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'damaged'],
  [/^SQLITE_(?:IOERR|CANTOPEN|BUSY|PROTOCOL)/, 'unavailable'],
]);

/** @type {Readonly<Record<StoreReason, string>>} */
const REMEDIES = {
  full: 'free space on its disk, and it works again by itself',
  'read-only':
    'let the user of the site write the folder and its files, on a disk that is mounted for writing, and it works again by itself',
  damaged:
    'stop the site and restore a backup, as docs/store.md says (`npx sockshootout results backup FILE` makes them)',
  unavailable: 'see that its disk is there and sound, and that the user of the site may write its folder',
};

/** What may be over for connections that are opened anew. Not a full disk, nor a lock: those that are open go on. */
const OPENED_ANEW = /^SQLITE_(?:READONLY|IOERR|CANTOPEN)|^UNKNOWN_SQLITE_ERROR_1544$/;

/**
 * @param {string} dataDir
 * @param {{ mustExist?: boolean }} [options] otherwise what is missing is made
 * @returns {Promise<Database>}
 * @throws {Error} where the file cannot be opened
 */
export async function openSqlite(dataDir, { mustExist = false } = {}) {
  const file = path.resolve(dataDir, FILE_NAME);
  const explain = createExplain({ path: file, remedies: REMEDIES, reasonOf });
  const { writer, reader, doubt } = await openConnections(file, { mustExist }).catch((error) => {
    throw new Error(`DATA_DIR: expected a folder for ${FILE_NAME}, got '${dataDir}': ${explain(error).message}`, {
      cause: error,
    });
  });
  /** @type {Kysely<Tables>} */
  const db = new Kysely({ dialect: createTransactionalDialect(writer) });
  // Kysely lets each wait that uses a connection until the one before is done, and one that saves may wait long for
  // another process. A write-ahead log lets others read at the same time. Opened when something is read first.
  /** @type {Kysely<Tables>} */
  const readDb = new Kysely({ dialect: new SqliteDialect({ database: /** @type {any} */ (reader) }) });
  const opened = await stat(file);

  // An open file that was deleted or replaced can be written as before, and all of it is lost.
  const ensureInPlace = async () => {
    const now = await stat(file).catch((cause) => {
      throw new StoreError({ reason: 'unavailable', path: file, remedy: REMEDIES.unavailable, cause });
    });
    if (now.ino === opened.ino && now.dev === opened.dev) return;
    const cause = new Error('it is another file than the one that was opened');
    throw new StoreError({ reason: 'unavailable', path: file, remedy: 'start the site again', cause });
  };

  return {
    db,
    readDb,
    columnTypes: COLUMN_TYPES,
    ensureInPlace,
    explain(error) {
      if (OPENED_ANEW.test(String(/** @type {any} */ (error)?.code))) doubt();
      return explain(error);
    },
    backup: (copy) => backUp(db, copy),
    async close() {
      // What writes is the last: whoever closes a file last clears its log away, and may have to write for that.
      await readDb.destroy();
      await db.destroy();
    },
  };
}

/** @param {Kysely<any>} db @param {string} copy a file that is not there yet */
async function backUp(db, copy) {
  // SQLite takes an empty file for none, and this way nobody else makes one in between.
  const handle = await open(copy, 'wx', 0o600);
  try {
    await sql`vacuum into ${path.resolve(copy)}`.execute(db);
    // SQLite does not: https://sqlite.org/lang_vacuum.html
    await handle.sync();
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** @param {any} error @returns {StoreReason | undefined} */
function reasonOf({ code }) {
  return REASONS.find(([pattern]) => pattern.test(code))?.[1];
}
