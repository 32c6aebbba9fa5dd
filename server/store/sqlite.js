/** SQLite, for the workers of one machine: a file that all open, by a connection that writes and one that only reads. */
import { statSync } from 'node:fs';
import { access, constants, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import Libsql from 'libsql';
import { createExplain, StoreError } from './store-error.js';

/**
 * @import { Database } from './index.js'
 * @import { Tables } from './migrations.js'
 */

/** SQLite waits for another's lock with this process at a standstill: where visitors save it waits between other work. */
const STANDSTILL_MS = 10;
const PAUSE_MS = 10;
const BUSY_LIMIT_MS = 15_000;

/** NORMAL would outlast a SIGKILL, too, but not a loss of power: https://sqlite.org/pragma.html#pragma_synchronous */
const PRAGMAS = [`busy_timeout = ${BUSY_LIMIT_MS}`, 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'];

/** Besides what the file itself remembers, which is its journal's mode. */
const READ_PRAGMAS = [`busy_timeout = ${BUSY_LIMIT_MS}`, 'query_only = ON'];

/**
 * Where the file may not be written, SQLite opens it all the same, and what was opened stays read-only, whatever is allowed
 * later; so does what this process opens beside it. Hence both connections are opened anew together.
 *
 * Kysely lets each wait that uses a connection until the one before is done, and one that saves may wait long for another
 * process. A write-ahead log lets others read at the same time, hence the second connection.
 * @param {string} file @param {{ mustExist: boolean }} options otherwise what is missing is made
 * @returns {Promise<{ db: Kysely<Tables>, readDb: Kysely<Tables>, doubt(): void }>} from `doubt` on the next transaction
 *   begins with connections opened anew
 */
async function openConnections(file, { mustExist }) {
  if (!mustExist) {
    // Saved runs are for everybody, what deletes them is not.
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // An empty one is a new one to SQLite.
    await (await open(file, constants.O_CREAT)).close();
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
  const [database, readDatabase] = /** @type {any[]} */ ([writer, reader]);
  const dialect = Object.assign(new SqliteDialect({ database }), {
    createDriver: () => Object.assign(new SqliteDriver({ database }), createTransactions(writer, prepareToWrite)),
    // SQLite can change its tables in a transaction, which begins with the right to write: of two that migrate one waits.
    createAdapter: () => Object.create(new SqliteAdapter(), { supportsTransactionalDdl: { value: true } }),
  });
  return {
    db: new Kysely({ dialect }),
    readDb: new Kysely({ dialect: new SqliteDialect({ database: readDatabase }) }),
    doubt() {
      isDoubted = true;
    },
  };
}

/** Opened when it is used, and anew after it was closed. @param {string} file @param {string[]} pragmas */
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

/** In one go, so that nobody meets one without its settings. @param {string} file @param {string[]} pragmas */
function connect(file, pragmas) {
  // One that is missing would be made.
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
 * libsql closes a connection for good only when its last statement was collected, and there is no other way to end one.
 * Until then SQLite gives whatever is opened beside it the same read-only log.
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

/** So that as long as it may not, nothing is collected in vain, which takes some 10 ms. @param {string} file */
async function mayBeWritten(file) {
  const found = await Promise.allSettled([file, path.dirname(file)].map((one) => access(one, constants.W_OK)));
  return found.every(({ status }) => status === 'fulfilled');
}

/**
 * Begins a transaction with the right to write. One that reads first, and asks for it afterwards, is refused without a
 * wait where somebody else wrote in between. All by exec: what libsql prepares, and SQLite then refuses, stays under way
 * and keeps the next transaction from its commit.
 * @param {ReturnType<typeof openLazily>} connection
 * @param {() => Promise<void>} prepareToWrite is called before each transaction, while there is none
 */
function createTransactions(connection, prepareToWrite) {
  const isUnderWay = () => connection.opened().inTransaction;
  const exec = (/** @type {string} */ text) => connection.opened().exec(text);
  return {
    async beginTransaction() {
      // Left by one that could not be rolled back.
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
        // SQLite does so itself where the disk is full, say: https://sqlite.org/lang_transaction.html
        if (isUnderWay()) exec('ROLLBACK');
      } catch {
        // What is to be known is why it was to be rolled back. The next that begins tries again.
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
      // PROTOCOL: too many began at the same moment. https://sqlite.org/rescode.html#protocol
      const isBusy = /^SQLITE_(BUSY|PROTOCOL)/.test(/** @type {any} */ (error).code);
      if (!isBusy || performance.now() > limit) throw error;
    }
    // Of several that wait, none is always the last.
    await sleep(PAUSE_MS * Math.random());
  }
}

/** Below the data folder; `-wal` and `-shm` lie beside it while it is in use. */
export const FILE_NAME = 'saved-runs.db';

const CHECK_DISK = 'check that its disk is mounted and intact, and that the site’s user can write to its folder';

/** By https://sqlite.org/rescode.html, or by the number where libsql has no name for it: 1544 is READONLY_DIRECTORY. */
const REASONS = /** @type {const} */ ([
  // SHMSIZE: for the file that connections share there is no room.
  [/^SQLITE_(?:FULL|IOERR_SHMSIZE)/, 'full', 'free disk space; no restart needed'],
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
      throw unavailable(new Error('the file was replaced after it was opened'), 'restart the site');
    },
    unavailable: (cause) => unavailable(cause),
    explain(error) {
      if (OPENED_ANEW.test(error?.code)) doubt();
      return explain(error);
    },
    async backup(copy) {
      // SQLite takes an empty file for none, and this way nobody else makes one in between.
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
      // What writes is the last: whoever closes a file last clears its log away, and may have to write for that.
      await readDb.destroy();
      await db.destroy();
    },
  };
}
