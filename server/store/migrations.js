/**
 * The tables, and the migrations that create them. A released migration is never changed. Migrations only add columns
 * and rows, and cut values that got a limit, as the previous release must run on the result, during a reload and after a revert.
 */
import { parseJson } from '../../core/base/foreign-text.js';
import { boundDigest } from '../../core/experiment/documents/digest.js';
import { BROWSER_NAMES } from '../../core/experiment/run/names.js';
import { Migrator, sql } from './kysely.js';
import { fillKeys, NAMES, formatListed } from './rows.js';

/**
 * @import { Expression, Kysely, Migration } from 'kysely'
 * @import { Database } from './index.js'
 * @import { Key, SavedRunsTable } from './rows.js'
 */

/**
 * Text, integers and bytes are all that is stored, as both databases give them back alike: neither's own booleans, dates or
 * JSON.
 *
 * @typedef {object} Tables
 * @property {SavedRunsTable} saved_runs
 * @property {{ run_id: string, transport: string, saved_at: string }} run_transports for the filter: a row for each
 *   transport of a run, with the run's time, so that an index has the order of the list
 * @property {{ run_id: string, document: Uint8Array }} run_documents apart from the runs, so that lists do not read it
 * @property {{ name: string, value: Uint8Array }} secrets
 * @property {{ name: string, checked_at: string }} checks
 * @property {{ count: number }} changes of saved runs: one row
 * @property {{ label_key: string, label: string, key_hash: Uint8Array, origins: string, sample: string, is_on: number, created_at:
 *   string }} field_studies studies of users, by the key of their label
 * @property {{ label_key: string, name: string, count: number }} field_counts what their records add up to
 *
 * @typedef {Record<'orderedText' | 'bytes' | 'float', Expression<any>>} ColumnTypes what the databases call differently: text
 *   that sorts by its bytes, bytes, and numbers of 64 bits
 *
 * @typedef {(db: Kysely<any>, types: ColumnTypes, onChange: Database['onChange']) => Promise<void>} Up
 */

/** The migrations, by names that sort in their order. @type {Readonly<Record<string, { up: Up }>>} */
export const MIGRATIONS = Object.freeze({
  '0001-saved-runs': { up: createSavedRuns },
  '0002-secrets': { up: (db, { bytes }) => createNamed(db, 'secrets', 'value', bytes) },
  '0003-checks': { up: (db) => createNamed(db, 'checks', 'checked_at', 'text') },
  '0004-browser': { up: addBrowser },
  '0005-listed': { up: addListed },
  '0006-ws': { up: addWs },
  '0007-parts': { up: addParts },
  '0008-keys': { up: addKeys },
  '0009-two-filters': { up: indexTwoFilters },
  '0010-changes': { up: countChanges },
  '0011-field': { up: createField },
});

/**
 * Runs the pending migrations in one transaction: all of them, or none. Returns their names.
 * @param {{ db: Kysely<any>, columnTypes: ColumnTypes, onChange: Database['onChange'] }} database @param {typeof MIGRATIONS} [migrations]
 */
export async function migrate({ db, columnTypes, onChange }, migrations = MIGRATIONS) {
  const known = await listFuture(db, migrations);
  for (const [name, { up }] of Object.entries(migrations))
    known[name] = { up: (trx) => up(trx, columnTypes, onChange) };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/**
 * Lists the migrations of a later release, on which this one runs after a revert. Kysely by itself would refuse.
 * @param {Kysely<any>} db @param {typeof MIGRATIONS} migrations @returns {Promise<Record<string, Migration>>}
 */
async function listFuture(db, migrations) {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  // Kysely's own table records the migrations that have run.
  if (!tables.some(({ name }) => name === 'kysely_migration')) return {};
  const newest = Object.keys(migrations).sort().at(-1) ?? '';
  const names = (await db.selectFrom('kysely_migration').select('name').execute()).map(({ name }) => name);
  return Object.fromEntries(names.filter((name) => name > newest).map((name) => [name, { up: async () => {} }]));
}

/** @type {Up} */
async function createSavedRuns(db, { orderedText, bytes, float }) {
  await db.schema
    .createTable('saved_runs')
    .addColumn('id', orderedText, (column) => column.primaryKey().notNull())
    .addColumn('saved_at', orderedText, (column) => column.notNull())
    .addColumn('experiment', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .addColumn('note', 'text')
    .addColumn('place_name', 'text')
    // Earlier releases wrote the visitor's coordinates, and a revert goes back to one: the columns stay, nothing reads them.
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
  // SQLite takes the last-created of several usable indexes, so those that leave the fewest runs come last.
  for (const column of ['is_valid', 'experiment', 'server', 'place_name', 'label']) await createRunsIndex(db, column);
  await db.schema
    .createIndex('run_transports_by_transport')
    .on('run_transports')
    .columns(['transport', 'saved_at', 'run_id'])
    .execute();
}

/**
 * Creates an index for a filter of the list, in the order of the list.
 * @param {Kysely<any>} db @param {string} column
 */
async function createRunsIndex(db, column) {
  const columns = [column, 'saved_at', 'id'];
  await db.schema.createIndex(`saved_runs_by_${column}`).on('saved_runs').columns(columns).execute();
}

/** @param {Kysely<any>} db @param {string} table @param {string} column @param {'text' | Expression<any>} type */
async function createNamed(db, table, column, type) {
  await db.schema
    .createTable(table)
    .addColumn('name', 'text', (name) => name.primaryKey().notNull())
    .addColumn(column, type, (value) => value.notNull())
    .execute();
}

/** Adds the browser, as a filter of the list. Earlier runs have it in their digest, or not at all. @type {Up} */
async function addBrowser(db) {
  await db.schema.alterTable('saved_runs').addColumn('browser', 'text').execute();
  for (const browser of BROWSER_NAMES) {
    // Quotes inside a JSON string would have backslashes.
    const part = `%"browser":"${browser} %`;
    await db.updateTable('saved_runs').set({ browser }).where('digest', 'like', part).execute();
  }
  await createRunsIndex(db, 'browser');
  // These leave fewer runs than a browser, so they have to be made after it.
  for (const column of ['server', 'place_name', 'label']) {
    await db.schema.dropIndex(`saved_runs_by_${column}`).execute();
    await createRunsIndex(db, column);
  }
}

/** The number of runs rewritten at once, whose digests may have some MiB each. */
const REWRITTEN_AT_ONCE = 20;

/** Adds what lists show, so that they read no detail, and cuts digests that were saved without a limit. @type {Up} */
async function addListed(db) {
  await db.schema.alterTable('saved_runs').addColumn('listed', 'text').execute();
  for (let after = ''; ;) {
    const next = db.selectFrom('saved_runs').select(['id', 'digest']).where('id', '>', after).orderBy('id');
    const rows = await next.limit(REWRITTEN_AT_ONCE).execute();
    if (rows.length === 0) return;
    for (const { id, digest } of rows) {
      const bounded = boundDigest(parseJson(digest));
      const columns = { digest: JSON.stringify(bounded), listed: formatListed(bounded) };
      await db.updateTable('saved_runs').set(columns).where('id', '=', id).execute();
    }
    after = rows[rows.length - 1].id;
  }
}

/**
 * Adds the current name of a WebSocket to the filter's rows, for the experiments in which it had the name that SockJS's
 * endpoint for one has today. The former rows stay for the previous release.
 * @type {Up}
 */
async function addWs(db) {
  const found = db
    .selectFrom('run_transports as by')
    .innerJoin('saved_runs as run', 'run.id', 'by.run_id')
    .select(['by.run_id', sql.lit('ws').as('transport'), 'by.saved_at'])
    .where('by.transport', '=', 'websocket')
    .where('run.experiment', 'in', ['countdown', 'jobs', 'reach']);
  const rows = db.insertInto('run_transports').columns(['run_id', 'transport', 'saved_at']).expression(found);
  await rows.onConflict((conflict) => conflict.doNothing()).execute();
}

/** Adds which run a run is a part of: it is deleted with that. @type {Up} */
async function addParts(db, { orderedText }) {
  const addition = db.schema
    .alterTable('saved_runs')
    .addColumn('part_of', orderedText, (column) => column.references('saved_runs.id').onDelete('cascade'));
  await addition.execute();
  // Only for deletions: lists leave parts out, and must not be read in its order.
  const index = db.schema.createIndex('saved_runs_by_part_of').on('saved_runs').column('part_of');
  await index.where('part_of', 'is not', null).execute();
}

/** Adds what names are found by. @type {Up} */
async function addKeys(db) {
  for (const key of /** @type {Key[]} */ (Object.keys(NAMES))) {
    const name = NAMES[key];
    await db.schema.alterTable('saved_runs').addColumn(key, 'text').execute();
    // Of the runs that an earlier release saves during a reload: usually none.
    const index = db.schema.createIndex(`saved_runs_without_${key}`).on('saved_runs').columns([key, name]);
    await index.where(name, 'is not', null).where(key, 'is', null).execute();
    await fillKeys(db, key);
  }
}

/** What is filtered by beside an experiment. */
const FILTER_COLUMNS = ['label_key', 'place_key', 'browser', 'server', 'is_valid'];

const FORMER_INDEXES = [
  'in_order',
  ...['label', 'place_name', 'browser', 'server', 'is_valid'].map((name) => `by_${name}`),
];

/**
 * Indexes what lists are filtered by, and each two, in the order of the list. Without an experiment a list has no parts, so those
 * indexes have none.
 * @type {Up}
 */
async function indexTwoFilters(db) {
  /** @param {string} name @param {string[]} columns */
  const create = (name, columns) =>
    db.schema
      .createIndex(`saved_runs_${name}`)
      .on('saved_runs')
      .columns([...columns, 'saved_at', 'id']);
  /** @param {string} name @param {string[]} columns */
  const createOfWholes = (name, columns) => create(name, columns).where('part_of', 'is', null).execute();
  for (const name of FORMER_INDEXES) await db.schema.dropIndex(`saved_runs_${name}`).execute();
  await createOfWholes('in_order', []);
  for (const [i, column] of FILTER_COLUMNS.entries()) {
    await createOfWholes(`by_${column}`, [column]);
    await create(`by_experiment_${column}`, ['experiment', column]).execute();
    for (const other of FILTER_COLUMNS.slice(0, i)) await createOfWholes(`by_${other}_${column}`, [other, column]);
  }
}

/**
 * Counts changes of saved runs, so that what was made of them is known to be up to date. The database counts them itself, as the
 * previous release and other programs change runs, too; whoever sees a change also sees the count, and none sees it before.
 * @type {Up}
 */
async function countChanges(db, _types, onChange) {
  await db.schema
    .createTable('changes')
    .addColumn('count', 'bigint', (column) => column.notNull())
    .execute();
  await db.insertInto('changes').values({ count: 0 }).execute();
  for (const statement of onChange('saved_runs', 'update changes set count = count + 1')) await statement.execute(db);
}

/** Creates what studies of users need. @type {Up} */
async function createField(db, { orderedText, bytes }) {
  await db.schema
    .createTable('field_studies')
    .addColumn('label_key', orderedText, (column) => column.primaryKey().notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('key_hash', bytes, (column) => column.notNull())
    .addColumn('origins', 'text', (column) => column.notNull())
    .addColumn('sample', 'text', (column) => column.notNull())
    .addColumn('is_on', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('field_counts')
    .addColumn('label_key', orderedText, (column) =>
      column.notNull().references('field_studies.label_key').onDelete('cascade'),
    )
    .addColumn('name', orderedText, (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('field_counts_key', ['label_key', 'name'])
    .execute();
}
