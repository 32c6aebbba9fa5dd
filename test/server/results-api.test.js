import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { findExperiment } from '../../core/experiments/all.js';
import { runExperiment } from '../../core/experiment/run/run.js';
import { classic } from '../../core/experiments/classic/index.js';
import { toDocument } from '../../core/experiments/classic/schema.js';
import { findingsOf } from '../../core/experiment/report/findings.js';
import { shootout as experiment } from '../../core/experiments/shootout/index.js';
import { summarize } from '../../core/experiments/shootout/summary.js';
import {
  describedSchema,
  ERROR_STATUS,
  errorSchema,
  listSchema,
  savedSchema,
  wholeSchema,
} from '../../server/saved-runs/schemas.js';
import { MAX_SUBMISSION_BYTES, MAX_WORDS_BYTES } from '../../server/saved-runs/submission.js';
import { sendRaw } from '../support/raw-http.js';
import { createScriptedTransport } from '../support/scripted-transport.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const environment = { url: 'http://x/ajaxtest', userAgent: 'test', stepMs: 0.005, isCrossOriginIsolated: true };
const LIMITS = { savesPerHour: 10_000, documentsPerMinute: 10_000 };

/** @param {any} value */
const asJson = (value) => JSON.parse(JSON.stringify(value));

/** As a saver's page makes it. */
const createToken = () => randomBytes(24).toString('base64url');

describe('/api/results', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer({ limits: LIMITS })));
  after(() => server.close());

  /** @param {unknown} submission @param {RequestInit} [options] */
  const post = (submission, options) => postSubmission(server.origin, submission, options);
  /** @param {string} path @param {RequestInit} [options] */
  const get = async (path, options) => {
    const response = await fetch(server.origin + path, options);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const text = await response.text();
    return { status: response.status, headers: response.headers, answer: isJson ? JSON.parse(text) : text };
  };
  /** @param {string} id @param {string} token */
  const remove = (id, token) =>
    get(`/api/results/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });

  it('saves a run, gives it back as it was sent, and deletes it by its token alone', async () => {
    const document = createShootout();
    const words = {
      label: 'San Francisco, cable',
      note: 'line\nline',
      place: { name: 'SF' },
    };
    const { status, headers, answer } = await post({ document, ...words });
    assert.equal(status, 201);
    v.assert(savedSchema, answer);
    const { id, deleteToken, ...saved } = answer;
    assert.equal(headers.get('location'), `/api/results/${id}`);

    const whole = await get(`/api/results/${id}`);
    v.assert(wholeSchema, whole.answer);
    assert.deepEqual(whole.answer, { id, ...saved, document: asJson(document) });
    assert.deepEqual({ label: saved.label, note: saved.note, place: saved.place }, words);

    // Not by fetch, which asks for a fresh one.
    const etag = whole.headers.get('etag');
    const kept = await sendRaw(
      server.port,
      `GET /api/results/${id} HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(kept, /^HTTP\/1\.1 304 /);

    const csv = await get(`/api/results/${id}.csv`);
    assert.match(String(csv.headers.get('content-type')), /^text\/csv/);
    assert.equal(csv.answer, findExperiment('shootout')?.formatCsv(document));
    assert.match(String(csv.headers.get('content-disposition')), /^attachment; filename="?sockshootout-.+\.csv/);
    // Decoding as text drops the byte-order mark.
    const bytes = new Uint8Array(await (await fetch(`${server.origin}/api/results/${id}.csv`)).arrayBuffer());
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);

    assert.equal((await remove(id, `${deleteToken}x`)).answer.error.code, 'wrong-token');
    assert.equal((await get(`/api/results/${id}`)).status, 200);
    assert.equal((await remove(id, deleteToken)).status, 204);
    for (const path of [`/api/results/${id}`, `/api/results/${id}.csv`]) {
      assert.equal((await get(path)).answer.error.code, 'not-found');
    }
    assert.equal((await remove(id, deleteToken)).answer.error.code, 'not-found');
  });

  it('changes label, note and place for the token alone, and nothing else', async () => {
    const words = { label: 'before', note: 'n', place: { name: 'Bonn' } };
    const { answer } = await post({ document: createShootout(), ...words });
    const { deleteToken, ...saved } = answer;
    const change = (/** @type {unknown} */ body, token = deleteToken, /** @type {object} */ others = {}) =>
      get(`/api/results/${saved.id}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...others },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const changed = await change({ label: ' after ', place: { name: '' } });
    v.assert(describedSchema, changed.answer);
    assert.deepEqual([changed.status, changed.answer], [200, asJson({ ...saved, label: 'after', place: undefined })]);
    assert.deepEqual((await change({})).answer, changed.answer);
    const whole = (await get(`/api/results/${saved.id}`)).answer;
    assert.deepEqual(whole, { ...changed.answer, document: asJson(createShootout()) });
    assert.equal((await get('/api/results?label=before')).answer.results.length, 0);

    for (const [body, code, others, token] of /** @type {const} */ ([
      [{ label: 'x' }, 'wrong-token', {}, `${deleteToken}x`],
      [{ label: 'x'.repeat(81) }, 'bad-run', {}],
      [{ place: 'Bonn' }, 'bad-run', {}],
      [{ document: {} }, 'bad-run', {}],
      ['{', 'bad-run', {}],
      [{ note: 'x'.repeat(MAX_WORDS_BYTES) }, 'too-large', {}],
      [{ label: 'x' }, 'wrong-type', { 'Content-Type': 'text/plain' }],
      [{ label: 'x' }, 'no-token', { Authorization: 'x' }],
      [{ label: 'x' }, 'origin-refused', { Origin: 'https://elsewhere.example' }],
    ])) {
      const refused = await change(body, token, others);
      v.assert(errorSchema, refused.answer);
      assert.deepEqual([refused.answer.error.code, refused.status], [code, ERROR_STATUS[code]]);
    }
    assert.deepEqual((await get(`/api/results/${saved.id}`)).answer, whole);
    await remove(saved.id, deleteToken);
    assert.equal((await change({ label: 'x' })).answer.error.code, 'not-found');
  });

  it('says of a run what its samples say', async () => {
    const document = createShootout();
    const { answer } = await post({ document });
    const { verdict, floorMs, rows } = summarize(document);
    const { headline, detail, shootout, ...digest } = answer.digest;
    const { comparison } = shootout;
    assert.equal(verdict.name, 'faster');
    const { report } = findingsOf(experiment, document);
    assert.deepEqual([headline, digest.floorMs], [report.headline, floorMs]);
    // What one machine measured is left to the samples.
    assert.ok(detail.includes(String(report.notice)) && !detail.includes(verdict.headline), detail);
    const { centres, verdict: word, ...figures } = rows[1].comparison ?? assert.fail();
    assert.equal(centres.length, figures.blockCount);
    assert.deepEqual(comparison, asJson({ ...figures, word }));
    assert.deepEqual([digest.sampleCount, digest.failureCount, digest.isValid], [60, 0, true]);
  });

  it('takes words that are empty for none', async () => {
    const { answer } = await post({ document: createShootout(), label: '  ', note: '', place: { name: '' } });
    assert.deepEqual([answer.label, answer.note, answer.place], [undefined, undefined, undefined]);
  });

  it('saves the runs of a classic page, and refuses them with what can be computed', async () => {
    const { transport, now } = createScriptedTransport({ script: [], name: 'ajax' });
    const plan = { iterations: [3] };
    const { trials } = await runExperiment(classic, { plan, transport, now, clickedAtMs: now() });
    const [run] = trials;
    run.trial.protocol = 'http/1.1';
    const result = {
      transport: 'ajax',
      environment,
      runs: [{ ...run, startedAt: '2026-01-01T00:00:00.000Z', wasHidden: false }],
    };
    const document = toDocument(result);
    const { status, answer } = await post({ document });
    assert.equal(status, 201, JSON.stringify(answer));
    assert.deepEqual(
      [answer.experiment, answer.digest.transports, answer.digest.sampleCount],
      ['classic', ['ajax'], 3],
    );
    assert.deepEqual((await get(`/api/results/${answer.id}`)).answer.document, asJson(document));
    const claimed = { ...document, runs: [{ ...document.runs[0], elapsedMs: 1 }] };
    assert.equal((await post({ document: claimed })).answer.error.path, 'document.runs.0.elapsedMs');
  });

  describe('refuses', () => {
    const shootout = createShootout();
    const [first, ...others] = shootout.trials;
    const long = 'x'.repeat(81);
    /** @type {[string, unknown, string | undefined, RegExp][]} what, submission, path, message */
    const wrongs = [
      ['what is no JSON', '{', undefined, /^expected JSON/],
      ['nothing', '', undefined, /^expected JSON/],
      ['a list', [], 'document', /./],
      ['an unknown field beside the document', { document: shootout, token: 1 }, 'token', /^expected no such field$/],
      ['no document', { label: 'x' }, 'document', /./],
      ['another document', { document: { schema: 'x/1' } }, 'document.schema', /^expected .*, got “x\/1”$/],
      [
        'an unknown field',
        { document: { ...shootout, verdict: 'faster' } },
        'document.verdict',
        /^expected no such field$/,
      ],
      [
        'a name of every object’s',
        `{"document":${JSON.stringify(shootout).replace('{', '{"__proto__":1,')}}`,
        'document.__proto__',
        /no such field/,
      ],
      [
        'a cold set-up of none',
        { document: { ...shootout, coldSetUpMs: { constructor: 1 } } },
        'document.coldSetUpMs.constructor',
        /no such field/,
      ],
      [
        'trials of another order',
        { document: { ...shootout, trials: [...others, first] } },
        'document.trials',
        /in its order/,
      ],
      [
        'trials that are missing',
        { document: { ...shootout, trials: others } },
        'document.trials',
        /the trials of the plan/,
      ],
      [
        'a round trip that is text',
        { document: { ...shootout, trials: [{ ...first, startedAtMs: '1' }, ...others] } },
        'document.trials.0.startedAtMs',
        /^expected number, got "1"$/,
      ],
      [
        'a lost connection without an ending',
        {
          document: {
            ...shootout,
            trials: [
              ...others.slice(0, 0),
              first,
              { ...others[0], failures: [{ outcome: 'closed', message: 'gone' }] },
              ...others.slice(1),
            ],
          },
        },
        'document.ending',
        /^expected an ending,.* \(block 1\b/,
      ],
      [
        'a time that the language does not read',
        { document: { ...shootout, startedAt: '2026-11-21T07:00:00+01' } },
        'document.startedAt',
        /^expected a time like /,
      ],
      [
        'half a character',
        `{"document":${JSON.stringify(shootout).replace('Test/1', '\\ud800')}}`,
        'document.environment.userAgent',
        /unpaired surrogates/,
      ],
      [
        'NUL',
        `{"document":${JSON.stringify(shootout).replace('Test/1', '\\u0000')}}`,
        'document.environment.userAgent',
        /NUL/,
      ],
      ['a long label', { document: shootout, label: long }, 'label', /80/],
      ['a label of two lines', { document: shootout, label: 'a\nb' }, 'label', /control characters/],
      [
        'a place with coordinates',
        { document: shootout, place: { latitude: 1 } },
        'place.latitude',
        /expected no such field/,
      ],
    ];
    for (const [what, submission, path, message] of wrongs) {
      it(`${what}, by name`, async () => {
        const { status, answer } = await post(submission);
        v.assert(errorSchema, answer);
        assert.deepEqual([status, answer.error.code, answer.error.path], [400, 'bad-run', path]);
        assert.match(answer.error.message, message);
      });
    }

    it('a run of more than 200,000 samples, and one of more than 4 MiB', async () => {
      const plan = { ...shootout.plan, blocks: 200, iterations: 1000 };
      const tooMany = await post({ document: { ...shootout, plan } });
      assert.deepEqual([tooMany.status, tooMany.answer.error.path], [400, 'document.plan']);
      const tooLarge = await post(`{"document":"${'x'.repeat(MAX_SUBMISSION_BYTES)}"}`);
      assert.deepEqual([tooLarge.status, tooLarge.answer.error.code], [413, 'too-large']);
      v.assert(errorSchema, tooLarge.answer);
    });

    it('another type than JSON, and another encoding than there are', async () => {
      const form = await post('a=1', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
      assert.deepEqual([form.status, form.answer.error.code], [415, 'wrong-type']);
      const encoded = await post('{}', { headers: { 'Content-Encoding': 'x' } });
      assert.equal(encoded.status, 400);
      v.assert(errorSchema, encoded.answer);
    });

    it('to save or delete for another site’s page', async () => {
      const headers = { Origin: 'https://elsewhere.example' };
      assert.equal((await post({ document: shootout }, { headers })).answer.error.code, 'origin-refused');
      assert.equal((await post({ document: shootout }, { headers: { Origin: server.origin } })).status, 201);
    });

    it('a deletion without a token, a wrong method, and a path that there is not', async () => {
      for (const [method, path, code] of [
        ['DELETE', '/api/results/0123456789abcdef', 'no-token'],
        ['PATCH', '/api/results/0123456789abcdef', 'wrong-type'],
        ['PUT', '/api/results', 'wrong-method'],
        ['OPTIONS', '/api/results', 'wrong-method'],
        ['POST', '/api/results/0123456789abcdef', 'wrong-method'],
        ['GET', '/api', 'not-found'],
        ['GET', '/api/result', 'not-found'],
        ['GET', '/api/results/x', 'not-found'],
        ['GET', `/api/results/${'x'.repeat(5000)}`, 'not-found'],
        ['GET', '/api/results/%00%ff', 'bad-request'],
      ]) {
        const { status, headers, answer } = await get(path, { method });
        v.assert(errorSchema, answer);
        assert.equal(headers.has('allow'), status === 405);
        assert.deepEqual(
          [answer.error.code, status],
          [code, ERROR_STATUS[/** @type {keyof typeof ERROR_STATUS} */ (code)]],
          `${method} ${path.slice(0, 60)}`,
        );
      }
    });

    for (const [query, path] of [
      ['experiment=none', 'experiment'],
      ['transport=pigeon', 'transport'],
      ['valid=yes', 'valid'],
      ['limit=0', 'limit'],
      ['limit=51', 'limit'],
      ['cursor=x', 'cursor'],
      ['label=%00', 'label'],
      ['label=a&label=b', 'label'],
      ['sort=label', 'sort'],
      [`place=${'x'.repeat(501)}`, 'place'],
    ]) {
      it(`to list by ${query.slice(0, 20)}, by name`, async () => {
        const { status, answer } = await get(`/api/results?${query}`);
        v.assert(errorSchema, answer);
        assert.deepEqual([status, answer.error.code, answer.error.path], [400, 'bad-query', path]);
      });
    }
  });

  it('lists by each field, newest first, page by page', async () => {
    const label = 'a campaign';
    const saved = [];
    for (let i = 0; i < 5; i++) {
      const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
      const { answer } = await post({
        document: createShootout(i === 0 ? { ending } : {}),
        label,
        place: { name: `place ${i % 2}` },
      });
      saved.unshift(answer.id);
    }
    /** @param {string} query */
    const list = async (query) => {
      const { answer } = await get(`/api/results?${query}`);
      v.assert(listSchema, answer);
      return { ids: answer.results.map(({ id }) => id), next: answer.next };
    };
    const query = new URLSearchParams({ label }).toString();
    assert.deepEqual(await list(query), { ids: saved, next: undefined });
    const pages = [await list(`${query}&limit=2`)];
    while (pages.at(-1)?.next) pages.push(await list(`${query}&limit=2&cursor=${pages.at(-1)?.next}`));
    assert.deepEqual(
      pages.map(({ ids }) => ids),
      [saved.slice(0, 2), saved.slice(2, 4), saved.slice(4)],
    );
    assert.deepEqual((await list(`${query}&place=place+1`)).ids, [saved[1], saved[3]]);
    assert.deepEqual((await list(`${query}&valid=false`)).ids, [saved[4]]);
    assert.deepEqual(
      (await list(`${query}&valid=true&transport=sockjs&experiment=shootout&server=localhost:8000`)).ids,
      saved.slice(0, 4),
    );
    assert.deepEqual((await list(`${query}&transport=xhr`)).ids, []);
    assert.deepEqual((await list(`${query}&experiment=classic`)).ids, []);
  });

  it('saves a run once, however often it is sent with one key, and nothing else by that key', async () => {
    const deleteToken = createToken();
    const document = createShootout();
    const headers = { 'Idempotency-Key': deleteToken };
    const label = 'sent again';
    const first = await post({ document, label }, { headers });
    assert.deepEqual([first.status, first.answer.deleteToken], [201, deleteToken]);
    const again = await post({ document, label }, { headers });
    assert.deepEqual([again.status, again.answer], [200, first.answer]);
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'Enough.' });
    const other = await post({ document: createShootout({ ending }), label }, { headers });
    assert.deepEqual([other.status, other.answer.error.code], [409, 'conflict']);
    const wrong = await post({ document, label }, { headers: { 'Idempotency-Key': 'x' } });
    assert.deepEqual([wrong.status, wrong.answer.error.code], [400, 'bad-request']);
    assert.equal((await get(`/api/results?${new URLSearchParams({ label })}`)).answer.results.length, 1);
    assert.equal((await remove(first.answer.id, deleteToken)).status, 204);
  });

  it('saves a run once where the answer was lost and it was sent again', async () => {
    const own = await openServer({ limits: LIMITS });
    try {
      const label = 'lost';
      const submission = { document: createShootout(), label };
      const headers = { 'Idempotency-Key': createToken() };
      const { save } = own.store;
      const saved = new Promise((resolve) => {
        own.store.save = (...given) => {
          const outcome = save(...given);
          outcome.then(resolve);
          // Its answer never comes.
          return new Promise(() => {});
        };
      });
      const gone = new AbortController();
      const lost = postSubmission(own.origin, submission, { headers, signal: gone.signal });
      await saved;
      gone.abort();
      await assert.rejects(lost, { name: 'AbortError' });
      own.store.save = save;
      const { status, answer } = await postSubmission(own.origin, submission, { headers });
      assert.equal(status, 200);
      const { results } = await (await fetch(`${own.origin}/api/results?label=${label}`)).json();
      assert.deepEqual(
        results.map((/** @type {{ id: string }} */ { id }) => id),
        [answer.id],
      );
    } finally {
      await own.close();
    }
  });
});
