import { BROWSER_NAMES } from '../../../core/experiment/names.js';

/** @import { Kysely } from 'kysely' */

/** Of several indexes that would do, SQLite takes the one that was made last: these leave fewer runs than a browser. */
const NARROWER = ['server', 'place_name', 'label'];

/**
 * The browser, to filter the list by. Runs that were saved before have it in their digest, or not at all.
 *
 * @param {Kysely<any>} db
 */
export async function up(db) {
  await db.schema.alterTable('saved_runs').addColumn('browser', 'text').execute();
  for (const browser of BROWSER_NAMES) {
    // Inside a string of JSON the quotes would have backslashes.
    const part = `%"browser":"${browser} %`;
    await db.updateTable('saved_runs').set({ browser }).where('digest', 'like', part).execute();
  }
  await createIndex(db, 'browser');
  for (const column of NARROWER) {
    await db.schema.dropIndex(`saved_runs_by_${column}`).execute();
    await createIndex(db, column);
  }
}

/** @param {Kysely<any>} db @param {string} column */
async function createIndex(db, column) {
  const columns = [column, 'saved_at', 'id'];
  await db.schema.createIndex(`saved_runs_by_${column}`).on('saved_runs').columns(columns).execute();
}
