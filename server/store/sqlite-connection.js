/** Connections to an SQLite file that several processes write to: one that writes, one that only reads. */
import { statSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Kysely, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import Libsql from 'libsql';

/** @import { Tables } from './migrations.js' */

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

/**
 * Where the file may not be written, SQLite opens it all the same, and what was opened stays read-only, whatever is allowed
 * later; so does what this process opens beside it. Hence both connections are opened anew together.
 *
 * Kysely lets each wait that uses a connection until the one before is done, and one that saves may wait long for another
 * process. A write-ahead log lets others read at the same time, hence the second connection.
 *
 * @param {string} file
 * @param {{ mustExist: boolean }} options otherwise what is missing is made
 * @returns {Promise<{ db: Kysely<Tables>, readDb: Kysely<Tables>, doubt(): void }>} `readDb` is opened when something is
 *   read first; from `doubt` on the next transaction begins with connections opened anew
 */
export async function openConnections(file, { mustExist }) {
  // Saved runs are for everybody, what deletes them is not.
  if (!mustExist) await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  /** @type {Libsql.Database | undefined} absent where the file could not be opened anew */
  let current = await waitWhileBusy(() => connect(file, PRAGMAS, mustExist));
  /** @type {Libsql.Database | undefined} */
  let currentReader;
  let isDoubted = false;

  const writer = () => (current ??= connect(file, PRAGMAS));
  const reader = () => (currentReader ??= connect(file, READ_PRAGMAS));
  const prepareToWrite = async () => {
    if (!isDoubted || !(await mayBeWritten(file))) return;
    isDoubted = false;
    for (const connection of [currentReader, current]) connection?.close();
    currentReader = current = undefined;
    await letGo();
    writer();
  };
  const writing = {
    prepare: (/** @type {string} */ text) => writer().prepare(text),
    close: () => current?.close(),
  };
  const reading = {
    prepare: (/** @type {string} */ text) => reader().prepare(text),
    close: () => currentReader?.close(),
  };
  return {
    db: new Kysely({
      dialect: Object.assign(new SqliteDialect({ database: /** @type {any} */ (writing) }), {
        createDriver: () => new WaitingDriver(/** @type {any} */ (writing), writer, prepareToWrite),
        createAdapter: () => new TransactionalAdapter(),
      }),
    }),
    readDb: new Kysely({ dialect: new SqliteDialect({ database: /** @type {any} */ (reading) }) }),
    doubt() {
      isDoubted = true;
    },
  };
}

/**
 * In one go, so that nobody meets a connection without its settings.
 *
 * @param {string} file
 * @param {string[]} pragmas
 * @param {boolean} [mustExist] otherwise it is made where it is missing
 */
function connect(file, pragmas, mustExist = true) {
  if (mustExist) statSync(file);
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

/** SQLite can change its tables in a transaction, which begins with the right to write: of two that migrate one waits. */
class TransactionalAdapter extends SqliteAdapter {
  get supportsTransactionalDdl() {
    return true;
  }
}

/**
 * Begins a transaction with the right to write. One that reads first, and asks for it afterwards, is refused without a
 * wait where somebody else wrote in between.
 *
 * All by exec: what libsql prepares, and SQLite then refuses, stays under way and keeps the next transaction from its
 * commit.
 */
class WaitingDriver extends SqliteDriver {
  #writer;
  #prepareToWrite;

  /**
   * @param {import('kysely').SqliteDatabase} database
   * @param {() => Libsql.Database} writer the connection, which may be another after each transaction
   * @param {() => Promise<void>} prepareToWrite is called before each transaction, while there is none
   */
  constructor(database, writer, prepareToWrite) {
    super({ database });
    this.#writer = writer;
    this.#prepareToWrite = prepareToWrite;
  }

  async beginTransaction() {
    // Left by one that could not be rolled back.
    if (this.#writer().inTransaction) this.#writer().exec('ROLLBACK');
    await this.#prepareToWrite();
    const writer = this.#writer();
    writer.exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
    try {
      await waitWhileBusy(() => writer.exec('BEGIN IMMEDIATE'));
    } finally {
      writer.exec(`PRAGMA busy_timeout = ${BUSY_LIMIT_MS}`);
    }
  }

  async commitTransaction() {
    this.#writer().exec('COMMIT');
  }

  async rollbackTransaction() {
    // SQLite does so itself where the disk is full, say: https://sqlite.org/lang_transaction.html
    if (!this.#writer().inTransaction) return;
    try {
      this.#writer().exec('ROLLBACK');
    } catch {
      // What is to be known is why it was to be rolled back. The next that begins tries again.
    }
  }
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
