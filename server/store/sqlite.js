/**
 * SQLite, for the workers of one machine: each opens the file with a connection that writes and one that only reads.
 */
import { statSync } from 'node:fs';
import { access, chmod, constants, mkdir, open, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Libsql from 'libsql';
import { Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from './kysely.js';
import { createExplain, StoreError } from './store-error.js';

/**
 * @import { Database } from './index.js'
 * @import { Tables } from './migrations.js'
 */

/** SQLite blocks this process while it waits for a lock; when visitors save, it waits between other work instead. */
const STANDSTILL_MS = 10;
const PAUSE_MS = 10;
const BUSY_LIMIT_MS = 15_000;

/** NORMAL would outlast a SIGKILL, too, but not a loss of power: https://sqlite.org/pragma.html#pragma_synchronous */
const PRAGMAS = [`busy_timeout = ${BUSY_LIMIT_MS}`, 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'];

const OWNER_ONLY = 0o600;

/** The settings of the reading connection. The file itself stores the journal mode. */
const READ_PRAGMAS = [`busy_timeout = ${BUSY_LIMIT_MS}`, 'query_only = ON'];

/**
 * Opens both connections. SQLite also opens a file that is not writable, and that connection stays read-only even if
 * the file becomes writable; so does each connection that this process opens beside it. So both are reopened together.
 *
 * Kysely queues the queries of a connection, and a save may wait long for another process. A write-ahead log lets
 * others read at the same time, so there is a second connection.
 * @param {string} file @param {{ mustExist: boolean }} options otherwise what is missing is created
 * @returns {Promise<{ db: Kysely<Tables>, readDb: Kysely<Tables>, doubt(): void }>} after `doubt`, the next
 *   transaction begins with reopened connections
 */
async function openConnections(file, { mustExist }) {
  if (!mustExist) {
    await makeFolder(path.dirname(file));
    // SQLite treats an empty file as a new one, and gives its log the same permissions.
    await (await open(file, constants.O_CREAT, OWNER_ONLY)).close();
    // One of an earlier release was readable by all. Whoever does not own it cannot change that, and may still use it.
    await chmod(file, (await stat(file)).mode & OWNER_ONLY).catch(() => {});
  }
  const writer = openLazily(file, PRAGMAS);
  const reader = openLazily(file, READ_PRAGMAS);
  await waitWhileBusy(() => writer.opened());
  let isDoubted = false;
  const prepareToWrite = async () => {
    if (!isDoubted || !(await mayBeWritten(file))) return;
    isDoubted = false;
    for (const connection of [reader, writer]) connection.close();
    await letGo();
    writer.opened();
  };
  const dialect = Object.assign(new SqliteDialect({ database: writer }), {
    createDriver: () =>
      Object.assign(new SqliteDriver({ database: writer }), createTransactions(writer, prepareToWrite)),
    // SQLite can change tables in a transaction, which begins with the write lock: the second of two migrations waits.
    createAdapter: () => Object.create(new SqliteAdapter(), { supportsTransactionalDdl: { value: true } }),
  });
  return {
    db: new Kysely({ dialect }),
    readDb: new Kysely({ dialect: new SqliteDialect({ database: reader }) }),
    doubt() {
      isDoubted = true;
    },
  };
}

/**
 * Makes a folder and those above it, where Node.js would try for ever if one can never be made, as in /proc.
 * @param {string} folder @param {{ isSecond?: boolean }} [options] `isSecond`: the one above it is there now
 */
async function makeFolder(folder, { isSecond = false } = {}) {
  try {
    // Saved runs are public, but their delete tokens are not.
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!isSecond && /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') {
      await makeFolder(path.dirname(folder));
      await makeFolder(folder, { isSecond: true });
    } else if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  }
}

/** Opens a connection when it is used, and again after it was closed. @param {string} file @param {string[]} pragmas */
function openLazily(file, pragmas) {
  /** @type {Libsql.Database | undefined} */
  let current;
  const opened = () => (current ??= connect(file, pragmas));
  return {
    opened,
    prepare: (/** @type {string} */ text) => opened().prepare(text),
    close() {
      current?.close();
      current = undefined;
    },
  };
}

/**
 * Opens a connection and applies its settings in one step, so that nobody uses it without them.
 * @param {string} file @param {string[]} pragmas
 */
function connect(file, pragmas) {
  // libsql would create a missing file.
  statSync(file);
  const connection = new Libsql(file);
  try {
    for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/**
 * Collects garbage: libsql closes a connection for good only after its last statement was collected. Until then SQLite
 * gives each connection that is opened beside it the same read-only log.
 */
async function letGo() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
  // Node.js tells native objects in a later turn that they were collected.
  await nextTurn();
  await nextTurn();
}

/** Checks the permissions first, as collecting garbage in vain would take some 10 ms. @param {string} file */
async function mayBeWritten(file) {
  const found = await Promise.allSettled([file, path.dirname(file)].map((one) => access(one, constants.W_OK)));
  return found.every(({ status }) => status === 'fulfilled');
}

/**
 * Begins a transaction with the write lock. One that reads first, and requests the lock afterwards, is refused without
 * a wait if another process wrote in between. All statements use exec: one that libsql prepares, and SQLite then
 * refuses, stays open and keeps the next transaction from its commit.
 * @param {{ opened: () => Libsql.Database }} connection
 * @param {() => Promise<void>} prepareToWrite is called before each transaction, while there is none
 */
function createTransactions(connection, prepareToWrite) {
  const isUnderWay = () => connection.opened().inTransaction;
  const exec = (/** @type {string} */ text) => connection.opened().exec(text);
  return {
    async beginTransaction() {
      // An earlier transaction may not have been rolled back.
      if (isUnderWay()) exec('ROLLBACK');
      await prepareToWrite();
      exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
      try {
        await waitWhileBusy(() => exec('BEGIN IMMEDIATE'));
      } finally {
        exec(`PRAGMA busy_timeout = ${BUSY_LIMIT_MS}`);
      }
    },
    async commitTransaction() {
      exec('COMMIT');
    },
    async rollbackTransaction() {
      try {
        // SQLite may have done so itself, for example on a full disk: https://sqlite.org/lang_transaction.html
        if (isUnderWay()) exec('ROLLBACK');
      } catch {
        // What is reported is the error that caused the rollback. The next transaction tries again.
      }
    },
  };
}

/** @template T @param {() => T} act @returns {Promise<T>} */
async function waitWhileBusy(act) {
  const limit = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      return act();
    } catch (error) {
      // PROTOCOL means that too many began at the same moment. https://sqlite.org/rescode.html#protocol
      const isBusy = /^SQLITE_(BUSY|PROTOCOL)/.test(String(/** @type {NodeJS.ErrnoException} */ (error).code));
      if (!isBusy || performance.now() > limit) throw error;
    }
    // The pause is random, so that none of several that wait is always the last.
    await sleep(PAUSE_MS * Math.random());
  }
}

/** The name of the file in the data folder; `-wal` and `-shm` files lie beside it while it is in use. */
export const FILE_NAME = 'saved-runs.db';

/** What one of the largest runs takes, compressed: the site is not ready with less. */
const ROOM_BYTES = 2 * 1024 * 1024;
const FREE_SPACE = 'free disk space; no restart needed';
const CHECK_DISK = 'check that its disk is mounted and intact, and that the site’s user can write to its folder';

/**
 * The codes are in https://sqlite.org/rescode.html. Those that libsql has no name for are numbers: 1544 is
 * READONLY_DIRECTORY.
 */
const REASONS = /** @type {const} */ ([
  // SHMSIZE means that there is no room for the file that connections share.
  [/^SQLITE_(?:FULL|IOERR_SHMSIZE)/, 'full', FREE_SPACE],
  [
    /^SQLITE_READONLY|^UNKNOWN_SQLITE_ERROR_1544$/,
    'read-only',
    'check that its disk is mounted for writing, and that the site’s user can write to the folder and its files; no restart needed',
  ],
  [
    /^SQLITE_(?:CORRUPT|NOTADB)/,
    'damaged',
    'stop the site and restore a backup, see docs/store.md (`npx sockshootout results backup FILE` makes one)',
  ],
  [/^SQLITE_(?:IOERR|CANTOPEN|BUSY|PROTOCOL)/, 'unavailable', CHECK_DISK],
]);

/** Matches errors that reopening may end. A full disk or a lock is not one of them: open connections recover. */
const OPENED_ANEW = /^SQLITE_(?:READONLY|IOERR|CANTOPEN)|^UNKNOWN_SQLITE_ERROR_1544$/;

/**
 * @param {string} dataDir @param {{ mustExist?: boolean }} [options] otherwise what is missing is created
 * @returns {Promise<Database>} @throws {Error} if the file cannot be opened
 */
export async function openSqlite(dataDir, { mustExist = false } = {}) {
  const file = path.resolve(dataDir, FILE_NAME);
  const explain = createExplain(file, REASONS);
  const { db, readDb, doubt } = await openConnections(file, { mustExist }).catch((error) => {
    if (mustExist && /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT')
      throw new Error(`No runs yet in '${dataDir}': it has no ${FILE_NAME}. Is DATA_DIR the folder of the site?`);
    const explained = explain(error);
    // The message of a StoreError already says what to do.
    const remedy = explained instanceof StoreError ? '' : '; give the site’s user write access, or use another folder';
    const message = `DATA_DIR: expected a folder for ${FILE_NAME}, got '${dataDir}': ${explained.message}${remedy}`;
    throw new Error(message, { cause: error });
  });
  const opened = await stat(file);
  const unavailable = (/** @type {Error} */ cause, remedy = CHECK_DISK) =>
    new StoreError({ reason: 'unavailable', path: file, remedy, cause });

  return {
    db,
    readDb,
    columnTypes: { orderedText: sql`text`, bytes: sql`blob`, float: sql`real` },
    onChange: (table, act) =>
      ['insert', 'update', 'delete'].map((event) =>
        sql.raw(`create trigger ${table}_after_${event} after ${event} on ${table} begin ${act}; end`),
      ),
    // A file that was deleted or replaced while open can still be written, but everything written is lost.
    async ensureInPlace() {
      const now = await stat(file).catch((error) => {
        throw unavailable(error);
      });
      if (now.ino === opened.ino && now.dev === opened.dev) return;
      throw unavailable(new Error('the file was replaced after it was opened'), 'restart the site');
    },
    async ensureRoom() {
      const { bavail, bsize, blocks } = await statfs(path.dirname(file));
      const freeBytes = bavail * bsize;
      // Some file systems do not say how large they are.
      if (blocks === 0 || freeBytes >= ROOM_BYTES) return;
      const cause = new Error(`${freeBytes} bytes are free`);
      throw new StoreError({ reason: 'full', path: file, remedy: FREE_SPACE, cause });
    },
    unavailable: (cause) => unavailable(cause),
    explain(error) {
      if (OPENED_ANEW.test(error?.code)) doubt();
      return explain(error);
    },
    async backup(copy) {
      // SQLite treats an empty file as a missing one; creating it here keeps others from creating one in between.
      const handle = await open(copy, 'wx', 0o600);
      try {
        await sql`vacuum into ${path.resolve(copy)}`.execute(db);
        await handle.sync();
      } catch (error) {
        await rm(copy, { force: true });
        throw error;
      } finally {
        await handle.close();
      }
    },
    async close() {
      // The writing connection closes last: the last one removes the file's log, and may have to write for that.
      await readDb.destroy();
      await db.destroy();
    },
  };
}
