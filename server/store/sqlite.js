/** SQLite, for the workers of one machine: a file that all of them open. */
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { openConnections } from './sqlite-connection.js';
import { createExplain, StoreError } from './store-error.js';

/** @import { Database } from './index.js' */

/** Below the data folder; `-wal` and `-shm` lie beside it while it is in use. */
export const FILE_NAME = 'saved-runs.db';

const CHECK_DISK = 'see that its disk is there and sound, and that the user of the site may write its folder';

/** By https://sqlite.org/rescode.html, or by the number where libsql has no name for it: 1544 is READONLY_DIRECTORY. */
const REASONS = /** @type {const} */ ([
  // SHMSIZE: for the file that connections share there is no room.
  [/^SQLITE_(?:FULL|IOERR_SHMSIZE)/, 'full', 'free space on its disk, and it works again by itself'],
  [
    /^SQLITE_READONLY|^UNKNOWN_SQLITE_ERROR_1544$/,
    'read-only',
    'let the user of the site write the folder and its files, on a disk that is mounted for writing, and it works again by itself',
  ],
  [
    /^SQLITE_(?:CORRUPT|NOTADB)/,
    'damaged',
    'stop the site and restore a backup, as docs/store.md says (`npx sockshootout results backup FILE` makes them)',
  ],
  [/^SQLITE_(?:IOERR|CANTOPEN|BUSY|PROTOCOL)/, 'unavailable', CHECK_DISK],
]);

/** What may be over for connections that are opened anew. Not a full disk, nor a lock: those that are open go on. */
const OPENED_ANEW = /^SQLITE_(?:READONLY|IOERR|CANTOPEN)|^UNKNOWN_SQLITE_ERROR_1544$/;

/**
 * @param {string} dataDir @param {{ mustExist?: boolean }} [options] otherwise what is missing is made
 * @returns {Promise<Database>} @throws {Error} where the file cannot be opened
 */
export async function openSqlite(dataDir, { mustExist = false } = {}) {
  const file = path.resolve(dataDir, FILE_NAME);
  const explain = createExplain(file, REASONS);
  const { db, readDb, doubt } = await openConnections(file, { mustExist }).catch((error) => {
    const message = `DATA_DIR: expected a folder for ${FILE_NAME}, got '${dataDir}': ${explain(error).message}`;
    throw new Error(message, { cause: error });
  });
  const opened = await stat(file);
  const unavailable = (/** @type {Error} */ cause, remedy = CHECK_DISK) =>
    new StoreError({ reason: 'unavailable', path: file, remedy, cause });

  return {
    db,
    readDb,
    columnTypes: { orderedText: sql`text`, bytes: sql`blob`, float: sql`real` },
    // An open file that was deleted or replaced can be written as before, and all of it is lost.
    async ensureInPlace() {
      const now = await stat(file).catch((error) => {
        throw unavailable(error);
      });
      if (now.ino === opened.ino && now.dev === opened.dev) return;
      throw unavailable(new Error('it is another file than the one that was opened'), 'start the site again');
    },
    explain(error) {
      if (OPENED_ANEW.test(error?.code)) doubt();
      return explain(error);
    },
    async backup(copy) {
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
    },
    async close() {
      // What writes is the last: whoever closes a file last clears its log away, and may have to write for that.
      await readDb.destroy();
      await db.destroy();
    },
  };
}
