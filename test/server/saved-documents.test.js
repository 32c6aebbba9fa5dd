/**
 * Documents that commit cacc1c4 made in a real browser are saved, listed and read today as they were then.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  figuresOf,
  LISTED,
  LISTED_THEN,
  readFixture,
  readSavedDocument,
  SAVED_DOCUMENTS,
} from '../support/saved-documents.js';
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
      // As pages of then sent it: with coordinates.
      const { label, note, place } = LISTED_THEN.find(({ id }) => id === listed.id);
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

  it('are given back as they were, with the same CSV', async () => {
    for (const [name, { document, id }] of saved) {
      const path = `${server.origin}/api/results/${id}`;
      assert.deepEqual((await (await fetch(path)).json()).document, document, name);
      assert.equal(await (await fetch(`${path}.csv`)).text(), readFixture(`${name}.csv`), name);
    }
  });
});
