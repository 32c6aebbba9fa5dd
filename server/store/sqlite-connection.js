/**
 * Connections to an SQLite file: one that writes, one that only reads.
 */
import { statSync } from 'node:fs';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Libsql from 'libsql';
import { BUSY_LIMIT_MS, waitWhileBusy } from './sqlite-dialect.js';

/** @import { Connection } from './sqlite-dialect.js' */

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
 * Both connections to one file. Where the file may not be written, SQLite opens it all the same, and what was opened stays
 * read-only, whatever is allowed later; so does what this process opens beside it. Hence both are opened anew together.
 *
 * @typedef {object} Connections
 * @property {Connection} writer
 * @property {Pick<Libsql.Database, 'prepare' | 'close'>} reader opened when something is read first
 * @property {() => void} doubt from now on the writer's next transaction begins with connections opened anew
 */

/**
 * @param {string} file
 * @param {{ mustExist: boolean }} options otherwise what is missing is made
 * @returns {Promise<Connections>}
 */
export async function openConnections(file, { mustExist }) {
  if (mustExist) await stat(file);
  // Saved runs are for everybody, what deletes them is not.
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  /** @type {Libsql.Database | undefined} absent where the file could not be opened anew */
  let current = new Libsql(file);
  /** @type {Libsql.Database | undefined} */
  let currentReader;
  let isDoubted = false;
  try {
    for (const pragma of PRAGMAS) await waitWhileBusy(() => current?.exec(`PRAGMA ${pragma}`));
  } catch (error) {
    current.close();
    throw error;
  }

  const openAnew = async () => {
    for (const connection of [currentReader, current]) connection?.close();
    currentReader = current = undefined;
    await letGo();
    current = connect(file, PRAGMAS);
  };

  return {
    writer: {
      exec: (text) => writerNow().exec(text),
      prepare: (text) => writerNow().prepare(text),
      get inTransaction() {
        return current?.inTransaction ?? false;
      },
      async prepareToWrite() {
        if (!isDoubted || !(await mayBeWritten(file))) return;
        isDoubted = false;
        try {
          await openAnew();
        } catch (error) {
          isDoubted = true;
          throw error;
        }
      },
      close: () => /** @type {any} */ (current?.close()),
    },
    reader: {
      prepare: (text) => (currentReader ??= connect(file, READ_PRAGMAS)).prepare(text),
      close: () => /** @type {any} */ (currentReader?.close()),
    },
    doubt() {
      isDoubted = true;
    },
  };

  function writerNow() {
    return (current ??= connect(file, PRAGMAS));
  }
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
  try {
    for (const one of [file, path.dirname(file)]) await access(one, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * In one go, so that nobody meets a connection without its settings.
 *
 * @param {string} file that is there
 * @param {string[]} pragmas
 */
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
