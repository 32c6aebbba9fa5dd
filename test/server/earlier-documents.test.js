/** Documents of a schema that this release writes no more: those that are stored, and those that visitors still have. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import { readCsv, readFixture } from '../support/saved-documents.js';
import { createSavedRun, hashToken } from '../support/saved-runs.js';
import { openServer } from '../support/server.js';

/**
 * By experiment, today's schema, and what of a document of then has another name today: where it is, then and now.
 * @type {Readonly<Record<string, { schema: string, assertSame: (today: any, then: any) => void }>>}
 */
const EXPERIMENTS = {
  jobs: {
    schema: 'sockshootout/jobs/2',
    assertSame: (today, then) => assert.deepEqual(today.trials[0].notified.job, then.trials[0].told.job),
  },
  countdown: {
    schema: 'sockshootout/countdown/3',
    assertSame(today, then) {
      const transportsOf = (/** @type {any} */ { tests }) =>
        tests.map((/** @type {any} */ { trial }) => trial.transport);
      assert.deepEqual(transportsOf(then), ['xhr', 'websocket', 'xhr', 'websocket', 'xhr', 'websocket']);
      assert.deepEqual(transportsOf(today), ['xhr', 'ws', 'xhr', 'ws', 'xhr', 'ws']);
      const withoutNames = (/** @type {any} */ document) => ({
        ...document,
        schema: '',
        tests: document.tests.map((/** @type {any} */ test) => ({ ...test, trial: { ...test.trial, transport: '' } })),
      });
      assert.deepEqual(withoutNames(today), withoutNames(then));
    },
  },
};

for (const [experiment, { schema, assertSame }] of Object.entries(EXPERIMENTS)) {
  describe(`a document of an earlier schema, ${experiment}`, () => {
    const json = readFixture(`${experiment}-whole.json`);
    const then = JSON.parse(json);

    it('is exported from the store as it was saved, and as CSV with the names of today', async () => {
      assert.notEqual(then.schema, schema);
      const server = await openServer();
      try {
        const run = createSavedRun({ experiment });
        await server.store.save(run, { document: gzipSync(json), tokenHash: hashToken('x') });
        const { document } = await (await fetch(`${server.origin}/api/results/${run.id}`)).json();
        assert.deepEqual(document, then);
        const csv = await (await fetch(`${server.origin}/api/results/${run.id}.csv`)).text();
        assert.equal(csv, readCsv(`${experiment}-whole`));
      } finally {
        await server.close();
      }
    });

    it('is taken when it is shared, and stored under the schema of today', async () => {
      const server = await openServer();
      try {
        const body = JSON.stringify({ document: then });
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${server.origin}/api/results`, { method: 'POST', headers, body });
        assert.equal(response.status, 201);
        const { id } = await response.json();
        const { document } = await (await fetch(`${server.origin}/api/results/${id}`)).json();
        assert.equal(document.schema, schema);
        assertSame(document, then);
      } finally {
        await server.close();
      }
    });
  });
}
