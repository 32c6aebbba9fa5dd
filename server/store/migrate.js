import { Migrator } from 'kysely';
import { MIGRATIONS } from './migrations/index.js';

/**
 * @import { Kysely, Migration } from 'kysely'
 * @import { Database } from './database.js'
 */

/** Kysely's own, where it notes what it carried out. */
const NOTES = 'kysely_migration';

/**
 * Carries out what was not yet, in one transaction: all of it, or nothing.
 *
 * @param {Pick<Database, 'db' | 'columnTypes'>} database
 * @param {typeof MIGRATIONS} [migrations]
 * @returns {Promise<string[]>} the names of what was carried out
 */
export async function migrate({ db, columnTypes }, migrations = MIGRATIONS) {
  const all = Object.entries(migrations).map(([name, { up }]) => [
    name,
    { up: (/** @type {Kysely<any>} */ trx) => up(trx, columnTypes) },
  ]);
  const known = { ...(await listFuture(db, migrations)), ...Object.fromEntries(all) };
  const { error, results = [] } = await new Migrator({
    db,
    provider: { getMigrations: async () => known },
  }).migrateToLatest();
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/**
 * What a later release carried out: after a revert it is there, and this release runs on it. Kysely by itself would
 * refuse.
 *
 * @param {Kysely<any>} db
 * @param {typeof MIGRATIONS} migrations
 * @returns {Promise<Record<string, Migration>>} to be left as it is
 */
async function listFuture(db, migrations) {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === NOTES)) return {};
  const newest = Object.keys(migrations).sort().at(-1) ?? '';
  const names = (await db.selectFrom(NOTES).select('name').execute()).map(({ name }) => name);
  return Object.fromEntries(names.filter((name) => name > newest).map((name) => [name, { up: async () => {} }]));
}
