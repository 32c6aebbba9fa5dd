/** Which runs are listed, in which order, and what of them. */
import assert from 'node:assert/strict';
import { createId, createSavedRun, createSavedRuns } from '../../support/saved-runs.js';
import { byNewest, SMALL, withStore } from './subject.js';

/**
 * @import { Filter, SavedRun, Store } from '../../../server/store/index.js'
 * @import { Contract } from './subject.js'
 */

/** @type {Contract} */
export const listsContract = {
  'gives back a run whose validity nobody knows without it, and lists it with neither the valid nor the others':
    withStore(async (store) => {
      const { isValid, ...unknown } = createSavedRun({ id: createId('unknown') });
      await store.save(unknown, SMALL);
      assert.deepEqual(await store.get(unknown.id), unknown);
      assert.deepEqual(await store.list({ limit: 9 }), [unknown]);
      for (const filter of [{ isValid }, { isValid: !isValid }])
        assert.deepEqual(await store.list({ filter, limit: 9 }), []);
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
        { search: 'fra' },
        { search: ' FIRE' },
        { transport: 'sockjs', search: 'köl' },
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

  'finds by a part of a text, in which no character has a meaning of its own': withStore(async (store) => {
    const names = ['100% café', 'a_b', "it's!", 'plain'];
    for (const name of names) await store.save(createSavedRun({ id: createId(name), place: { name } }), SMALL);
    const find = async (/** @type {string} */ search) =>
      (await store.search({ filter: { search }, limit: 9 })).runs.map(({ place }) => place?.name);
    assert.deepEqual(await find('0% CAF'), ['100% café']);
    assert.deepEqual(await find('_'), ['a_b']);
    assert.deepEqual(await find("'s!"), ["it's!"]);
    assert.deepEqual(await find('%'), ['100% café']);
    assert.deepEqual(await find('nowhere'), []);
    const server = 'Zürich, Bahnhofstraße';
    await store.save(createSavedRun({ id: createId('server'), place: { name: 'there' }, server }), SMALL);
    assert.deepEqual(await find('hofstraße'), ['there']);
  }),

  'counts the places of the newest runs, in any spelling, without parts and without nameless ones': withStore(
    async (store) => {
      for (const [minute, name] of ['Lima', 'Oslo', 'OSLO', undefined, 'Rome'].entries()) {
        const savedAt = `2026-11-21T07:0${minute}:00.000Z`;
        const place = name === undefined ? undefined : { name };
        await store.save(createSavedRun({ id: createId(`place ${minute}`), savedAt, place }), SMALL);
      }
      const count = async (/** @type {number} */ among, limit = 9) =>
        (await store.countPlaces({ among, limit })).map(({ name, count }) => [name.toLowerCase(), count]);
      assert.deepEqual(await count(9), [
        ['oslo', 2],
        ['lima', 1],
        ['rome', 1],
      ]);
      assert.deepEqual(await count(9, 1), [['oslo', 2]]);
      // The nameless run is among the newest three.
      assert.deepEqual(await count(3), [
        ['oslo', 1],
        ['rome', 1],
      ]);
    },
  ),
};

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
function matches(run, { transport, place, search, ...others }) {
  const texts = [run.place?.name, run.label, run.server, run.browser].map((text = '') => text.toLowerCase());
  return (
    (search === undefined || texts.some((text) => text.includes(search.trim().toLowerCase()))) &&
    (transport === undefined || run.transports.includes(transport)) &&
    (place === undefined || run.place?.name === place) &&
    Object.entries(others).every(([name, value]) => /** @type {any} */ (run)[name] === value)
  );
}

/**
 * @template {{ id: string }} T
 * @param {T[]} runs
 * @returns {T[]} in an order that has nothing to do with theirs
 */
function shuffle(runs) {
  return [...runs].sort((a, b) => (createId(a.id) < createId(b.id) ? 1 : -1));
}
