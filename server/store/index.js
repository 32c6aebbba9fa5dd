/**
 * The runs that visitors chose to save, and what all workers must know alike: in an SQLite file by default, in PostgreSQL
 * where workers span machines. Nothing else in the project knows a database.
 */
import { createCheck } from './check.js';
import { openPostgres } from './postgres.js';
import { createSavedRuns } from './saved-runs.js';
import { migrate } from './migrate.js';
import { createSecrets } from './secrets.js';
import { openSqlite } from './sqlite.js';
import { explainAll } from './store-error.js';

/**
 * @import { Logger } from 'pino'
 * @import { Database } from './database.js'
 */

export { StoreError } from './store-error.js';

/**
 * @typedef {object} Place where the visitor was; all of it is the visitor's word
 * @property {string} [name] typed
 * @property {number} [latitude] degrees, rounded to 0.1
 * @property {number} [longitude]
 *
 * @typedef {object} SavedRun what is listed of a run
 * @property {string} id 16 characters of base64url's alphabet; made by the caller
 * @property {string} savedAt ISO 8601 with milliseconds, by the server's clock; made by the caller
 * @property {string} experiment the store does not know which there are
 * @property {string} [label]
 * @property {string} [note]
 * @property {Place} [place]
 * @property {string} server that was measured: its name, or its host where it did not say
 * @property {string} [browser] its name without the version; absent where it is not known
 * @property {string[]} transports at least one
 * @property {boolean} isValid
 * @property {Record<string, any>} digest what lists and comparisons show: small JSON, into which the store does not look
 *
 * @typedef {object} Filter all that are given must hold; what could not be stored matches nothing
 * @property {string} [experiment]
 * @property {string} [transport]
 * @property {string} [place] its name
 * @property {string} [label]
 * @property {string} [server]
 * @property {string} [browser]
 * @property {boolean} [isValid]
 *
 * @typedef {object} Contents
 * @property {Uint8Array} document
 * @property {Uint8Array} tokenHash of the secret with which the saver may delete the run
 *
 * @typedef {object} SavedRuns
 * @property {(run: SavedRun, contents: Contents) => Promise<void>} save durable when it resolves; rejects with a RangeError
 *   for what the two databases would not both give back as it was, and, with the code 'id-taken', where the id is taken
 * @property {(id: string) => Promise<SavedRun | undefined>} get
 * @property {(id: string) => Promise<Uint8Array | undefined>} getDocument byte for byte what was saved
 * @property {(wanted: { filter?: Filter, before?: { savedAt: string, id: string }, limit: number }) => Promise<SavedRun[]>} list
 *   newest first: by savedAt, then id, descending; only what comes after `before`
 * @property {(id: string, tokenHash?: Uint8Array) => Promise<'deleted' | 'wrong-token' | 'unknown'>} delete without a hash:
 *   the operator
 * @property {(before: Date) => Promise<number>} prune deletes what was saved before; gives how many
 *
 * @typedef {object} Secrets
 * @property {(name: string) => Promise<Uint8Array>} getSecret 32 random bytes, made when they are asked for first and the
 *   same for everybody ever since; safe when several workers or machines ask at once
 *
 * @typedef {object} Upkeep
 * @property {() => Promise<void>} check writes a row and reads it; rejects where that cannot be
 * @property {() => Promise<string[]>} migrate gives the names of the migrations that it carried out; safe when several
 *   workers or machines call it at once
 * @property {(file: string) => Promise<void>} backup writes a consistent copy while others read and write; rejects where
 *   the file is there already, and for PostgreSQL, which has a tool of its own for it
 * @property {() => Promise<void>} close
 *
 * @typedef {SavedRuns & Secrets & Upkeep} Store rejects with a StoreError where the database is full, can only be read, is
 *   damaged or cannot be reached
 */

/**
 * Opens the store, and does not migrate it.
 *
 * @param {object} place
 * @param {string} [place.url] postgres://...; absent for SQLite
 * @param {string} [place.dataDir] the folder of the SQLite file; both are made if missing
 * @param {boolean} [place.mustExist] an SQLite file that is missing is not made
 * @param {Pick<Logger, 'warn'>} [place.log]
 * @returns {Promise<Store>}
 * @throws {Error} the setting that is to blame, what was expected, and why it cannot be; never the URL, which has a password
 */
export async function openStore(place) {
  return createStore(await openDatabase(place));
}

/** @param {Database} database @returns {Store} */
export function createStore(database) {
  const { explain, backup, close } = database;
  return {
    ...explainAll(createSavedRuns(database), explain),
    ...explainAll(createSecrets(database), explain),
    ...explainAll({ check: createCheck(database), migrate: () => migrate(database) }, explain),
    backup,
    close,
  };
}

/** @param {Parameters<typeof openStore>[0]} place @returns {Promise<Database>} */
export async function openDatabase({ url, dataDir, mustExist, log }) {
  if (url) return openPostgres(url, log);
  if (dataDir) return openSqlite(dataDir, { mustExist });
  throw new TypeError('openStore: expected url or dataDir, got neither');
}
