/**
 * Connections to an SQLite file: one that writes, one that only reads.
 */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import Libsql from 'libsql';
import { BUSY_LIMIT_MS, waitWhileBusy } from './sqlite-dialect.js';

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
 * @param {string} file
 * @param {{ mustExist: boolean }} options otherwise what is missing is made
 * @returns {Promise<Libsql.Database>} where the file may not be written, SQLite opens it all the same; that connection stays
 *   read-only, whatever is allowed later, as do others of this process beside it
 */
export function openWriter(file, { mustExist }) {
  return connect(file, { mustExist, pragmas: PRAGMAS });
}

/** @param {string} file */
export function openReader(file) {
  return connect(file, { mustExist: true, pragmas: READ_PRAGMAS });
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
