/**
 * Stores the runs that visitors chose to save, and what all workers share: in an SQLite file by default, or in
 * PostgreSQL if workers span machines. Nothing else in the project uses a database.
 */
import { randomBytes } from 'node:crypto';
import { createFieldStudies } from './field.js';
import { createFieldCounts } from './field-counts.js';
import { migrate } from './migrations.js';
import { toBytes } from './rows.js';
import { createSavedRuns } from './saved-runs.js';
import { openSqlite } from './sqlite.js';
import { explainAll } from './store-error.js';

/**
 * @import { Kysely, RawBuilder } from 'kysely'
 * @import { Logger } from 'pino'
 * @import { Place } from '../../core/experiment/run/names.js'
 * @import { ColumnTypes, Tables } from './migrations.js'
 * @import { StoreError } from './store-error.js'
 */

export { StoreError } from './store-error.js';

/**
 * @typedef {object} SavedRun what is listed of a run, checked before it is saved: no text has U+0000 or a lone
 *   surrogate. What lists are filtered by has at most 500 characters, as PostgreSQL indexes no more than 2704 bytes.
 * @property {string} id 16 characters of base64url's alphabet
 * @property {string} savedAt ISO 8601 with milliseconds, by the server's clock
 * @property {string} experiment the store does not know which there are
 * @property {string} [label]
 * @property {string} [note]
 * @property {Place} [place] its degrees are rounded to 0.1
 * @property {string} server that was measured: its name, or its host where it did not say
 * @property {string} [browser] its name without the version; absent where it is not known
 * @property {string[]} transports at least one
 * @property {boolean} [isValid] absent where nobody can tell
 * @property {string} [partOf] the ID of the run that it is a part of, which was saved with it
 * @property {any} digest what lists and comparisons show: small JSON. The store looks no further into it than to
 *   list runs without its `detail`
 *
 * @typedef {{ experiment?: string, label?: string, server?: string, browser?: string, isValid?: boolean, transport?: string,
 *   place?: string, search?: string }} Filter all that are given must hold; the place is its name. A label and a place are found in
 *   any case and composition; `search`: a part of the place, label, server or browser
 * @typedef {{ warn: Logger['warn'] }} WarningLog
 * @typedef {{ db: Kysely<Tables>, readDb: Kysely<Tables> }} Readable the part of a database that lists need
 * @typedef {object} Database what both databases are to the rest of the store
 * @property {Kysely<Tables>} db
 * @property {Kysely<Tables>} readDb the same, only to read: nothing there waits for what waits to write
 * @property {ColumnTypes} columnTypes
 * @property {(table: string, act: string) => RawBuilder<unknown>[]} onChange what makes the database do that, which is SQL without
 *   quotes, whenever anybody changes a row of the table
 * @property {() => Promise<void>} ensureInPlace rejects where what is written now would be lost
 * @property {() => Promise<void>} ensureRoom rejects where a run may not find room, although a row still does
 * @property {(error: any) => Error} explain gives a StoreError where the store is to blame, else the error itself
 * @property {(cause: Error) => StoreError} unavailable gives one that names the database, and what to do
 * @property {(file: string) => Promise<void>} backup writes a consistent copy while others read and write; rejects where
 *   the file is there already, and for PostgreSQL, which has a tool of its own for it
 * @property {() => Promise<void>} close
 */

const SECRET_BYTES = 32;
/** All workers and machines write the same row: there is never more than one. */
const CHECK_NAME = 'ready';

/**
 * @typedef {object} StorePlace
 * @property {string} [url] postgres://...
 * @property {string} [dataDir] without a URL, the folder of the SQLite file
 * @property {boolean} [mustExist] by default, a folder or file that is missing is made
 * @property {WarningLog} [log]
 */

/**
 * Opens the store, and does not migrate it.
 * @param {StorePlace} place @returns {Promise<Store>}
 * @throws {Error} the setting that is to blame, what was expected, and why it cannot be; never the URL, which has a password
 */
export const openStore = async (place) => createStore(await openDatabase(place));

/** Opens the database of either kind. @param {StorePlace} place @returns {Promise<Database>} */
export async function openDatabase({ url, dataDir, mustExist, log }) {
  if (!url) return openSqlite(/** @type {string} */ (dataDir), { mustExist });
  // The client is imported only here: most sites have no PostgreSQL, and start sooner without it.
  const { openPostgres } = await import('./postgres.js');
  return openPostgres(url, { log });
}

/**
 * @typedef {ReturnType<typeof createStore>} Store rejects with a StoreError where the database is full, can only be read, is
 *   damaged or cannot be reached
 */

/** Creates the functions of the store; their errors are explained. @param {Database} database */
export function createStore(database) {
  const { explain, unavailable, backup, close } = database;
  const functions = {
    ...createSavedRuns(database),
    ...createFieldStudies(database),
    ...createFieldCounts(database),
    /**
     * Returns a secret of 32 random bytes. The first caller creates it, and all others get the same.
     * @param {string} name
     */
    getSecret: (name) => getSecret(database, name),
    /** Writes a row and reads it; rejects if that fails, or a run may not find room. */
    check: () => check(database),
    /** Runs the pending migrations, and returns their names; several workers may call it at once. */
    migrate: () => migrate(database),
  };
  return { ...explainAll(functions, explain), unavailable, backup, close };
}

/** @param {Database} database @param {string} name */
async function getSecret({ db, readDb, ensureInPlace }, name) {
  /** @param {typeof db} from */
  const select = (from) => from.selectFrom('secrets').select('value').where('name', '=', name);
  const known = await select(readDb).executeTakeFirst();
  if (known) return toBytes(known.value);
  await ensureInPlace();
  const row = { name, value: randomBytes(SECRET_BYTES) };
  // If several workers create one at the same moment, the first is kept, and all read that.
  await db.transaction().execute((trx) => {
    const insertion = trx.insertInto('secrets').values(row);
    return insertion.onConflict((conflict) => conflict.column('name').doNothing()).execute();
  });
  const { value } = await select(db).executeTakeFirstOrThrow();
  return toBytes(value);
}

/** Checks the store by using it, as a read-only database also lets a transaction begin. @param {Database} database */
async function check({ db, readDb, ensureInPlace, ensureRoom }) {
  await ensureInPlace();
  const row = { name: CHECK_NAME, checked_at: new Date().toISOString() };
  await db.transaction().execute((trx) => {
    const insertion = trx.insertInto('checks').values(row);
    return insertion.onConflict((conflict) => conflict.column('name').doUpdateSet(row)).execute();
  });
  // This uses the connection that reads lists and runs. Another worker may have written the row since.
  await readDb.selectFrom('checks').select('checked_at').where('name', '=', CHECK_NAME).executeTakeFirstOrThrow();
  await ensureRoom();
}
