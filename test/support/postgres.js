/**
 * A real PostgreSQL for tests: the one that TEST_DATABASE_URL names, whose user may create databases, or one of the
 * test's own.
 */
import pg from 'pg';
import { startPostgres } from '../../lab/postgres.js';

/** What a loss of power would do is of no interest here. */
const QUICK = ['-c', 'fsync=off', '-c', 'full_page_writes=off'];

/**
 * @typedef {object} TestPostgres
 * @property {() => Promise<string>} createSchema gives the URL of a database with a new, empty one, instead of the one before:
 *   Kysely looks for its tables in all schemas
 * @property {() => Promise<void>} close
 */

/** @returns {Promise<TestPostgres>} */
export async function openTestPostgres() {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, close: async () => {} } : await startPostgres(QUICK);
  const name = `sockshootout_test_${process.pid}`;
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await query(server.url, `create database ${name}`);
  return {
    async createSchema() {
      await query(url.href, 'drop schema public cascade; create schema public');
      return url.href;
    },
    async close() {
      try {
        // That of a server of the test's own goes with it.
        if (given) await query(given, `drop database if exists ${name} with (force)`);
      } finally {
        await server.close();
      }
    },
  };
}

/**
 * @param {string} url
 * @param {string} text
 */
async function query(url, text) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
