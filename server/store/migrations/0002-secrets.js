/**
 * What all workers and machines that share the store must know alike, and nobody else.
 *
 * @param {import('kysely').Kysely<any>} db
 * @param {import('../database.js').ColumnTypes} types
 */
export async function up(db, { bytes }) {
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', bytes, (column) => column.notNull())
    .execute();
}
