/**
 * The tables of saved runs, and an index for each filter of the list, in the order of the list.
 */

/**
 * @import { Kysely } from 'kysely'
 * @import { ColumnTypes } from '../database.js'
 */

/**
 * What the list filters by, besides the transport. Of several that would do, SQLite takes the index that was made last, so
 * those come last that leave the fewest runs.
 */
const FILTERED = ['is_valid', 'experiment', 'server', 'place_name', 'label'];

/** @param {Kysely<any>} db @param {ColumnTypes} types */
export async function up(db, { orderedText, bytes, float }) {
  await db.schema
    .createTable('saved_runs')
    .addColumn('id', orderedText, (column) => column.primaryKey().notNull())
    .addColumn('saved_at', orderedText, (column) => column.notNull())
    .addColumn('experiment', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .addColumn('note', 'text')
    .addColumn('place_name', 'text')
    .addColumn('latitude', float)
    .addColumn('longitude', float)
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('is_valid', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('token_hash', bytes, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('run_documents')
    .addColumn('run_id', orderedText, (column) =>
      column.primaryKey().notNull().references('saved_runs.id').onDelete('cascade'),
    )
    .addColumn('document', bytes, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('run_transports')
    .addColumn('run_id', orderedText, (column) => column.notNull().references('saved_runs.id').onDelete('cascade'))
    .addColumn('transport', 'text', (column) => column.notNull())
    .addColumn('saved_at', orderedText, (column) => column.notNull())
    .addPrimaryKeyConstraint('run_transports_key', ['run_id', 'transport'])
    .execute();

  await db.schema.createIndex('saved_runs_in_order').on('saved_runs').columns(['saved_at', 'id']).execute();
  for (const column of FILTERED) {
    await db.schema
      .createIndex(`saved_runs_by_${column}`)
      .on('saved_runs')
      .columns([column, 'saved_at', 'id'])
      .execute();
  }
  await db.schema
    .createIndex('run_transports_by_transport')
    .on('run_transports')
    .columns(['transport', 'saved_at', 'run_id'])
    .execute();
}
