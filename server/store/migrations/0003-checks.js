/** @import { Kysely } from 'kysely' */

/** What is written to learn whether the store can be written. @param {Kysely<any>} db */
export async function up(db) {
  await db.schema
    .createTable('checks')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('checked_at', 'text', (column) => column.notNull())
    .execute();
}
