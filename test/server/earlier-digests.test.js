/**
 * Digests in the form of earlier releases, which had the parts of an experiment beside the common fields.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { listSchema } from '../../server/saved-runs/schemas.js';
import { LISTED_THEN } from '../support/saved-documents.js';
import { createId, createSavedRun, saveAsEarlier } from '../support/saved-runs.js';
import { openServer } from '../support/server.js';

/** @import { TestServer } from '../support/server.js' */

/** So many make a share of the runs from which WebSockets work. */
const MIN_RUNS = 5;

describe('a run that an earlier release saved', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer();
    for (const { experiment, digest } of LISTED_THEN.filter(({ digest }) => digest.comparison))
      await save(experiment, digest);
    const { digest } = LISTED_THEN[0];
    for (let i = 0; i < MIN_RUNS; i++) await save('reach', { ...digest, classic: undefined, webSocketWorks: true });
  });
  after(() => server.close());

  let count = 0;
  /** @param {string} experiment @param {any} digest */
  const save = (experiment, digest) => {
    const run = createSavedRun({
      id: createId(`${count++}`),
      experiment,
      label: experiment,
      transports: digest.transports,
    });
    return saveAsEarlier(server.database, { ...run, digest });
  };
  /** @param {string} path */
  const get = async (path) => (await fetch(server.origin + path)).text();

  it('is answered in the form of today', async () => {
    const { results } = v.parse(listSchema, JSON.parse(await get('/api/results?experiment=shootout')));
    const wanted = LISTED_THEN.filter(({ digest }) => digest.comparison);
    assert.ok(wanted.length > 0);
    assert.equal(results.length, wanted.length);
    for (const { digest } of results) {
      const { plan, comparison } = wanted.find((run) => run.digest.startedAt === digest.startedAt).digest;
      assert.deepEqual(/** @type {any} */ (digest).shootout, { plan, comparison });
    }
    v.parse(listSchema, JSON.parse(await get('/api/results?experiment=reach')));
  });

  it('has the WebSocket by its name of today where SockJS’s endpoint for one was never measured', async () => {
    for (const experiment of ['reach', 'jobs', 'countdown']) {
      const { digest } = LISTED_THEN.find((run) => run.experiment === experiment);
      assert.ok(digest.transports.includes('websocket'), experiment);
      await save(experiment, digest);
      const { results } = v.parse(listSchema, JSON.parse(await get(`/api/results?experiment=${experiment}`)));
      const today = results.find((run) => run.digest.startedAt === digest.startedAt)?.digest.transports;
      const wanted = digest.transports.map((/** @type {string} */ name) => (name === 'websocket' ? 'ws' : name));
      assert.deepEqual(today, wanted, experiment);
    }
    const kept = LISTED_THEN.find(({ experiment, digest }) => {
      return experiment === 'shootout' && digest.transports.includes('websocket');
    });
    const { results } = v.parse(listSchema, JSON.parse(await get('/api/results?experiment=shootout')));
    const today = results.find((run) => run.digest.startedAt === kept.digest.startedAt);
    assert.deepEqual(today?.digest.transports, kept.digest.transports);
  });

  it('has no ratio of one machine in its headline', async () => {
    const [local] = LISTED_THEN.filter(({ digest }) => digest.comparison && /localhost/.test(digest.origin));
    await save('shootout', { ...local.digest, headline: 'SockJS is faster than AJAX (6.4x) on one machine' });
    const { results } = v.parse(listSchema, JSON.parse(await get('/api/results?experiment=shootout')));
    const own = results.filter(({ digest }) => /localhost/.test(String(digest.origin)));
    assert.ok(own.length > 0);
    for (const { digest } of own) assert.doesNotMatch(digest.headline, /\dx\b|faster|slower/);
    const [, preview] = /og:description" content="([^"]*)"/.exec(await get(`/results/${own[0].id}`)) ?? assert.fail();
    assert.doesNotMatch(preview, /\dx\b|faster|slower|the speed/);
  });

  it('counts where its verdict does, and is no answer in a study, which says so', async () => {
    assert.match(await get('/c?label=shootout'), /Not in the matrix: \d+ runs without an answer/);
    assert.match(await get('/results?experiment=reach'), /id="shares"/);
  });
});
