/**
 * @import { Kysely } from 'kysely'
 * @import { ColumnTypes } from '../database.js'
 */

/**
 * What all workers and machines that share the store must know alike, and nobody else.
 *
 * @param {Kysely<any>} db
 * @param {ColumnTypes} types
 */
export async function up(db, { bytes }) {
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', bytes, (column) => column.notNull())
    .execute();
}
