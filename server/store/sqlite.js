/**
 * SQLite, for the workers of one machine: a file that all of them open.
 */
import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import Libsql from 'libsql';

/** Below the data folder; `-wal` and `-shm` lie beside it while it is in use. */
export const FILE_NAME = 'saved-runs.db';

/**
 * SQLite itself waits for another process's lock with this process at a standstill, and what is measured here is how soon
 * the process answers. So that wait is short where visitors save, and goes on between other work.
 */
const STANDSTILL_MS = 10;
const PAUSE_MS = 10;
const BUSY_LIMIT_MS = 15_000;

/**
 * FULL: a transaction is on the disk, not only with the system, when it is acknowledged. NORMAL would outlast a SIGKILL,
 * too, but not a loss of power.
 *
 * @see https://sqlite.org/pragma.html#pragma_synchronous
 */
const PRAGMAS = [`busy_timeout = ${BUSY_LIMIT_MS}`, 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'];

/** Besides what the file itself remembers, which is its journal's mode. */
const READ_PRAGMAS = [`busy_timeout = ${BUSY_LIMIT_MS}`, 'query_only = ON'];

/** @type {import('./database.js').ColumnTypes} */
const COLUMN_TYPES = { orderedText: sql`text`, bytes: sql`blob`, float: sql`real` };

/**
 * @param {string} dataDir
 * @param {{ mustExist?: boolean }} [options] otherwise what is missing is made
 * @returns {Promise<import('./database.js').Database>}
 * @throws {Error} where the file cannot be opened
 */
export async function openSqlite(dataDir, { mustExist = false } = {}) {
  const file = path.resolve(dataDir, FILE_NAME);
  const connection = await connect(file, { mustExist, pragmas: PRAGMAS }).catch((error) => {
    throw new Error(`DATA_DIR: expected a folder for ${FILE_NAME}, got '${dataDir}': ${error.message}`, {
      cause: error,
    });
  });
  /** @type {Kysely<import('./database.js').Tables>} */
  const db = new Kysely({ dialect: new TransactionalDialect({ database: connection }) });
  // Kysely lets each wait that uses a connection until the one before is done, and one that saves may wait long for
  // another process. A write-ahead log lets others read meanwhile. Opened when something is read first.
  /** @type {Kysely<import('./database.js').Tables>} */
  const readDb = new Kysely({
    dialect: new SqliteDialect({
      database: async () => /** @type {any} */ (await connect(file, { mustExist: true, pragmas: READ_PRAGMAS })),
    }),
  });
  const opened = await stat(file);

  // An open file that was deleted or replaced can be written as before, and all of it is lost.
  const ensureInPlace = async () => {
    const now = await stat(file);
    if (now.ino !== opened.ino || now.dev !== opened.dev) {
      throw new Error(`${file}: expected the file that was opened, found another; start the site again`);
    }
  };

  return {
    db,
    readDb,
    columnTypes: COLUMN_TYPES,
    ensureInPlace,
    async check() {
      await ensureInPlace();
      // Which begins with the right to write.
      await db.transaction().execute((trx) => trx.selectFrom('saved_runs').select('id').limit(1).execute());
    },
    backup: (copy) => backUp(db, copy),
    async close() {
      // What writes is the last: whoever closes a file last clears its log away, and may have to write for that.
      await readDb.destroy();
      await db.destroy();
    },
  };
}

/**
 * @param {string} file
 * @param {{ mustExist: boolean, pragmas: string[] }} options
 * @returns {Promise<Libsql.Database>}
 */
async function connect(file, { mustExist, pragmas }) {
  if (mustExist) await stat(file);
  // Saved runs are for everybody, what deletes them is not.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const connection = new Libsql(file);
  try {
    for (const pragma of pragmas) await waitWhileBusy(() => connection.exec(`PRAGMA ${pragma}`));
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/**
 * @param {Kysely<any>} db
 * @param {string} copy a file that is not there yet
 */
async function backUp(db, copy) {
  // SQLite takes an empty file for none, and this way nobody else makes one meanwhile.
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

/** Kysely's own, but for transactions: see what it creates. */
class TransactionalDialect extends SqliteDialect {
  #config;

  /** @param {{ database: Libsql.Database }} config */
  constructor(config) {
    super(/** @type {any} */ (config));
    this.#config = config;
  }

  createDriver() {
    return new WaitingDriver(this.#config);
  }

  createAdapter() {
    return new TransactionalAdapter();
  }
}

/** SQLite can change its tables in a transaction, which begins with the right to write: of two that migrate one waits. */
class TransactionalAdapter extends SqliteAdapter {
  get supportsTransactionalDdl() {
    return true;
  }
}

/**
 * Begins a transaction with the right to write. One that reads first, and asks for it afterwards, is refused without a
 * wait where somebody else wrote meanwhile.
 */
class WaitingDriver extends SqliteDriver {
  #database;

  /** @param {{ database: Libsql.Database }} config */
  constructor(config) {
    super(/** @type {any} */ (config));
    this.#database = config.database;
  }

  async beginTransaction() {
    // By exec: what libsql prepares, and SQLite then refuses as busy, stays under way and keeps the next transaction from
    // its commit.
    const exec = (/** @type {string} */ text) => this.#database.exec(text);
    exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
    try {
      await waitWhileBusy(() => exec('BEGIN IMMEDIATE'));
    } finally {
      exec(`PRAGMA busy_timeout = ${BUSY_LIMIT_MS}`);
    }
  }
}

/**
 * @template T
 * @param {() => T} act
 * @returns {Promise<T>}
 */
async function waitWhileBusy(act) {
  const limit = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || performance.now() > limit) throw error;
    }
    // Of several that wait, none is always the last.
    await sleep(PAUSE_MS * Math.random());
  }
}

/** @param {any} error */
function isBusy({ code }) {
  // PROTOCOL: too many began at the same moment. https://sqlite.org/rescode.html#protocol
  return /^SQLITE_(BUSY|PROTOCOL)/.test(code);
}
