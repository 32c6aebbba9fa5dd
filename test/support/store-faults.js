/**
 * Databases that cannot be written, without root: each gives what undoes it.
 *
 * @typedef {object} StoreFaults
 * @property {(database: Database) => Promise<() => Promise<unknown>>} fill it, so that nothing more can be saved
 * @property {(database: Database) => Promise<() => Promise<unknown>>} freeze it, so that it can only be read
 */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sql } from '../../server/store/kysely.js';

/** @import { Database } from '../../server/store/index.js' */

/** As many pages as a file may have by default. */
const MAX_PAGES = 4_294_967_294;
/** Nearly a page: the next row needs another page. */
const FILLER = 'x'.repeat(4_045);

/** @type {StoreFaults} */
export const sqliteFaults = {
  async fill({ db }) {
    await db.insertInto('checks').values({ name: 'filler', checked_at: FILLER }).execute();
    const { rows } = await sql`pragma page_count`.execute(db);
    const { page_count: count } = /** @type {{ page_count: number }} */ (rows[0]);
    await sql`pragma max_page_count = ${sql.raw(String(count))}`.execute(db);
    return () => sql`pragma max_page_count = ${sql.raw(String(MAX_PAGES))}`.execute(db);
  },
  async freeze({ db }) {
    const allowWriting = forbidWriting();
    await sql`pragma query_only = on`.execute(db);
    return () => {
      allowWriting();
      return sql`pragma query_only = off`.execute(db);
    };
  },
};

/** As on a disk that is mounted read-only; root may write any file else. */
function forbidWriting() {
  const { access } = fs;
  fs.access = () => Promise.reject(Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' }));
  syncBuiltinESMExports();
  return () => {
    fs.access = access;
    syncBuiltinESMExports();
  };
}

const TABLES = ['checks', 'saved_runs'];

/** @type {StoreFaults} */
export const postgresFaults = {
  async fill({ db }) {
    await sql`create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(db);
    for (const table of TABLES) {
      await sql`create trigger refuse before insert on ${sql.table(table)} execute function refuse()`.execute(db);
    }
    return () => sql`drop function refuse cascade`.execute(db);
  },
  async freeze({ db }) {
    // Of the pool, it is the only connection: one asks after the other.
    await sql`set default_transaction_read_only = on`.execute(db);
    return () => sql`set default_transaction_read_only = off`.execute(db);
  },
};
