import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import { formatSharedRuns, MAX_SERIES } from '../../server/telemetry/shared-runs.js';
import { hashToken } from '../support/saved-runs.js';
import { openServer } from '../support/server.js';
import { createStudyRun, news, reach, sending } from '../support/studies.js';

/** @import { SavedRun } from '../../server/store/index.js' */

/** @param {Parameters<typeof createStudyRun>[0] & { label?: string }} run @returns {SavedRun} */
const createRun = ({ label, ...run }) => ({ ...createStudyRun(run), ...(label && { label }) });

const NO_OTHERS = { olderCount: 0 };

/** @param {string} text @returns {Record<string, number>} by the metric’s name after its prefix, and its labels */
const parse = (text) =>
  Object.fromEntries(
    [...text.matchAll(/^sockshootout_shared_run_(\w+\{.*\}) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );

/** @param {string} label @param {string} place @param {string} experiment @param {string} subject */
const labels = (label, place, experiment, subject) =>
  `{label="${label}",place="${place}",scope="path",experiment="${experiment}",subject="${subject}"}`;

describe('shared runs as metrics', () => {
  it('are the latest figures of each label, place and comparison, in base units', async () => {
    const place = 'Lyon';
    const runs = [
      createRun({ label: 'mine', place, rttMs: 20, day: '2026-11-21', answers: [sending(1.4), news(500), reach(7)] }),
      createRun({ label: 'mine', place, rttMs: 90, day: '2026-11-20', answers: [sending(9)] }),
      createRun({ place, rttMs: 30, answers: [sending(1.2)] }),
    ];
    const echo = labels('mine', place, 'shootout', 'SockJS compared with AJAX');
    const jobs = labels('mine', place, 'jobs', 'SockJS compared with AJAX, polling every 1 s');
    const found = parse(await formatSharedRuns(runs, NO_OTHERS));
    assert.deepEqual(
      [found[`ratio${echo}`], found[`difference_seconds${echo}`], found[`round_trip_seconds${echo}`]],
      [1.4, 0.005, 0.02],
    );
    assert.deepEqual([found[`ratio${jobs}`], found[`difference_seconds${jobs}`]], [undefined, 0.5]);
    assert.equal(found[`timestamp_seconds${echo}`], Date.parse('2026-11-21T10:00:00.000Z') / 1000);
    assert.equal(found[`ratio${labels('', place, 'shootout', 'SockJS compared with AJAX')}`], 1.2);
  });

  it('are of one label and one place in any case, named as most runs do', async () => {
    const written = [
      ['MINE', 'IZMIR'],
      ['mine', 'İzmir'],
      ['mine', 'İzmir'],
    ];
    const runs = written.map(([label, place], i) => createRun({ label, place, answers: [sending(1.4 - i / 10)] }));
    const ratios = Object.entries(parse(await formatSharedRuns(runs, NO_OTHERS))).filter(([name]) =>
      name.startsWith('ratio'),
    );
    assert.deepEqual(ratios, [[`ratio${labels('mine', 'İzmir', 'shootout', 'SockJS compared with AJAX')}`, 1.4]]);
  });

  it('leave out invalid runs, and figures that are not to be used', async () => {
    const runs = [
      createRun({ place: 'Lyon', isValid: false, answers: [sending(2)] }),
      createRun({ place: 'Lyon', answers: [sending(3, { isDoubtful: true })] }),
      createRun({ place: 'Lyon' }),
    ];
    assert.deepEqual(parse(await formatSharedRuns(runs, NO_OTHERS)), {});
  });

  it('are limited in number, as visitors choose the words; the newest stay', async () => {
    const runs = Array.from({ length: MAX_SERIES + 5 }, (_, i) => createRun({ place: `p${i}`, answers: [sending(2)] }));
    const names = Object.keys(parse(await formatSharedRuns(runs, NO_OTHERS))).filter((name) =>
      name.startsWith('ratio'),
    );
    assert.equal(names.length, MAX_SERIES);
    assert.ok(names.some((name) => name.includes('"p0"')));
    // What they leave out is counted.
    const text = await formatSharedRuns(runs, { olderCount: 7 });
    assert.match(text, /^sockshootout_shared_runs_left_out 7$/m);
    assert.match(text, /^sockshootout_shared_run_series_left_out 5$/m);
  });

  it('cannot be written into by what a visitor says', async () => {
    const text = await formatSharedRuns(
      [createRun({ label: 'a"} 1\nup 0\\', place: 'x\u202e', answers: [sending(2)] })],
      NO_OTHERS,
    );
    assert.doesNotMatch(text, /^up|\u202e/m);
    assert.equal(Object.keys(parse(text)).length, 4);
  });

  it('stand in /metrics once, without a worker; without them while the store fails', async () => {
    const server = await openServer();
    try {
      const run = createRun({ label: 'mine', place: 'Lyon', answers: [sending(1.4)] });
      await server.store.save(run, { document: gzipSync('{}'), tokenHash: hashToken('x') });
      const read = async () => {
        const response = await fetch(`${server.origin}/metrics`);
        assert.equal(response.status, 200);
        return response.text();
      };
      assert.equal(
        (await read()).match(/^sockshootout_shared_run_ratio\{label="mine",place="Lyon",.*\} 1\.4$/gm)?.length,
        1,
      );
      // A store may also never answer.
      const { listRows } = server.store;
      Object.assign(server.store, { listRows: () => new Promise(() => {}) });
      // What was made before is not asked for again until a run changes.
      const change = (/** @type {number} */ count) =>
        server.database.db.updateTable('changes').set({ count }).execute();
      await change(10);
      const askedAt = performance.now();
      assert.doesNotMatch(await read(), /shared_run/);
      assert.ok(performance.now() - askedAt >= 2990);
      Object.assign(server.store, { listRows });
      await server.database.db.schema.alterTable('saved_runs').renameTo('gone').execute();
      await change(11);
      const without = await read();
      assert.doesNotMatch(without, /shared_run/);
      assert.match(without, /^sockshootout_requests_total/m);
    } finally {
      await server.close();
    }
  });
});
