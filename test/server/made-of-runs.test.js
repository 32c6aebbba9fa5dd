/** What shows shared runs is made once for as long as nobody saves, changes or deletes one, whichever worker that is. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { it } from 'node:test';
import { withFolder } from '../support/folder.js';
import { hashToken } from '../support/saved-runs.js';
import { createStudyRun, news, reach, sending } from '../support/studies.js';
import { withTwoWorkers } from '../support/two-workers.js';

/** @import { TestServer } from '../support/server.js' */

const CONTENTS = { document: gzipSync('{}'), tokenHash: hashToken('x') };
const LISTS = ['/results', '/results?label=mine&valid=true', '/api/results?label=mine'];
const STUDY = ['/c/mine', ...['json', 'csv', 'markdown', 'svg'].map((format) => `/api/studies/mine?format=${format}`)];

const createRun = () => ({
  ...createStudyRun({ place: 'Lyon', answers: [sending(1.4), news(500), reach(7)] }),
  label: 'mine',
});

/** @param {TestServer} server @param {string} path @param {Record<string, string>} [headers] */
const get = async ({ origin }, path, headers = {}) => {
  const answer = await fetch(origin + path, { headers: { 'Cache-Control': 'max-age=0', ...headers } });
  return { status: answer.status, etag: String(answer.headers.get('etag')), text: await answer.text() };
};

/** @param {TestServer} server @returns {() => number} how often its lists were read since the last call */
function countReads({ store }) {
  let count = 0;
  for (const name of /** @type {const} */ (['search', 'listRows'])) {
    const read = /** @type {(page: any) => Promise<any>} */ (store[name]);
    Object.assign(store, { [name]: (/** @type {any} */ page) => (count++, read(page)) });
  }
  return () => {
    const counted = count;
    count = 0;
    return counted;
  };
}

it('lists, studies and metrics follow when any worker saves or deletes, and are made once until then', () =>
  withFolder((folder) =>
    withTwoWorkers(
      async (workers) => {
        const counts = workers.map(countReads);
        const [first, second] = workers;
        const kept = createRun();
        await first.store.save(kept, CONTENTS);
        const paths = [...LISTS, ...STUDY];
        const read = () => Promise.all(paths.map(async (path) => (await get(second, path)).etag));
        const countSeries = async () =>
          (await get(second, '/metrics')).text.match(/^sockshootout_shared_run_ratio\{/gm)?.length;
        const before = await read();
        const seriesCount = await countSeries();
        assert.ok(counts[1]() > 0);
        for (const [i, path] of paths.entries()) {
          const known = await get(second, path, { 'If-None-Match': before[i] });
          assert.deepEqual([known.status, known.text], [304, ''], path);
        }
        const own = `/results/${kept.id}`;
        const { etag } = await get(second, own);
        assert.equal((await get(second, own, { 'If-None-Match': etag })).status, 304);
        assert.equal(await countSeries(), seriesCount);
        assert.equal(counts[1](), 0);

        const added = createRun();
        await first.store.save(added, CONTENTS);
        const changed = await read();
        for (const [i, path] of paths.entries()) assert.notEqual(changed[i], before[i], path);
        await first.store.delete(added.id);
        assert.deepEqual(await read(), before);
        await first.store.delete(kept.id);
        assert.deepEqual([seriesCount, await countSeries()], [1, undefined]);
      },
      { DATA_DIR: folder },
    ),
  ));
