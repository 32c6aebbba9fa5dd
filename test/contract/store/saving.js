/** What is kept, and who may change it; and that a store which cannot keep it says so. */
import assert from 'node:assert/strict';
import { MIGRATIONS } from '../../../server/store/migrations.js';
import { createStore, openStore, StoreError } from '../../../server/store/index.js';
import { assertComplaint } from '../../support/complaint.js';
import { createDocument, createId, createSavedRun, createSavedRuns, hashToken } from '../../support/saved-runs.js';
import { byNewest, OPENED_COUNT, SMALL, TOKEN, withStore } from './subject.js';

/**
 * @import { Filter } from '../../../server/store/index.js'
 * @import { StoreReason } from '../../../server/store/store-error.js'
 * @import { Contract, Subject } from './subject.js'
 */

const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/** @type {Contract} */
export const savingContract = {
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
    const stores = await Promise.all(Array.from({ length: OPENED_COUNT }, () => openStore(place)));
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
