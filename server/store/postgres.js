/**
 * PostgreSQL, for workers on several machines.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

/** For each worker; saving and reading are short. */
const MAX_CONNECTIONS = 5;
const CONNECT_LIMIT_MS = 5000;

/** @type {import('./database.js').ColumnTypes} */
const COLUMN_TYPES = { orderedText: sql`text collate "C"`, bytes: sql`bytea`, float: sql`double precision` };

/**
 * @param {string} url
 * @param {Pick<import('pino').Logger, 'warn'>} [log]
 * @returns {Promise<import('./database.js').Database>}
 * @throws {Error} where it cannot be reached
 */
export async function openPostgres(url, log) {
  const pool = createPool(url);
  // An idle connection that breaks would end the program; the next query opens another.
  pool.on('error', (error) => log?.warn({ err: error }, 'a connection to PostgreSQL broke'));
  /** @type {Kysely<import('./database.js').Tables>} */
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw new Error(`DATABASE_URL: expected a PostgreSQL that can be reached, got ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return {
    db,
    // Its pool has several connections.
    readDb: db,
    columnTypes: COLUMN_TYPES,
    // A server that answers is where it is.
    ensureInPlace: async () => {},
    async check() {
      // For update: a standby, which only reads, refuses that.
      await db.selectFrom('saved_runs').select('id').limit(1).forUpdate().skipLocked().execute();
    },
    async backup() {
      throw new Error('backup: expected an SQLite file, got PostgreSQL; use pg_dump');
    },
    close: () => db.destroy(),
  };
}

/** @param {string} url */
function createPool(url) {
  try {
    return new pg.Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      application_name: 'sockshootout',
    });
  } catch {
    // What pg says of it may hold the password.
    throw new Error('DATABASE_URL: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, got another form');
  }
}

/**
 * @param {any} error where a host has several addresses, it says nothing itself
 * @returns {string}
 */
function reasonOf({ message, code, errors = [] }) {
  return message || errors.map((/** @type {Error} */ one) => one.message).join(', ') || code;
}
