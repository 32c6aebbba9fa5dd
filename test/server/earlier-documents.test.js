/** Documents of a schema that this release writes no more: those that are stored, and those that visitors still have. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import { readFixture } from '../support/saved-documents.js';
import { createSavedRun, hashToken } from '../support/saved-runs.js';
import { openServer } from '../support/server.js';

describe('a document of an earlier schema', () => {
  const json = readFixture('jobs-whole.json');
  const csv = readFixture('jobs-whole.csv');

  it('is exported from the store as it was saved, and as CSV with the columns of today', async () => {
    const server = await openServer();
    try {
      const run = createSavedRun({ experiment: 'jobs' });
      await server.store.save(run, { document: gzipSync(json), tokenHash: hashToken('x') });
      const { document } = await (await fetch(`${server.origin}/api/results/${run.id}`)).json();
      assert.deepEqual(document, JSON.parse(json));
      assert.equal(await (await fetch(`${server.origin}/api/results/${run.id}.csv`)).text(), csv);
    } finally {
      await server.close();
    }
  });

  it('is taken when it is shared, and stored under the schema of today', async () => {
    const server = await openServer();
    try {
      const body = JSON.stringify({ document: JSON.parse(json) });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${server.origin}/api/results`, { method: 'POST', headers, body });
      assert.equal(response.status, 201);
      const { id } = await response.json();
      const { document } = await (await fetch(`${server.origin}/api/results/${id}`)).json();
      assert.equal(document.schema, 'sockshootout/jobs/2');
      assert.deepEqual(document.trials[0].notified.job, JSON.parse(json).trials[0].told.job);
    } finally {
      await server.close();
    }
  });
});
