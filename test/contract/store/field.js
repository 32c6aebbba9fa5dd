/** Studies of users: whose they are, and that nothing is lost of what is counted. */
import assert from 'node:assert/strict';
import { openStore } from '../../../server/store/index.js';
import { createId, createSavedRun, hashToken } from '../../support/saved-runs.js';
import { OPENED_COUNT, SMALL, withStore } from './subject.js';

/** @import { Contract } from './subject.js' */

const KEY = hashToken('key');
const STUDY = {
  label: 'Büro',
  origins: ['https://shop.example'],
  sample: 0.01,
  isOn: true,
  createdAt: '2026-11-28T08:00:00.000Z',
};

/** @type {Contract} */
export const fieldContract = {
  'keeps a study of users, which is found however its label is written, and made once': withStore(async (store) => {
    assert.equal(await store.getFieldStudy('Büro'), undefined);
    assert.equal(await store.createFieldStudy(STUDY, KEY), 'created');
    assert.deepEqual(await store.getFieldStudy('BÜRO'.normalize('NFD')), STUDY);
    assert.equal(await store.createFieldStudy({ ...STUDY, label: 'büro' }, hashToken('another')), 'taken');
  }),

  'makes none of a label that others have shared runs with': withStore(async (store) => {
    await store.save(createSavedRun({ id: createId('run'), label: 'büro' }), SMALL);
    assert.equal(await store.createFieldStudy(STUDY, KEY), 'taken');
  }),

  'changes and deletes a study by its key alone, and with it what was counted': withStore(async (store) => {
    await store.createFieldStudy(STUDY, KEY);
    await store.addFieldCounts([{ label: 'Büro', counters: new Map([['all count', 3]]) }]);
    const wrong = hashToken('wrong');
    assert.equal(await store.changeFieldStudy('Büro', wrong, { isOn: false }), 'wrong-token');
    assert.equal(await store.deleteFieldStudy('Büro', wrong), 'wrong-token');
    assert.equal(await store.changeFieldStudy('another', KEY, { isOn: false }), 'unknown');
    const changes = { origins: ['https://a.example', 'https://b.example'], sample: 0.5, isOn: false };
    assert.equal(await store.changeFieldStudy('büro', KEY, changes), 'changed');
    assert.deepEqual(await store.getFieldStudy('Büro'), { ...STUDY, ...changes });
    assert.equal(await store.deleteFieldStudy('Büro', KEY), 'deleted');
    assert.deepEqual(await store.readFieldCounts('Büro'), new Map());
    // Whoever makes it anew begins with nothing.
    assert.equal(await store.createFieldStudy(STUDY, KEY), 'created');
    assert.deepEqual(await store.readFieldCounts('Büro'), new Map());
  }),

  'counts for a study what comes together with records of one that was deleted': withStore(async (store) => {
    for (const label of ['kept', 'deleted']) await store.createFieldStudy({ ...STUDY, label }, KEY);
    await store.deleteFieldStudy('deleted', KEY);
    const counters = new Map([['all count', 2]]);
    await store.addFieldCounts(['deleted', 'kept'].map((label) => ({ label, counters })));
    assert.deepEqual(await store.readFieldCounts('kept'), counters);
    assert.deepEqual(await store.readFieldCounts('deleted'), new Map());
  }),

  'adds up what several workers count at the same moment': async ({ place }) => {
    const stores = await Promise.all(Array.from({ length: OPENED_COUNT }, () => openStore(place)));
    try {
      await stores[0].migrate();
      for (const label of ['one', 'two']) await stores[0].createFieldStudy({ ...STUDY, label }, KEY);
      const names = Array.from({ length: 1500 }, (_, i) => `zone=Z${i} count`);
      await Promise.all(
        stores.flatMap((store, i) =>
          Array.from({ length: 4 }, () =>
            store.addFieldCounts(
              ['one', 'two'].map((label) => ({
                label,
                // Each in another order, as workers meet browsers in another.
                counters: new Map(
                  [...names.slice(i), ...names.slice(0, i)].map((name) => [name, label === 'one' ? 1 : 2]),
                ),
              })),
            ),
          ),
        ),
      );
      for (const [label, each] of /** @type {const} */ ([
        ['one', 1],
        ['two', 2],
      ])) {
        const counts = await stores[1].readFieldCounts(label);
        assert.equal(counts.size, names.length);
        assert.ok([...counts.values()].every((count) => count === 4 * OPENED_COUNT * each));
      }
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  },
};
