/**
 * However much a visitor's document says, what is stored of it for lists is small, and lists stay so.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { DIGEST_LIMITS } from '../../core/experiment/documents/digest.js';
import { createArchive } from '../../server/saved-runs/archive.js';
import { listSchema, savedSchema, wholeSchema } from '../../server/saved-runs/schemas.js';
import { checkSubmission } from '../../server/saved-runs/submission.js';
import { createClassicDocument } from '../support/places.js';
import { openServer } from '../support/server.js';
import { postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const PAGE_LENGTH = 50;
/** The longest that a document may have; three bytes in UTF-8. */
const MESSAGE = '\u20ac'.repeat(1000);
/** Of a run in a list: some hundred runs of a classic test, a headline, and what stands around them. */
const LISTED_BYTES = 8 * 1024;
/** And in a page: its row, without any of those. */
const ROW_BYTES = 4 * 1024;

/** More than the 100 of which a digest tells. */
const FAILURES = 200;

/** Runs each of which failed with as long a message as there may be. */
function createFailures() {
  const document = createClassicDocument({ transport: 'ajax', runs: [[10, 100]] });
  const [run] = document.runs;
  const failures = [{ outcome: /** @type {const} */ ('closed'), message: MESSAGE }];
  const trial = { ...run.trial, samples: { iteration: [], sentAtMs: [], roundTripMs: [] }, failures };
  return { ...document, runs: Array(FAILURES).fill({ ...run, trial }) };
}

describe(`what is said of a document with ${FAILURES} failures of 1,000 characters`, () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(() => server.close());

  /** @param {string} path */
  const get = async (path) => {
    const response = await fetch(server.origin + path);
    assert.equal(response.status, 200, path);
    return response.text();
  };

  /** Each page and answer of a full list. @param {string} label of the list's runs */
  async function assertSmall(label) {
    const json = await get(`/api/results?label=${label}`);
    const { results } = v.parse(listSchema, JSON.parse(json));
    assert.equal(results.length, PAGE_LENGTH);
    assert.ok(Buffer.byteLength(json) < PAGE_LENGTH * LISTED_BYTES, `${Buffer.byteLength(json)} bytes`);
    for (const path of [`/results?label=${label}`, `/c?label=${label}`]) {
      const html = await get(path);
      assert.ok(Buffer.byteLength(html) < PAGE_LENGTH * ROW_BYTES, `${path}: ${Buffer.byteLength(html)} bytes`);
      assert.ok(path.startsWith('/c?') || html.includes('…</small>'), path);
    }
    const [{ id, digest }] = results;
    assert.equal([...digest.headline].length, DIGEST_LIMITS.headline);
    return id;
  }

  it('has at most 300 and 2,000 characters, and 16 KiB in all, when it is saved', async () => {
    const { status, answer } = await postSubmission(server.origin, { document: createFailures() });
    assert.equal(status, 201, JSON.stringify(answer).slice(0, 1000));
    const { digest, id } = v.parse(savedSchema, answer);
    assert.deepEqual(
      [digest.headline, digest.detail].map((text) => [[...text].length, text.at(-1)]),
      [
        [300, '…'],
        [2000, '…'],
      ],
    );
    assert.ok(Buffer.byteLength(JSON.stringify(digest)) <= DIGEST_LIMITS.bytes);
    assert.deepEqual([digest.failureCount, /** @type {any} */ (digest).classic.length], [FAILURES, 100]);

    const whole = v.parse(wholeSchema, JSON.parse(await get(`/api/results/${id}`)));
    assert.deepEqual(whole.digest, digest);
    // Of the document itself nothing is lost.
    assert.equal(/** @type {any} */ (whole.document).runs[FAILURES - 1].trial.failures[0].message, MESSAGE);
  });

  it('leaves a list of 50 such runs small, without their details', async () => {
    const archive = createArchive({ store: server.store });
    const nowMs = Date.UTC(2026, 10, 22);
    const body = Buffer.from(JSON.stringify({ document: createFailures(), label: 'many' }));
    const submission = await checkSubmission(body, { nowMs });
    for (let i = 0; i < PAGE_LENGTH; i++) await archive.save(submission);
    const id = await assertSmall('many');
    assert.ok((await get(`/compare?ids=${id}`)).includes('Failed after 0 of 10 iterations: €'));
  });
});
