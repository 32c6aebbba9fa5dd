/**
 * What the store must do, whatever database is behind it.
 */
import assert from 'node:assert/strict';
import { boundDigest, DIGEST_LIMITS } from '../../core/experiment/digest.js';
import { migrate, MIGRATIONS } from '../../server/store/migrations.js';
import { createStore, openStore, StoreError } from '../../server/store/index.js';
import { assertComplaint } from '../support/complaint.js';
import {
  createDocument,
  createId,
  createSavedRun,
  createSavedRuns,
  hashToken,
  saveAsEarlier,
} from '../support/saved-runs.js';
import { startSaver } from '../support/savers.js';

/**
 * @import { Database } from '../../server/store/index.js'
 * @import { Filter, SavedRun, Store } from '../../server/store/index.js'
 * @import { StoreReason } from '../../server/store/store-error.js'
 * @import { StoreFaults } from '../support/store-faults.js'
 */

const TOKEN = hashToken('secret');
const SMALL = { document: new Uint8Array([1]), tokenHash: TOKEN };
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
const PROCESSES = 3;

/** What the release before lists had a column of their own migrates to. */
const EARLIER = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0005'));
const SMALL_DIGEST = { headline: 'SockJS is faster', detail: 'line\n"one"', floorMs: 2 };
const LARGE_DIGEST = { headline: 'h'.repeat(1000), detail: '\u20ac'.repeat(100_000), floorMs: 2 };

/**
 * @typedef {object} Subject
 * @property {{ url?: string, dataDir?: string }} place of a database that is still empty
 * @property {() => Promise<Database>} openDatabase
 * @property {StoreFaults} faults
 * @property {string} path by which errors name it
 */

/** @type {Record<string, (subject: Subject) => Promise<void>>} */
export const storeContract = {
  'gives back a run as it was saved, and nothing where there is none': withStore(async (store) => {
    const whole = createSavedRun({
      id: createId('whole'),
      label: 'Büro, "cable" <b>',
      note: 'line one\nline two 🚀',
      place: { name: 'San Francisco' },
      isValid: false,
      transports: ['sockjs', 'ajax'],
      digest: { text: '\u0000 \ud83d\ude80', none: null, list: [1, 0.1, -1e-7, true], nested: { b: 1, a: 2 } },
    });
    const bare = createSavedRun({ id: createId('bare') });
    for (const run of [whole, bare]) {
      await store.save(run, SMALL);
      const got = await store.get(run.id);
      assert.deepEqual(got, run);
      // Not even an order of keys is changed.
      assert.equal(JSON.stringify(got?.digest), JSON.stringify(run.digest));
    }
    assert.equal(await store.get(createId('another')), undefined);
    assert.equal(await store.getDocument(createId('another')), undefined);
  }),

  'gives back a run whose validity nobody knows without it, and lists it with neither the valid nor the others':
    withStore(async (store) => {
      const { isValid, ...unknown } = createSavedRun({ id: createId('unknown') });
      await store.save(unknown, SMALL);
      assert.deepEqual(await store.get(unknown.id), unknown);
      assert.deepEqual(await store.list({ limit: 9 }), [unknown]);
      for (const filter of [{ isValid }, { isValid: !isValid }])
        assert.deepEqual(await store.list({ filter, limit: 9 }), []);
    }),

  'gives back a document byte for byte: of every value, of none, and of 4 MiB': withStore(async (store) => {
    const every = Uint8Array.from({ length: 256 }, (_, value) => value);
    for (const [name, document] of Object.entries({
      every,
      part: every.subarray(100, 200),
      empty: new Uint8Array(0),
      largest: createDocument('largest', MAX_DOCUMENT_BYTES),
    })) {
      const run = createSavedRun({ id: createId(name) });
      await store.save(run, { document, tokenHash: TOKEN });
      const got = await store.getDocument(run.id);
      assert.ok(got?.constructor === Uint8Array, name);
      assert.ok(Buffer.from(document).equals(got), `${name}: other bytes`);
    }
  }),

  'lists newest first, and of one moment by id, in pages without a gap or a double, for no filter, each, and all':
    withStore(async (store) => {
      const runs = createSavedRuns(90);
      // Not in the order of the list.
      for (const run of shuffle(runs)) await store.save(run, SMALL);
      /** @type {Filter[]} */
      const filters = [
        {},
        { experiment: 'in-flight' },
        { transport: 'websocket' },
        { transport: 'sockjs' },
        { place: 'Köln' },
        { label: 'first' },
        { server: 'sfo-1' },
        { browser: 'Firefox' },
        { isValid: true },
        { isValid: false },
        { transport: 'ajax', isValid: true },
        { transport: 'ajax', label: 'second' },
        {
          experiment: 'in-flight',
          transport: 'sockjs',
          place: 'San Francisco, cable',
          label: 'first',
          server: 'fra-1',
          browser: 'Chrome',
          isValid: true,
        },
      ];
      for (const filter of filters) {
        const expected = runs.filter((run) => matches(run, filter)).sort(byNewest);
        const name = JSON.stringify(filter);
        assert.deepEqual(await store.list({ filter, limit: 100 }), expected, name);
        assert.deepEqual(await listByPages(store, filter, 7), expected, `${name}, in pages`);
      }
      const counts = filters.map((filter) => runs.filter((run) => matches(run, filter)).length);
      assert.ok(
        counts.slice(0, -1).every((count) => count > 7),
        `each filter has more than a page: ${counts}`,
      );
      const all = Object.entries(filters[filters.length - 1]);
      for (const [index, first] of all.entries()) {
        for (const second of all.slice(index + 1)) {
          const filter = Object.fromEntries([first, second]);
          const expected = runs.filter((run) => matches(run, filter)).sort(byNewest);
          assert.deepEqual(await listByPages(store, filter, 7), expected, JSON.stringify(filter));
        }
      }
    }),

  'has another state once anybody has changed a run, and the same until then': async ({ place }) => {
    const [reader, writer] = [await openStore(place), await openStore(place)];
    try {
      await writer.migrate();
      const [first, second] = createSavedRuns(2);
      const states = [];
      for (const act of [
        () => writer.save(first, SMALL),
        () => reader.save(second, SMALL),
        () => writer.describe(first.id, TOKEN, { label: 'another' }),
        () => writer.replace({ ...first, label: 'one more' }, SMALL),
        () => reader.delete(first.id),
        () => writer.prune(new Date('2027-01-01')),
      ]) {
        await act();
        states.push(await reader.readState());
        await writer.check();
        assert.equal(await reader.readState(), states.at(-1));
      }
      assert.equal(new Set(states).size, states.length, states.join(' '));
    } finally {
      await Promise.all([reader, writer].map((store) => store.close()));
    }
  },

  'lists nothing where nothing matches': withStore(async (store) => {
    await store.save(createSavedRun(), SMALL);
    for (const value of ['none', '']) {
      assert.deepEqual(await store.list({ filter: { server: value }, limit: 9 }), [], JSON.stringify(value));
      assert.deepEqual(await store.list({ filter: { transport: value }, limit: 9 }), [], JSON.stringify(value));
      assert.equal(await store.get(value), undefined);
      assert.equal(await store.getDocument(value), undefined);
      assert.equal(await store.delete(value), 'unknown');
    }
    assert.equal((await store.list({ limit: 9 })).length, 1);
  }),

  'takes the largest text that it promises to': withStore(async (store) => {
    const text = '🚀'.repeat(250);
    const run = createSavedRun({ label: text, place: { name: text }, server: text, note: text.repeat(100) });
    await store.save(run, SMALL);
    assert.deepEqual(await store.list({ filter: { label: text, place: text, server: text }, limit: 9 }), [run]);
  }),

  'refuses an id that is taken, and keeps what has it': withStore(async (store) => {
    const run = createSavedRun();
    await store.save(run, { document: createDocument('first'), tokenHash: TOKEN });
    const another = store.save({ ...run, label: 'another' }, SMALL);
    await assert.rejects(another, { name: 'RangeError', code: 'id-taken' });
    assert.deepEqual(await store.list({ limit: 9 }), [run]);
    assert.deepEqual(await store.getDocument(run.id), createDocument('first'));
  }),

  'replaces a run for the right token, all of it or nothing, however many do so at the same moment': withStore(
    async (store) => {
      const [first, second] = createSavedRuns(2);
      const run = { ...first, id: second.id, transports: ['sse'], label: 'replaced' };
      const contents = { document: createDocument('other'), tokenHash: TOKEN };
      assert.equal(await store.replace(run, contents), 'unknown');
      assert.equal(await store.get(run.id), undefined);
      await store.save(second, SMALL);
      assert.equal(await store.replace(run, { ...contents, tokenHash: hashToken('guess') }), 'wrong-token');
      assert.deepEqual(await store.get(run.id), second);
      assert.deepEqual(await store.getDocument(run.id), SMALL.document);
      const said = await Promise.all(Array.from({ length: 4 }, () => store.replace(run, contents)));
      assert.deepEqual(new Set(said), new Set(['replaced']));
      assert.deepEqual(await store.list({ filter: { transport: 'sse' }, limit: 9 }), [run]);
      for (const transport of second.transports) {
        assert.deepEqual(await store.list({ filter: { transport }, limit: 9 }), []);
      }
      assert.deepEqual(await store.getDocument(run.id), contents.document);
      assert.equal(await store.delete(run.id, TOKEN), 'deleted');
    },
  ),

  'changes the words of a run and its parts for the right token, and only those that are given': withStore(
    async (store) => {
      const [first, second] = ['whole', 'part'].map((name) => createSavedRun({ id: createId(name) }));
      const words = { label: 'before', note: 'n', place: { name: 'Bonn' } };
      const whole = { ...first, ...words };
      const part = { ...second, ...words, partOf: whole.id };
      assert.equal(await store.describe(whole.id, TOKEN, { label: 'x' }), 'unknown');
      await store.save(whole, SMALL, [{ run: part, document: SMALL.document }]);
      assert.equal(await store.describe(whole.id, hashToken('guess'), { label: 'x' }), 'wrong-token');
      assert.equal(await store.describe(part.id, TOKEN, { label: 'x' }), 'is-part');
      assert.equal(await store.describe(whole.id, TOKEN, {}), 'described');
      assert.deepEqual([await store.get(whole.id), await store.get(part.id)], [whole, part]);
      const given = { label: 'after', place: undefined };
      assert.equal(await store.describe(whole.id, TOKEN, given), 'described');
      for (const run of [first, { ...second, partOf: whole.id }])
        assert.deepEqual(await store.get(run.id), { ...run, note: 'n', label: 'after' });
      assert.deepEqual(await store.list({ filter: { label: 'before' }, limit: 9 }), []);
      assert.equal((await store.list({ filter: { label: 'after' }, limit: 9 })).length, 1);
      assert.deepEqual(await store.getDocument(whole.id), SMALL.document);
    },
  ),

  'deletes for the right token, or for the operator, and all of it': withStore(async (store) => {
    const [first, second] = createSavedRuns(2);
    for (const run of [first, second]) await store.save(run, SMALL);
    assert.equal(await store.delete(first.id, hashToken('guess')), 'wrong-token');
    assert.equal(await store.delete(first.id, new Uint8Array(0)), 'wrong-token');
    assert.deepEqual(await store.get(first.id), first);

    assert.deepEqual(
      await Promise.all([store.delete(first.id, TOKEN), store.delete(first.id, TOKEN)]).then((said) => said.sort()),
      ['deleted', 'unknown'],
    );
    assert.equal(await store.getDocument(first.id), undefined);
    assert.deepEqual(await store.list({ filter: { transport: 'ajax' }, limit: 9 }), []);
    assert.deepEqual(await store.list({ limit: 9 }), [second]);
    // Nothing of it is left in the way.
    await store.save(first, SMALL);

    assert.equal(await store.delete(second.id), 'deleted');
    assert.equal(await store.delete(second.id), 'unknown');
    assert.deepEqual(await store.list({ limit: 9 }), [first]);
  }),

  'prunes what was saved before an instant, however many that are': withStore(async (store) => {
    const runs = createSavedRuns(65);
    for (const run of runs) await store.save(run, SMALL);
    const { savedAt } = runs[50];
    const kept = runs.filter((run) => run.savedAt >= savedAt);
    assert.equal(await store.prune(new Date(savedAt)), runs.length - kept.length);
    assert.equal(await store.prune(new Date(savedAt)), 0);
    assert.deepEqual(await store.list({ limit: 500 }), kept.sort(byNewest));
    assert.equal(await store.getDocument(runs[0].id), undefined);
  }),

  'makes a secret once, the same for all who ask at the same moment and later, and another by another name': async ({
    place,
  }) => {
    const stores = await Promise.all(Array.from({ length: PROCESSES }, () => openStore(place)));
    try {
      await stores[0].migrate();
      const [first, ...others] = await Promise.all(stores.map((store) => store.getSecret('first')));
      assert.ok(first.constructor === Uint8Array);
      assert.equal(first.length, 32);
      for (const other of others) assert.deepEqual(other, first);
      assert.notDeepEqual(await stores[0].getSecret('second'), first);
      assert.deepEqual(await stores[1].getSecret('first'), first);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  },

  'can be checked once it is migrated, and not before': async ({ place }) => {
    const store = await openStore(place);
    try {
      await assert.rejects(store.check());
      assert.deepEqual(await store.migrate(), Object.keys(MIGRATIONS));
      await store.check();
    } finally {
      await store.close();
    }
  },

  'leaves one row behind, however often it is checked': async ({ openDatabase }) => {
    const database = await openDatabase();
    const store = createStore(database);
    try {
      await store.migrate();
      for (let i = 0; i < 3; i++) await store.check();
      assert.equal((await database.db.selectFrom('checks').selectAll().execute()).length, 1);
    } finally {
      await store.close();
    }
  },

  'says that it is full, is read meanwhile, and is written again once there is room': (subject) =>
    assertRecovers(subject, 'fill', 'full'),

  'says that it can only be read, is read meanwhile, and is written again once it can be': (subject) =>
    assertRecovers(subject, 'freeze', 'read-only'),

  'is migrated once, by whichever of several does it first': async ({ place }) => {
    const stores = await Promise.all(Array.from({ length: PROCESSES }, () => openStore(place)));
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

  'saves a run with its parts: all or nothing, listed by experiment alone, and deleted with it': withStore(
    async (store) => {
      const whole = createSavedRun({ id: createId('whole'), experiment: 'full-test', label: 'both' });
      const parts = ['shootout', 'jobs'].map((experiment) => ({
        run: createSavedRun({ id: createId(experiment), experiment, label: 'both', partOf: whole.id }),
        document: createDocument(experiment),
      }));
      const other = createSavedRun({ id: createId('other'), label: 'both', savedAt: '2026-11-20T07:00:00.000Z' });
      await store.save(other, SMALL);
      // Of a part that is refused nothing stays.
      const taken = [parts[0], { ...parts[1], run: { ...parts[1].run, id: other.id } }];
      await assert.rejects(store.save(whole, SMALL, taken), { code: 'id-taken' });
      assert.deepEqual([await store.get(whole.id), await store.get(parts[0].run.id)], [undefined, undefined]);

      await store.save(whole, SMALL, parts);
      const idsOf = async (/** @type {Filter} */ filter) =>
        (await store.list({ filter, limit: 9 })).map(({ id }) => id);
      for (const filter of [{}, { label: 'both' }, { transport: 'ajax' }, { isValid: true }])
        assert.deepEqual(await idsOf(filter), [whole.id, other.id]);
      assert.deepEqual(await idsOf({ experiment: 'shootout' }), [parts[0].run.id, other.id]);
      assert.deepEqual(await store.getParts(whole.id), { shootout: parts[0].run.id, jobs: parts[1].run.id });
      assert.deepEqual(await store.getParts(other.id), {});
      for (const { run, document } of parts) {
        assert.deepEqual(await store.get(run.id), run);
        assert.ok(Buffer.from(document).equals((await store.getDocument(run.id)) ?? assert.fail()));
        assert.equal(await store.delete(run.id, TOKEN), 'is-part');
        assert.equal(await store.delete(run.id), 'is-part');
        assert.equal(await store.replace(run, SMALL), 'is-part');
      }
      assert.equal(await store.delete(whole.id, TOKEN), 'deleted');
      for (const { run } of parts) assert.equal(await store.getDocument(run.id), undefined);
      assert.deepEqual(await idsOf({ experiment: 'jobs' }), []);

      await store.save(whole, SMALL, parts);
      assert.equal(await store.prune(new Date('2027-01-01')), 2);
      assert.deepEqual(await idsOf({ experiment: 'jobs' }), []);
    },
  ),

  'lists runs without the details of their digests, and gives a run back with it': withStore(async (store) => {
    const [first, second] = createSavedRuns(2);
    const digest = { headline: 'h, "detail":"x"', detail: 'why', floorMs: 1 };
    await store.save({ ...first, digest }, SMALL);
    await store.save(second, SMALL);
    await store.replace({ ...second, digest }, SMALL);
    const listed = { headline: digest.headline, floorMs: 1 };
    assert.deepEqual(
      (await store.list({ limit: 9 })).map((run) => run.digest),
      [listed, listed],
    );
    assert.deepEqual((await store.get(first.id))?.digest, digest);
  }),

  'cuts digests that an earlier release saved without a limit, once, whichever of several does it first': async ({
    place,
    openDatabase,
  }) => {
    const database = await openDatabase();
    const runs = createSavedRuns(45).map((run, i) => ({ ...run, digest: i % 3 ? LARGE_DIGEST : SMALL_DIGEST }));
    await migrate(database, EARLIER);
    for (const run of runs) await saveAsEarlier(database, run);
    await database.close();
    const stores = await Promise.all(Array.from({ length: PROCESSES }, () => openStore(place)));
    try {
      const done = await Promise.all(stores.map((store) => store.migrate()));
      assert.deepEqual(done.flat(), [
        '0005-listed',
        '0006-ws',
        '0007-parts',
        '0008-keys',
        '0009-two-filters',
        '0010-changes',
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
    const savers = Array.from({ length: PROCESSES }, (_, index) => startSaver(place, `saver ${index}`, count));
    const ends = await Promise.all(savers.map((saver) => saver.ended()));
    assert.deepEqual(
      ends.map(({ code, ids }) => [code, ids.length]),
      Array(PROCESSES).fill([0, count]),
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

/**
 * @param {Subject} subject
 * @param {keyof Subject['faults']} fault
 * @param {StoreReason} reason
 */
async function assertRecovers({ openDatabase, faults, path }, fault, reason) {
  const database = await openDatabase();
  const store = createStore(database);
  const [first, second] = createSavedRuns(2);
  const contents = { document: createDocument('any'), tokenHash: TOKEN };
  try {
    await store.migrate();
    await store.save(first, contents);
    const undo = await faults[fault](database);
    for (const act of [() => store.save(second, contents), () => store.check()]) {
      // Twice: the first leaves nothing behind that would hide why the second fails.
      for (let i = 0; i < 2; i++) await assert.rejects(act(), (error) => assertExplained(error, reason, path));
    }
    assert.deepEqual(await store.list({ limit: 9 }), [first]);
    assert.deepEqual(await store.getDocument(first.id), contents.document);
    await undo();
    await store.check();
    await store.save(second, contents);
    assert.deepEqual(await store.getDocument(second.id), contents.document);
  } finally {
    await store.close();
  }
}

/**
 * @param {unknown} error
 * @param {string} reason
 * @param {string} path
 */
function assertExplained(error, reason, path) {
  assert.ok(error instanceof StoreError, String(error));
  assertComplaint(error, path);
  assert.deepEqual([error.reason, error.path], [reason, path]);
  // As the database said it.
  const cause = /** @type {Error} */ (error.cause);
  assert.ok(error.message.includes(cause.message) && error.message.endsWith(error.remedy), error.message);
  return true;
}

/**
 * @param {(store: Store) => Promise<void>} use
 * @returns {(subject: Pick<Subject, 'place'>) => Promise<void>} opens and migrates, and closes in the end
 */
function withStore(use) {
  return async ({ place }) => {
    const store = await openStore(place);
    try {
      await store.migrate();
      await use(store);
    } finally {
      await store.close();
    }
  };
}

/**
 * @param {Store} store
 * @param {Filter} filter
 * @param {number} limit
 */
async function listByPages(store, filter, limit) {
  /** @type {SavedRun[]} */
  const all = [];
  for (;;) {
    const page = await store.list({ filter, before: all.at(-1), limit });
    all.push(...page);
    if (page.length < limit) return all;
  }
}

/**
 * @param {SavedRun} run
 * @param {Filter} filter
 */
function matches(run, { transport, place, ...others }) {
  return (
    (transport === undefined || run.transports.includes(transport)) &&
    (place === undefined || run.place?.name === place) &&
    Object.entries(others).every(([name, value]) => /** @type {any} */ (run)[name] === value)
  );
}

/** @type {(a: SavedRun, b: SavedRun) => number} */
function byNewest(a, b) {
  const [first, second] = [a, b].map(({ savedAt, id }) => `${savedAt} ${id}`);
  return first < second ? 1 : -1;
}

/**
 * @template {{ id: string }} T
 * @param {T[]} runs
 * @returns {T[]} in an order that has nothing to do with theirs
 */
function shuffle(runs) {
  return [...runs].sort((a, b) => (createId(a.id) < createId(b.id) ? 1 : -1));
}
