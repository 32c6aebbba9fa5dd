import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createStore, openStore } from '../../server/store/index.js';
import { openPostgres } from '../../server/store/postgres.js';
import { copyRelease, holdsRelease } from '../contract/release-1.0.0.js';
import { storeContract } from '../contract/store/index.js';
import { findFreePorts } from '../../cli/program/free-ports.js';
import { withFolder } from '../support/folder.js';
import { openTestPostgres } from '../support/postgres.js';
import { openServer } from '../support/server.js';
import { postgresFaults } from '../support/store-faults.js';

/**
 * @import { AddressInfo, Socket } from 'node:net'
 * @import { TestPostgres } from '../support/postgres.js'
 */

/** More connections than the store has at a time. */
const MANY = 12;

/**
 * A network in front of a database, which can forget the connections that there are: nothing passes, and nobody is told.
 *
 * @param {string} url of the database
 */
async function openForgetfulNetwork(url) {
  const target = new URL(url);
  const { port, hostname } = target;
  /** @type {Set<Socket>} */
  const sockets = new Set();
  const network = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      sockets.add(from);
      from.on('error', () => {}).pipe(to);
    }
  });
  network.listen(0, '127.0.0.1');
  await once(network, 'listening');
  target.host = `127.0.0.1:${/** @type {AddressInfo} */ (network.address()).port}`;
  return {
    url: target.href,
    forget: () => sockets.forEach((socket) => socket.unpipe().pause()),
    close() {
      network.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('the store in PostgreSQL', () => {
  /** @type {TestPostgres} */
  let postgres;
  before(async () => {
    postgres = await openTestPostgres();
  });
  after(() => postgres?.close());

  it('is filled with what 1.0.0 stored, and upgraded without loss', () =>
    withFolder(async (folder) => {
      const url = await postgres.createSchema();
      const database = await openPostgres(url);
      await copyRelease(database, folder);
      await database.close();
      const server = await openServer({ env: { DATABASE_URL: url } });
      try {
        await holdsRelease(server);
      } finally {
        await server.close();
      }
    }));

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

  it('is unavailable for as long as a query may take where the network forgot its connections, and opens others', async () => {
    const url = await postgres.createSchema();
    const migrated = await openStore({ url });
    await migrated.migrate();
    await migrated.close();
    const network = await openForgetfulNetwork(url);
    const store = createStore(await openPostgres(network.url, { queryMs: 2000 }));
    try {
      const checkMany = () => Promise.allSettled(Array.from({ length: MANY }, () => store.check()));
      await checkMany();
      network.forget();
      const reasons = (await checkMany()).map((one) => one.status === 'rejected' && one.reason.reason);
      assert.ok(reasons.includes('unavailable'), reasons.join());
      assert.ok(
        reasons.every((reason) => reason === false || reason === 'unavailable'),
        reasons.join(),
      );
      await store.check();
    } finally {
      await store.close();
      network.close();
    }
  });

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
