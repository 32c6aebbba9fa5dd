/**
 * Kysely's SQLite, with transactions for a file that several processes write to.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';

/**
 * @import { Dialect } from 'kysely'
 * @import { Database } from 'libsql'
 */

/**
 * SQLite itself waits for another process's lock with this process at a standstill, and what is measured here is how soon
 * the process answers. So that wait is short where visitors save, and goes on between other work.
 */
const STANDSTILL_MS = 10;
const PAUSE_MS = 10;
export const BUSY_LIMIT_MS = 15_000;

/**
 * @typedef {Pick<Database, 'exec' | 'prepare' | 'close' | 'inTransaction'> & { prepareToWrite: () => Promise<void> }}
 *   Connection `prepareToWrite` is called before each transaction, while there is none
 */

/** @param {Connection} database @returns {Dialect} Kysely's own, but for transactions */
export function createTransactionalDialect(database) {
  return Object.assign(new SqliteDialect({ database: /** @type {any} */ (database) }), {
    createDriver: () => new WaitingDriver(database),
    createAdapter: () => new TransactionalAdapter(),
  });
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
  #database;

  /** @param {Connection} database */
  constructor(database) {
    super({ database: /** @type {any} */ (database) });
    this.#database = database;
  }

  async beginTransaction() {
    const exec = (/** @type {string} */ text) => this.#database.exec(text);
    // Left by one that could not be rolled back.
    if (this.#database.inTransaction) exec('ROLLBACK');
    await this.#database.prepareToWrite();
    exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
    try {
      await waitWhileBusy(() => exec('BEGIN IMMEDIATE'));
    } finally {
      exec(`PRAGMA busy_timeout = ${BUSY_LIMIT_MS}`);
    }
  }

  async commitTransaction() {
    this.#database.exec('COMMIT');
  }

  async rollbackTransaction() {
    // SQLite does so itself where the disk is full, say: https://sqlite.org/lang_transaction.html
    if (!this.#database.inTransaction) return;
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // What is to be known is why it was to be rolled back. The next that begins tries again.
    }
  }
}

/**
 * @template T
 * @param {() => T} act
 * @returns {Promise<T>}
 */
export async function waitWhileBusy(act) {
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
