/** How often a study is read for the records of its users, and for how long what was read holds. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createFieldStudies, KEPT_MS } from '../../server/field/studies.js';

/** @import { FieldStudy } from '../../server/store/field.js' */

const STUDY = {
  label: 'Büro',
  origins: ['https://shop.example'],
  sample: 1,
  isOn: true,
  createdAt: '2026-11-28T08:00:00.000Z',
};

describe('the study of a record', () => {
  /** @type {FieldStudy | undefined} */
  let stored;
  let readCount = 0;
  /** @type {ReturnType<typeof createFieldStudies>} */
  let studies;
  let nowMs = 0;
  let isReadable = true;
  beforeEach(() => {
    [stored, readCount, nowMs, isReadable] = [STUDY, 0, 1, true];
    const store = {
      async getFieldStudy() {
        readCount++;
        if (!isReadable) throw new Error('The database does not answer');
        return stored;
      },
      async changeFieldStudy() {
        stored = { ...STUDY, isOn: false };
        return 'changed';
      },
      async deleteFieldStudy() {
        stored = undefined;
        return 'deleted';
      },
    };
    studies = createFieldStudies({ store: /** @type {any} */ (store), timer: { now: () => nowMs } });
  });

  it('is read once for many, however its label is written', async () => {
    const found = await Promise.all(['Büro', 'BÜRO', 'büro'].map((label) => studies.findOfRecord(label)));
    assert.deepEqual(found, [STUDY, STUDY, STUDY]);
    assert.equal(readCount, 1);
  });

  it('is what this worker has made of it at once', async () => {
    await studies.findOfRecord('Büro');
    await studies.change('büro', 'key', Buffer.from('{"isOn":false}'));
    assert.equal((await studies.findOfRecord('Büro'))?.isOn, false);
    await studies.delete('büro', 'key');
    assert.equal(await studies.findOfRecord('Büro'), undefined);
  });

  it('is what another worker has made of it a few seconds later, however many records come', async () => {
    stored = { ...STUDY, isOn: false };
    assert.equal((await studies.findOfRecord('Büro'))?.isOn, false);
    stored = STUDY;
    for (const [laterMs, isOn] of /** @type {const} */ ([
      [KEPT_MS / 2, false],
      [KEPT_MS / 2, false],
      [1, true],
    ])) {
      nowMs += laterMs;
      assert.equal((await studies.findOfRecord('Büro'))?.isOn, isOn);
    }
    assert.equal(readCount, 2);
  });

  it('is read each time where there is none, and anew where it could not be read', async () => {
    stored = undefined;
    for (let i = 0; i < 2; i++) assert.equal(await studies.findOfRecord('Büro'), undefined);
    assert.equal(readCount, 2);
    [stored, isReadable] = [STUDY, false];
    await assert.rejects(studies.findOfRecord('Büro'), /does not answer/);
    isReadable = true;
    assert.deepEqual(await studies.findOfRecord('Büro'), STUDY);
  });
});
