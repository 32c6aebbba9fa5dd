import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findingsOf } from '../../core/experiment/report/findings.js';
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
    // Other sites show this beside the link.
    assert.match(
      await textOf(`/results/${answer.id}`),
      /property="og:title" content="both: Use push for news \(SockJS\): users see it [^"]*example\.org/,
    );
    for (const path of [`/results/${answer.id}`, '/results'])
      assert.ok((await textOf(path)).includes('users see it'), path);
    const headers = { Authorization: `Bearer ${answer.deleteToken}` };
    const { status: deleted } = await fetch(`${server.origin}/api/results/${answer.id}`, { method: 'DELETE', headers });
    assert.equal(deleted, 204);
    assert.deepEqual(JSON.parse(await textOf('/api/results?label=both')).results, []);
  });

  it('has parts that are opened, compared and gathered as runs, and deleted with it alone', async () => {
    const { answer } = await share(WHOLE);
    const whole = JSON.parse(await textOf(`/api/results/${answer.id}`));
    assert.deepEqual(Object.keys(whole.parts), ['shootout', 'jobs']);
    const { shootout, jobs } = whole.parts;
    const part = JSON.parse(await textOf(`/api/results/${shootout}`));
    assert.deepEqual([part.experiment, part.label, part.partOf], ['shootout', 'both', answer.id]);
    assert.deepEqual(part.document, JSON.parse(JSON.stringify(WHOLE.parts[0].document)));
    const page = await textOf(`/results/${answer.id}`);
    for (const id of [shootout, jobs]) assert.ok(page.includes(`href="/results/${id}"`), id);
    assert.ok((await textOf(`/results/${jobs}`)).includes(`href="/results/${answer.id}"`));

    const listed = JSON.parse(await textOf('/api/results?experiment=shootout&label=both')).results;
    assert.deepEqual(
      listed.map((/** @type {any} */ { id, partOf }) => [id, partOf]),
      [[shootout, answer.id]],
    );
    const { answer: second } = await share({ ...WHOLE, startedAt: '2026-11-21T11:00:00.000Z' });
    const { parts } = JSON.parse(await textOf(`/api/results/${second.id}`));
    assert.match(await textOf(`/compare?ids=${shootout},${parts.shootout}`), /id="compared"/);

    /** @param {string} id @param {string} token */
    const remove = (id, token) =>
      fetch(`${server.origin}/api/results/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
    const refused = await remove(shootout, answer.deleteToken);
    assert.deepEqual([refused.status, (await refused.json()).error.code], [409, 'conflict']);
    for (const one of [answer, second]) assert.equal((await remove(one.id, one.deleteToken)).status, 204);
    for (const id of [shootout, jobs]) assert.equal((await fetch(`${server.origin}/api/results/${id}`)).status, 404);
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
