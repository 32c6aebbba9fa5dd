/** Releases one after the other, and side by side, on the same store. */
import assert from 'node:assert/strict';
import { boundDigest, DIGEST_LIMITS } from '../../../core/experiment/documents/digest.js';
import { migrate, MIGRATIONS } from '../../../server/store/migrations.js';
import { createStore, openStore } from '../../../server/store/index.js';
import { createDocument, createId, createSavedRun, createSavedRuns, saveAsEarlier } from '../../support/saved-runs.js';
import { startSaver } from '../../support/savers.js';
import { OPENED_COUNT, SMALL, TOKEN, withStore } from './subject.js';

/**
 * @import { SavedRun } from '../../../server/store/index.js'
 * @import { Contract } from './subject.js'
 */

/** What the release before lists had a column of their own migrates to. */
const EARLIER = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0005'));
const SMALL_DIGEST = { headline: 'SockJS is faster', detail: 'line\n"one"', floorMs: 2 };
const LARGE_DIGEST = { headline: 'h'.repeat(1000), detail: '\u20ac'.repeat(100_000), floorMs: 2 };

/** @type {Contract} */
export const migrationsContract = {
  'is migrated once, by whichever of several does it first': async ({ place }) => {
    const stores = await Promise.all(Array.from({ length: OPENED_COUNT }, () => openStore(place)));
    try {
      const done = await Promise.all(stores.map((store) => store.migrate()));
      assert.deepEqual(done.flat(), Object.keys(MIGRATIONS));
      assert.deepEqual(await stores[0].migrate(), []);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  },

  'of a migration that fails keeps nothing, not even what came before it': async ({ openDatabase }) => {
    const database = await openDatabase();
    try {
      const failing = {
        ...MIGRATIONS,
        '9998-before': {
          up: (/** @type {any} */ db) => db.schema.createTable('before').addColumn('a', 'text').execute(),
        },
        '9999-fails': { up: (/** @type {any} */ db) => db.schema.dropTable('no_such_table').execute() },
      };
      await assert.rejects(migrate(database, failing), /no_such_table/);
      const tables = (await database.db.introspection.getTables()).map(({ name }) => name);
      assert.deepEqual(tables, []);
      assert.deepEqual(await migrate(database), Object.keys(MIGRATIONS));
    } finally {
      await database.close();
    }
  },

  'cuts digests that an earlier release saved without a limit, once, whichever of several does it first': async ({
    place,
    openDatabase,
  }) => {
    const database = await openDatabase();
    const runs = createSavedRuns(45).map((run, i) => ({ ...run, digest: i % 3 ? LARGE_DIGEST : SMALL_DIGEST }));
    await migrate(database, EARLIER);
    for (const run of runs) await saveAsEarlier(database, run);
    await database.close();
    const stores = await Promise.all(Array.from({ length: OPENED_COUNT }, () => openStore(place)));
    try {
      const done = await Promise.all(stores.map((store) => store.migrate()));
      assert.deepEqual(done.flat(), [
        '0005-listed',
        '0006-ws',
        '0007-parts',
        '0008-keys',
        '0009-two-filters',
        '0010-changes',
        '0011-field',
      ]);
      const small = { headline: SMALL_DIGEST.headline, floorMs: 2 };
      for (const { id, digest } of await stores[0].list({ limit: 100 })) {
        const whole = (await stores[1].get(id))?.digest ?? assert.fail();
        const isLarge = runs.find((run) => run.id === id)?.digest === LARGE_DIGEST;
        assert.deepEqual(whole, isLarge ? boundDigest(LARGE_DIGEST) : SMALL_DIGEST);
        assert.ok(Buffer.byteLength(JSON.stringify(whole)) <= DIGEST_LIMITS.bytes);
        if (!isLarge) assert.deepEqual(digest, small);
        else assert.deepEqual([digest.headline.length, 'detail' in digest, digest.floorMs], [300, false, 2]);
      }
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  },

  'finds a WebSocket by its name of today, too, where it had another': async ({ openDatabase }) => {
    const database = await openDatabase();
    await migrate(database, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0006')));
    const experiments = ['countdown', 'jobs', 'reach', 'shootout', 'in-flight', 'countdown'];
    const transportsOf = (/** @type {number} */ i) => (i === experiments.length - 1 ? ['xhr'] : ['xhr', 'websocket']);
    const runs = createSavedRuns(experiments.length).map((run, i) => {
      return { ...run, experiment: experiments[i], transports: transportsOf(i) };
    });
    const store = createStore(database);
    try {
      for (const run of runs) await saveAsEarlier(database, run);
      assert.deepEqual(await store.migrate(), [
        '0006-ws',
        '0007-parts',
        '0008-keys',
        '0009-two-filters',
        '0010-changes',
        '0011-field',
      ]);
      const experimentsWith = async (/** @type {string} */ transport) =>
        (await store.list({ filter: { transport }, limit: 9 })).map(({ experiment }) => experiment).sort();
      assert.deepEqual(await experimentsWith('ws'), ['countdown', 'jobs', 'reach']);
      // As links of then ask, and the previous release after a revert.
      assert.deepEqual(await experimentsWith('websocket'), ['countdown', 'in-flight', 'jobs', 'reach', 'shootout']);
    } finally {
      await store.close();
    }
  },

  'finds labels and places however they are written, and those that an earlier release saved before or beside it':
    async ({ openDatabase }) => {
      const database = await openDatabase();
      await migrate(database, Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0008')));
      const store = createStore(database);
      const names = ['İzmir', 'IZMIR', 'i\u0307zmir', 'I\u0307ZM\u0131R', 'izmir'];
      const runs = names.map((name, i) =>
        createSavedRun({
          id: createId(name),
          label: `${name} ẞ`,
          place: { name },
          savedAt: `2026-11-2${i}T00:00:00.000Z`,
        }),
      );
      const [before, beside, other, ...own] = runs;
      try {
        await saveAsEarlier(database, before);
        await store.migrate();
        await saveAsEarlier(database, beside);
        for (const run of own) await store.save(run, SMALL);
        await store.save({ ...other, label: 'other', place: { name: 'Bonn' } }, SMALL);
        assert.equal(await store.describe(other.id, TOKEN, { label: other.label, place: other.place }), 'described');
        await store.migrate();
        const ids = runs.map(({ id }) => id).reverse();
        for (const filter of [{ label: 'izmir SS' }, { place: 'İZMİR ' }, { label: 'I\u0307zmir  ß', place: 'izmir' }])
          assert.deepEqual(
            (await store.list({ filter, limit: 9 })).map(({ id }) => id),
            ids,
            JSON.stringify(filter),
          );
        await store.save(createSavedRun({ id: createId('nameless') }), SMALL);
        for (const filter of [{ label: 'other' }, { place: 'Bonn' }, { label: ' ' }, { place: '' }])
          assert.deepEqual(await store.list({ filter, limit: 9 }), [], JSON.stringify(filter));
      } finally {
        await store.close();
      }
    },

  'lists what an earlier release saves beside it, of a digest of some MiB what stands before its detail': async ({
    openDatabase,
  }) => {
    const database = await openDatabase();
    const store = createStore(database);
    try {
      await store.migrate();
      const largest = { ...LARGE_DIGEST, detail: '\u20ac'.repeat(1_000_000) };
      const digests = [SMALL_DIGEST, largest, { headline: '\u20ac'.repeat(1_000_000), detail: 'why' }];
      const runs = createSavedRuns(3).map((run, i) => ({ ...run, digest: digests[i] }));
      for (const run of runs) await saveAsEarlier(database, run);
      const listed = await store.list({ limit: 9 });
      const digestOf = (/** @type {SavedRun} */ { id }) => listed.find((run) => run.id === id)?.digest;
      assert.deepEqual(runs.map(digestOf), [
        { headline: SMALL_DIGEST.headline, floorMs: 2 },
        { headline: LARGE_DIGEST.headline },
        // Where the beginning has not even a headline.
        {},
      ]);
    } finally {
      await store.close();
    }
  },

  'gives the name of a place that an earlier release saved, without its coordinates': async ({ openDatabase }) => {
    const database = await openDatabase();
    const store = createStore(database);
    try {
      await store.migrate();
      const named = createSavedRun({ id: createId('named'), place: { name: 'Bonn' } });
      const unnamed = createSavedRun({ id: createId('unnamed') });
      for (const run of [named, unnamed]) await store.save(run, SMALL);
      const coordinates = /** @type {any} */ ({ latitude: 50.7, longitude: 7.1 });
      await database.db.updateTable('saved_runs').set(coordinates).execute();
      for (const run of [named, unnamed]) assert.deepEqual(await store.get(run.id), run);
      const listed = await store.list({ limit: 9 });
      assert.deepEqual(new Set(listed.map(({ place }) => place)), new Set([named.place, undefined]));
    } finally {
      await store.close();
    }
  },

  'runs on what a later release has migrated, as after a revert': async ({ openDatabase, place }) => {
    const database = await openDatabase();
    const later = { up: (/** @type {any} */ db) => db.schema.createTable('later').addColumn('a', 'text').execute() };
    assert.deepEqual(await migrate(database, { ...MIGRATIONS, '9999-later': later }), [
      ...Object.keys(MIGRATIONS),
      '9999-later',
    ]);
    await database.close();
    await withStore(async (store) => {
      await store.save(createSavedRun(), SMALL);
      assert.deepEqual(await store.list({ limit: 9 }), [createSavedRun()]);
    })({ place });
  },

  'is opened, migrated and written to by several processes at the same time': async ({ place }) => {
    const count = 15;
    const savers = Array.from({ length: OPENED_COUNT }, (_, index) => startSaver(place, `saver ${index}`, count));
    const ends = await Promise.all(savers.map((saver) => saver.ended()));
    assert.deepEqual(
      ends.map(({ code, ids }) => [code, ids.length]),
      Array(OPENED_COUNT).fill([0, count]),
    );
    assert.deepEqual(
      ends.flatMap(({ migrations }) => migrations),
      Object.keys(MIGRATIONS),
    );
    await withStore(async (store) => {
      const ids = (await store.list({ limit: 1000 })).map(({ id }) => id);
      assert.deepEqual(ids.sort(), ends.flatMap((end) => end.ids).sort());
      for (const id of ids) assert.deepEqual(await store.getDocument(id), createDocument(id));
    })({ place });
  },
};
