/** PostgreSQL, for workers on several machines. */
import pg from 'pg';
import { Kysely, PostgresDialect, sql } from './kysely.js';
import { createExplain, StoreError } from './store-error.js';

/**
 * @import { Database, WarningLog } from './index.js'
 * @import { Tables } from './migrations.js'
 */

/** The maximum number of connections per worker; saving and reading are short. */
const MAX_CONNECTIONS = 5;
const CONNECT_LIMIT_MS = 5000;
/** No query takes nearly as long, nor does a migration of ten thousands of runs. */
const QUERY_LIMIT_MS = 60_000;

const CHECK_SERVER = 'check that the database server runs and accepts connections from here';

/**
 * The patterns match PostgreSQL's codes (https://www.postgresql.org/docs/current/errcodes-appendix.html), the system's,
 * and pg's messages about a connection, which have no code.
 */
const REASONS = /** @type {const} */ ([
  [/^53100$/, 'full', 'free disk space on the database server; no restart needed'],
  [
    /^25006$/,
    'read-only',
    'set DATABASE_URL to the primary, and check that default_transaction_read_only is off there',
  ],
  [/^XX00[12]$/, 'damaged', 'stop the site and restore a backup of the database (pg_dump makes one)'],
  [
    /^(?:08|53|57P|58)|^E[A-Z]+$|^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout/,
    'unavailable',
    CHECK_SERVER,
  ],
]);

/**
 * Closes a connection on which a query was not answered in time, as others would wait behind it for good: a network may
 * drop a connection silently. The pool then opens another.
 */
class ImpatientClient extends pg.Client {
  /** @param {any} config */
  constructor(config) {
    super(config);
    // Where it breaks between two queries of a transaction, the second query rejects; without a listener the event would end the program.
    this.on('error', () => {});
  }

  /** @param {any[]} args */
  query(...args) {
    // Its overloads take no list of arguments.
    const answered = /** @type {any} */ (super.query)(...args);
    answered?.catch?.((/** @type {Error} */ { message }) => {
      // The types of the library hide its connection.
      if (message === 'Query read timeout') /** @type {any} */ (this).connection.stream.destroy();
    });
    return answered;
  }
}

/**
 * @param {string} url
 * @param {{ log?: WarningLog, queryMs?: number }} [options] `queryMs`: the longest that a query may take
 * @returns {Promise<Database>} @throws if it cannot be reached
 */
export async function openPostgres(url, { log, queryMs = QUERY_LIMIT_MS } = {}) {
  const pool = createPool(url, queryMs);
  // An idle connection that breaks would end the program; the next query opens another.
  pool.on('error', (error) => log?.warn({ err: error }, 'a connection to PostgreSQL was lost'));
  /** @type {Kysely<Tables>} */
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    const message = `DATABASE_URL: expected a reachable PostgreSQL server, got ${reasonOf(error)}`;
    throw new Error(message, { cause: error });
  }
  const { host, pathname } = new URL(url);
  const path = `PostgreSQL at ${host}${pathname}`;
  return {
    db,
    // The pool has several connections.
    readDb: db,
    columnTypes: { orderedText: sql`text collate "C"`, bytes: sql`bytea`, float: sql`double precision` },
    onChange: (table, act) => [
      sql.raw(
        `create function after_change_of_${table}() returns trigger language plpgsql as 'begin ${act}; return null; end'`,
      ),
      sql.raw(
        `create trigger ${table}_after_change after insert or update or delete on ${table} execute function after_change_of_${table}()`,
      ),
    ],
    // A server that answers is in place.
    ensureInPlace: async () => {},
    // It does not tell how much room it has.
    ensureRoom: async () => {},
    explain: createExplain(path, REASONS),
    unavailable: (cause) => new StoreError({ reason: 'unavailable', path, remedy: CHECK_SERVER, cause }),
    async backup() {
      throw new Error('backup: expected an SQLite file, got PostgreSQL; use pg_dump');
    },
    close: () => db.destroy(),
  };
}

/** @param {string} url @param {number} queryMs */
function createPool(url, queryMs) {
  try {
    return new pg.Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      query_timeout: queryMs,
      // A pool gives it the options above, which its types do not say.
      Client: /** @type {any} */ (ImpatientClient),
      application_name: 'sockshootout',
    });
  } catch {
    // The message of pg may contain the password.
    throw new Error('DATABASE_URL: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, got another form');
  }
}

/** @param {any} error where a host has several addresses, it says nothing itself @returns {string} */
function reasonOf({ message, code, errors = [] }) {
  return message || errors.map((/** @type {Error} */ one) => one.message).join(', ') || code;
}
