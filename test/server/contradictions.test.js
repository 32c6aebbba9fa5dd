/**
 * Runs that cannot be true are refused when they are saved, with the field; those that were stored before still open.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readSavedDocument } from '../support/saved-documents.js';
import { createId, createSavedRun, hashToken } from '../support/saved-runs.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const OVERRIDE = '\u202e';
const STEPS = /[\u202a-\u202e\u2066-\u2069]/;

/** What, the field, and how to make it of a run that is right. @type {[string, string, (document: any) => void][]} */
const WRONGS = [
  [
    'all trials starting at 0 ms',
    'trials.1.startedAtMs',
    ({ trials }) => trials.forEach((/** @type {any} */ trial) => (trial.startedAtMs = 0)),
  ],
  [
    'twelve servers in one run',
    'trials.1.server.server',
    ({ trials }) =>
      trials.forEach((/** @type {any} */ trial, /** @type {number} */ i) => (trial.server = serverOf(`fra-${i}`))),
  ],
  [
    'AJAX over the protocol websocket',
    'trials.0.protocol',
    ({ trials }) => {
      assert.equal(trials[0].transport, 'ajax');
      trials[0].protocol = 'websocket';
    },
  ],
  ['the year 9999', 'startedAt', (document) => (document.startedAt = '9999-11-21T07:00:00.000Z')],
  ['a right-to-left override', 'environment.userAgent', ({ environment }) => (environment.userAgent += OVERRIDE)],
];

/** @param {string} server */
const serverOf = (server) => ({
  server,
  location: '',
  version: '1',
  worker: 0,
  startedAt: '2026-11-21T06:00:00.000Z',
});

/** @returns {any} a run whose first trial is by AJAX */
const createDocument = () => structuredClone(createShootout());

describe('a run that cannot be true', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer()));
  after(() => server.close());

  /** @param {any} document */
  const save = async (document) => {
    const { status, answer } = await postSubmission(server.origin, { document });
    return { status, code: answer.error?.code, path: answer.error?.path };
  };
  /** @param {string} path */
  const get = (path) => fetch(server.origin + path);

  for (const [what, path, spoil] of WRONGS) {
    it(`is refused when it is saved, by its field: ${what}`, async () => {
      const document = createDocument();
      spoil(document);
      assert.deepEqual(await save(document), { status: 400, code: 'bad-run', path: `document.${path}` });
    });
  }

  it('is saved where it says the same and may be true', async () => {
    const document = createDocument();
    for (const [i, trial] of document.trials.entries()) trial.server = { ...serverOf('fra-1'), worker: i };
    assert.equal((await save(document)).status, 201);
  });

  it('still opens where it was stored before, its page, its lists and its CSV, in which nothing turns the text', async () => {
    const document = createDocument();
    for (const [, , spoil] of WRONGS) spoil(document);
    const { experiment, digest } = readSavedDocument('shootout-whole');
    const name = `fra${OVERRIDE}1`;
    const id = createId('impossible');
    const run = createSavedRun({ id, experiment: experiment.name, server: name, digest: { ...digest, server: name } });
    await server.store.save(run, { document: gzipSync(JSON.stringify(document)), tokenHash: hashToken(id) });

    const given = await (await get(`/api/results/${id}`)).json();
    assert.deepEqual(given.document, document);
    assert.equal((await get(`/api/results/${id}.csv`)).status, 200);
    for (const path of [`/results/${id}`, '/results', `/compare?ids=${id}`]) {
      const response = await get(path);
      assert.equal(response.status, 200, path);
      const html = await response.text();
      assert.ok(html.includes('fra 1'), path);
      assert.doesNotMatch(html, STEPS, path);
    }
  });

  it('has a page that says what is as reported by the visitor', async () => {
    const { answer } = await postSubmission(server.origin, { document: createDocument(), place: { name: 'here' } });
    const html = await (await get(answer.url)).text();
    const said = [...html.matchAll(/>([^<>]*): as reported by the visitor/g)].map(([, names]) => names);
    assert.deepEqual(said, ['Place, browser, server and time']);
  });
});
