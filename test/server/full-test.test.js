import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findingsOf } from '../../core/experiment/report.js';
import { fullTest, WHOLE } from '../support/full-tests.js';
import { openServer } from '../support/server.js';
import { postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

describe('a full test that is shared', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(() => server.close());

  /** @param {unknown} document */
  const share = (document) => postSubmission(server.origin, { document, label: 'both' });
  const textOf = async (/** @type {string} */ path) => (await fetch(server.origin + path)).text();
  const { headline } = findingsOf(fullTest, WHOLE).report;

  it('is one entry: listed, read, exported and deleted as a run is', async () => {
    const { status, answer } = await share(WHOLE);
    assert.equal(status, 201, JSON.stringify(answer));
    assert.equal(answer.experiment, 'full-test');
    assert.deepEqual(answer.digest['full-test'].parts, ['shootout', 'jobs']);
    const { document } = JSON.parse(await textOf(`/api/results/${answer.id}`));
    assert.deepEqual(document, JSON.parse(JSON.stringify(WHOLE)));
    assert.match(await textOf(`/api/results/${answer.id}.csv`), /^Question,Verdict,.*\r\nSending a message,/);
    const { results } = JSON.parse(await textOf('/api/results?label=both'));
    assert.deepEqual(
      results.map((/** @type {any} */ { id, digest }) => [id, digest.headline]),
      [[answer.id, headline]],
    );
    for (const path of [`/results/${answer.id}`, '/results', '/c/both'])
      assert.ok((await textOf(path)).includes('users see news'), path);
    const headers = { Authorization: `Bearer ${answer.deleteToken}` };
    const { status: deleted } = await fetch(`${server.origin}/api/results/${answer.id}`, { method: 'DELETE', headers });
    assert.equal(deleted, 204);
    assert.deepEqual(JSON.parse(await textOf('/api/results?label=both')).results, []);
  });

  it('is refused with a part that its experiment refuses, which is named', async () => {
    const [echo, jobs] = WHOLE.parts;
    const wrong = { ...echo, document: { ...echo.document, trials: echo.document.trials.slice(1) } };
    const { status, answer } = await share({ ...WHOLE, parts: [wrong, jobs] });
    assert.equal(status, 400);
    assert.equal(answer.error.path, 'document.parts.0.document.trials');
  });

  it('is refused with a part that contradicts itself', async () => {
    const [echo, jobs] = WHOLE.parts;
    const [first, ...others] = echo.document.trials;
    const trials = [{ ...first, protocol: 'h2' }, ...others];
    const { status, answer } = await share({
      ...WHOLE,
      parts: [{ ...echo, document: { ...echo.document, trials } }, jobs],
    });
    assert.equal(status, 400);
    assert.equal(answer.error.path, 'document.parts.0.document.trials.0.protocol');
  });
});
