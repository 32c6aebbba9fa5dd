/**
 * Documents that commit cacc1c4 made in a real browser are saved, listed and read today as they were then.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { figuresOf, LISTED, readCsv, readSavedDocument, SAVED_DOCUMENTS } from '../support/saved-documents.js';
import { asClause } from '../../core/base/format.js';
import { isByTransport } from '../../core/matrix/comparison.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { openServer } from '../support/server.js';
import { postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

/** What another server makes up itself. @param {any} answer */
const withoutOwn = ({ id: _, url: __, savedAt: ___, digest, ...others }) => ({
  ...others,
  digest: figuresOf(digest),
});

describe('the saved documents of cacc1c4, saved today', () => {
  /** @type {TestServer} */
  let server;
  /** @type {Map<string, { document: any, id: string }>} by the document's name */
  const saved = new Map();
  before(async () => {
    server = await openServer();
    for (const name of SAVED_DOCUMENTS) {
      const { document, listed } = readSavedDocument(name);
      const { label, note, place } = listed;
      const { status, answer } = await postSubmission(server.origin, { document, label, note, place });
      assert.equal(status, 201, `${name}: ${JSON.stringify(answer)}`);
      saved.set(name, { document, id: answer.id });
    }
  });
  after(() => server.close());

  it('are listed with the same figures', async () => {
    const { results } = await (await fetch(`${server.origin}/api/results`)).json();
    /** @param {any[]} runs */
    const byStart = (runs) => runs.map(withoutOwn).sort((a, b) => a.digest.startedAt.localeCompare(b.digest.startedAt));
    assert.deepEqual(byStart(results), byStart(LISTED));
  });

  it('have one headline on their pages, in lists and in previews', async () => {
    // A figure and its unit stand in an element of their own.
    const textOf = async (/** @type {string} */ path) =>
      (await (await fetch(server.origin + path)).text()).replace(/<span class="together">([^<]*)<\/span>/g, '$1');
    const list = await textOf('/results');
    for (const [name, { document, id }] of saved) {
      const { experiment } = readSavedDocument(name);
      const { headline } = findingsOf(experiment, document).report;
      const page = await textOf(`/results/${id}`);
      assert.ok(page.includes(`<h2 class="headline">${headline}</h2>`), `${name}: ${headline}`);
      const [, title] = /og:title" content="([^"]*)"/.exec(page) ?? assert.fail(name);
      assert.ok(title.includes(asClause(headline)), title);
      // One with a verdict has that in its cells.
      assert.ok(
        [`>${headline}</a>`, `title="${headline}`].some((text) => list.includes(text)),
        name,
      );
      const comparison = await textOf(`/compare?ids=${id}`);
      assert.ok(comparison.includes(`: ${asClause(headline)}.`), `${name}: preview of a comparison`);
      // The lines of 2012 stand in its table.
      if (!isByTransport(experiment)) assert.ok(comparison.includes(`<p class="headline">${headline}`), name);
    }
  });

  it('are given back as they were, with the same CSV', async () => {
    for (const [name, { document, id }] of saved) {
      const path = `${server.origin}/api/results/${id}`;
      assert.deepEqual((await (await fetch(path)).json()).document, document, name);
      assert.equal(await (await fetch(`${path}.csv`)).text(), readCsv(name), name);
    }
  });
});
