/** @import { Database } from './database.js' */

/** All workers and machines write the same row: there is never more than one. */
const NAME = 'ready';

/**
 * Whether the store can be written and read: by doing it, as a database that can only be read lets a transaction begin.
 *
 * @param {Pick<Database, 'db' | 'readDb' | 'ensureInPlace'>} database
 * @returns {() => Promise<void>} rejects where it cannot
 */
export function createCheck({ db, readDb, ensureInPlace }) {
  return async function check() {
    await ensureInPlace();
    const row = { name: NAME, checked_at: new Date().toISOString() };
    await db.transaction().execute((trx) =>
      trx
        .insertInto('checks')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ checked_at: row.checked_at }))
        .execute(),
    );
    // By the connection that lists and runs are read with. Another worker may have written it since.
    await readDb.selectFrom('checks').select('checked_at').where('name', '=', NAME).executeTakeFirstOrThrow();
  };
}
