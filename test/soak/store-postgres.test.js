import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore } from '../../server/store/index.js';
import { openPostgres } from '../../server/store/postgres.js';
import { storeContract } from '../contract/store-contract.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { openTestPostgres } from '../support/postgres.js';
import { postgresFaults } from '../support/store-faults.js';

/** @import { TestPostgres } from '../support/postgres.js' */

describe('the store in PostgreSQL', () => {
  /** @type {TestPostgres} */
  let postgres;
  before(async () => {
    postgres = await openTestPostgres();
  });
  after(() => postgres?.close());

  for (const [name, check] of Object.entries(storeContract)) {
    it(name, async () => {
      const url = await postgres.createSchema();
      const { host, pathname } = new URL(url);
      await check({
        place: { url },
        openDatabase: () => openPostgres(url),
        faults: postgresFaults,
        path: `PostgreSQL at ${host}${pathname}`,
      });
    });
  }

  it('cannot be checked where it can only be read', async () => {
    const url = new URL(await postgres.createSchema());
    const store = await openStore({ url: url.href });
    await store.migrate();
    await store.close();
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const standby = await openStore({ url: url.href });
    try {
      await assert.rejects(standby.check(), { name: 'StoreError', reason: 'read-only' });
    } finally {
      await standby.close();
    }
  });

  it('names its own tool for backups', async () => {
    const store = await openStore({ url: await postgres.createSchema() });
    try {
      await assert.rejects(store.backup('copy'), /got PostgreSQL; use pg_dump$/);
    } finally {
      await store.close();
    }
  });

  it('names the setting where there is none, without its password', async () => {
    const port = await findFreePorts(1);
    for (const url of [`postgres://test:hunter2@127.0.0.1:${port}/none`, 'postgres://test:hunter2@127.0.0.1:x/none']) {
      await assert.rejects(openStore({ url }), ({ message }) => {
        assert.match(message, /^DATABASE_URL: expected /);
        assert.doesNotMatch(message, /hunter2/);
        return true;
      });
    }
  });
});
