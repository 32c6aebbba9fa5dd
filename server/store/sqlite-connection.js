/** Connections to an SQLite file that several processes write to: one that writes, one that only reads. */
import { statSync } from 'node:fs';
import { access, constants, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Kysely, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import Libsql from 'libsql';

/** @import { Tables } from './migrations.js' */

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
export async function openConnections(file, { mustExist }) {
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
