/** `/submission`: the form that the app of 2019 shares its tests with. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { formatMarkdown } from '../../core/experiment/report/report.js';
import { findExperiment } from '../../core/experiments/all.js';
import { compareRuns } from '../../core/matrix/comparison.js';
import { listSchema, savedSchema, sharedSchema, wholeSchema } from '../../server/saved-runs/schemas.js';
import { MAX_FORM_BYTES } from '../../server/saved-runs/submission.js';
import { sqliteFaults } from '../support/store-faults.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const LIMITS = { savesPerHour: 10_000, documentsPerMinute: 10_000 };
const UNKNOWN = '01234567-89ab-4cde-8f01-23456789abcd';
const HTML = '<img src=x onerror="alert(1)">';

/** As that app has them after “One of each”: it calls a WebSocket by either name. */
const FIRST = [
  { test: 'xhr', iterations: 300, time: 610.5 },
  { test: 'ws', iterations: 300, time: 150.25 },
];
const LATER = [...FIRST, { test: 'websocket', iterations: 100, time: 40 }];

/** @param {unknown} runs @param {string} [submission] @returns {FormData} as that app makes it */
function createForm(runs, submission) {
  const form = new FormData();
  form.append('runs', typeof runs === 'string' ? runs : JSON.stringify(runs));
  if (submission !== undefined) form.append('submission', submission);
  return form;
}

/** @param {string} origin @param {BodyInit} body @param {Record<string, string>} [headers] */
async function share(origin, body, headers = {}) {
  const response = await fetch(`${origin}/submission`, { method: 'POST', body, headers });
  return { status: response.status, headers: response.headers, answer: await response.json() };
}

/** @param {Headers} headers of an answer @returns {string} */
const idIn = (headers) => String(headers.get('location')?.split('/').at(-1));

/** @param {string} origin @param {string} path */
const read = async (origin, path) => (await fetch(origin + path)).json();

/** What that app sends, one after the other. @param {TestServer} server */
async function shareTwice({ origin, store }) {
  const first = await share(origin, createForm(FIRST));
  assert.equal(first.status, 201);
  v.assert(sharedSchema, first.answer);
  const { uuid, runs } = first.answer.submission;
  assert.deepEqual(runs, { count: 2, total_iterations: 600 });
  const id = idIn(first.headers);

  const second = await share(origin, createForm(LATER, uuid));
  assert.equal(second.status, 200);
  assert.deepEqual(second.answer, { submission: { uuid, runs: { count: 3, total_iterations: 700 } } });
  assert.equal(idIn(second.headers), id);

  const whole = await read(origin, `/api/results/${id}`);
  v.assert(wholeSchema, whole);
  assert.deepEqual(whole.document, { schema: 'sockshootout/submission-2019/1', runs: LATER });
  const list = await read(origin, '/api/results?transport=ws');
  v.assert(listSchema, list);
  assert.deepEqual(
    list.results.map((/** @type {any} */ run) => run.id),
    [id],
  );
  for (const said of [whole, list]) assert.ok(!JSON.stringify(said).includes(uuid));
  assert.equal((await store.list({ limit: 9 })).length, 1);
  return { id, uuid, digest: whole.digest };
}

describe('/submission', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer({ limits: LIMITS })));
  after(() => server.close());

  it('saves, then replaces by the uuid, at the same address; nothing is said that was not reported', async () => {
    const { id, uuid, digest } = await shareTwice(server);
    const { headline, detail, ...facts } = digest;
    assert.deepEqual(facts, {
      server: 'Unknown server',
      transports: ['xhr', 'ws'],
      sampleCount: 0,
      failureCount: 0,
    });
    assert.match(headline, /reported/);
    assert.match(detail, /^As reported: .*XHR\s2\.04 ms .*WebSocket\s0\.45 ms/);
    const page = await (await fetch(`${server.origin}/results/${id}`)).text();
    assert.match(page, /<meta property="og:description" content="As reported: /);
    const headers = { Authorization: `Bearer ${uuid}` };
    const { status } = await fetch(`${server.origin}/api/results/${id}`, { method: 'DELETE', headers });
    assert.equal(status, 204);
    assert.equal((await share(server.origin, createForm(FIRST, uuid))).status, 404);
  });

  it('is listed neither with the valid runs nor with the others, as nobody can tell', async () => {
    const { headers } = await share(server.origin, createForm(FIRST));
    const { answer } = await postSubmission(server.origin, { document: createShootout(), label: 'mixed' });
    const document = { schema: 'sockshootout/submission-2019/1', runs: FIRST };
    const mixed = await postSubmission(server.origin, { document, label: 'mixed' });
    for (const [query, isThere] of /** @type {const} */ ([
      ['', true],
      ['?valid=true', false],
      ['?valid=false', false],
    ])) {
      const { results } = await read(server.origin, `/api/results${query}`);
      const ids = results.map((/** @type {any} */ run) => run.id);
      assert.equal(ids.includes(idIn(headers)), isThere, query);
      assert.equal(ids.includes(answer.id), query !== '?valid=false', query);
    }
    const get = async (/** @type {string} */ path) => (await fetch(server.origin + path)).text();
    assert.match(await get('/c?label=mixed'), /Not in the matrix: 1 run without an answer/);
    const compared = await get(`/compare?ids=${mixed.answer.id}`);
    assert.match(compared, /data-valid="unknown"/);
    for (const page of [compared, await get('/results')]) assert.doesNotMatch(page, /undefined|class="invalid"/);
  });

  it('takes an empty uuid for none, as a form sends it', async () => {
    assert.equal((await share(server.origin, createForm(FIRST, ''))).status, 201);
  });

  it('refuses a uuid that it did not give, and changes nothing', async () => {
    const { headers } = await share(server.origin, createForm(FIRST));
    const id = idIn(headers);
    const { document } = await read(server.origin, `/api/results/${id}`);
    const { answer: run } = await postSubmission(server.origin, { document });
    v.assert(savedSchema, run);
    const before = await read(server.origin, '/api/results');
    for (const uuid of [UNKNOWN, id, 'null', '[object Object]', HTML, run.deleteToken, run.id]) {
      const { status, answer } = await share(server.origin, createForm(LATER, uuid));
      const expected = uuid === UNKNOWN ? [404, 'not-found'] : [400, 'bad-request'];
      assert.deepEqual([status, answer.error.code], expected, uuid);
      assert.match(answer.error.message, /^submission: expected the uuid/);
    }
    assert.deepEqual(await read(server.origin, '/api/results'), before);
  });

  /** What; the runs; the path of what is wrong. @type {[string, unknown, string][]} */
  const wrongs = [
    ['no JSON', 'xhr', 'runs'],
    ['an empty text', '', 'runs'],
    ['no list', { test: 'xhr', iterations: 1, time: 1 }, 'runs'],
    ['no runs', [], 'runs'],
    ['null', null, 'runs'],
    ['a run that is none', [null], 'runs.0'],
    ['a time of 0', [FIRST[0], { ...FIRST[1], time: 0 }], 'runs.1.time'],
    ['a negative time', [{ ...FIRST[0], time: -1 }], 'runs.0.time'],
    ['a time beyond all numbers', '[{"test":"xhr","iterations":1,"time":1e999}]', 'runs.0.time'],
    ['a time that is none', [{ ...FIRST[0], time: NaN }], 'runs.0.time'],
    ['a time beyond a day', [{ ...FIRST[0], time: 1e9 }], 'runs.0.time'],
    ['no iterations', [{ ...FIRST[0], iterations: 0 }], 'runs.0.iterations'],
    ['half an iteration', [{ ...FIRST[0], iterations: 0.5 }], 'runs.0.iterations'],
    ['too many iterations', [{ ...FIRST[0], iterations: 100_001 }], 'runs.0.iterations'],
    ['no name', [{ ...FIRST[0], test: '' }], 'runs.0.test'],
    ['a long name', [{ ...FIRST[0], test: 'x'.repeat(101) }], 'runs.0.test'],
    ['a name of two lines', [{ ...FIRST[0], test: 'a\nb' }], 'runs.0.test'],
    ['a field of its own', [{ ...FIRST[0], browser: 'x' }], 'runs.0.browser'],
    ['too many runs', Array(1001).fill(FIRST[0]), 'runs'],
    ['too many names', Array.from({ length: 11 }, (_, i) => ({ ...FIRST[0], test: `${i}` })), 'runs'],
  ];
  for (const [what, runs, path] of wrongs) {
    it(`refuses ${what}`, async () => {
      const { status, answer } = await share(server.origin, createForm(runs));
      assert.deepEqual([status, answer.error.code, answer.error.path], [400, 'bad-run', path]);
    });
  }

  it('refuses bytes that are no text, in a name, too', async () => {
    const json = Buffer.from(JSON.stringify([{ ...FIRST[0], test: 'x?' }]));
    json[json.indexOf('?')] = 0xff;
    const head = '--x\r\nContent-Disposition: form-data; name="runs"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), json, Buffer.from('\r\n--x--\r\n')]);
    const { status, answer } = await share(server.origin, body, {
      'Content-Type': 'multipart/form-data; boundary=x',
    });
    assert.deepEqual([status, answer.error.code, answer.error.path], [400, 'bad-run', 'runs']);
  });

  it('refuses what is no such form, is too large, or comes by another method', async () => {
    const boundary = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const file = new FormData();
    file.append('runs', new Blob([JSON.stringify(FIRST)]), 'runs.json');
    const more = createForm(FIRST, '');
    more.append('browser', 'x');
    const twice = createForm(FIRST);
    twice.append('runs', '[]');
    const unknown = createForm(FIRST);
    unknown.append('browser', 'x');
    const withFile = createForm(FIRST);
    withFile.append('submission', new Blob(['']), 'x');
    const large = createForm('x'.repeat(MAX_FORM_BYTES));
    /** @type {(readonly [BodyInit, Record<string, string>, number, string])[]} */
    const sent = [
      [JSON.stringify(FIRST), { 'Content-Type': 'application/json' }, 415, 'wrong-type'],
      [new URLSearchParams({ runs: JSON.stringify(FIRST) }), {}, 415, 'wrong-type'],
      ['--y\r\n', boundary, 400, 'bad-run'],
      ['x', { 'Content-Type': 'multipart/form-data' }, 400, 'bad-run'],
      [new FormData(), {}, 400, 'bad-run'],
      ...[file, more, twice, unknown, withFile].map((form) => /** @type {const} */ ([form, {}, 400, 'bad-run'])),
      [large, {}, 413, 'too-large'],
      [createForm(FIRST), { Origin: 'https://other.example' }, 403, 'origin-refused'],
    ];
    for (const [body, headers, expected, code] of sent) {
      const { status, answer } = await share(server.origin, body, headers);
      assert.deepEqual([status, answer.error.code], [expected, code], code);
    }
    const got = await fetch(`${server.origin}/submission`);
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST']);
    const own = await share(server.origin, createForm(FIRST), { Origin: server.origin });
    assert.equal(own.status, 201);
  });

  it('shows names as text, on the page, in Markdown and in CSV, even those that objects have', async () => {
    const names = [HTML, 'constructor', '__proto__', '=1+1'];
    const runs = names.map((test) => ({ test, iterations: 10, time: 25 }));
    const { headers } = await share(server.origin, createForm(runs));
    const id = idIn(headers);
    const page = await (await fetch(`${server.origin}/results/${id}`)).text();
    assert.ok(page.includes('&lt;img src=x'));
    assert.ok(!page.includes('<img src=x'));
    assert.match(page, /Unknown server/);
    assert.match(page, /without samples/);
    assert.doesNotMatch(page, />Complete</);
    assert.match(page, /<h1>.*>4 tests</);
    const csv = await (await fetch(`${server.origin}/api/results/${id}.csv`)).text();
    const lines = ['1,"<img src=x onerror=""alert(1)"">"', '2,constructor', '3,__proto__', "4,'=1+1"];
    assert.equal(csv, `number,test,iterations,time_ms\r\n${lines.map((line) => `${line},10,25\r\n`).join('')}`);
    const { document } = await read(server.origin, `/api/results/${id}`);
    const markdown = formatMarkdown(findExperiment('countdown') ?? assert.fail(), document);
    assert.match(String(markdown), /\| 2 \| constructor \| 10 \| 25\.0 \| 2\.50 \|/);
    assert.doesNotMatch(String(markdown), /(?<!\\)</);
  });

  it('stands beside another on the comparison page, where rows of the same test are together', async () => {
    const shared = await Promise.all([FIRST, LATER].map((runs) => share(server.origin, createForm(runs))));
    const ids = shared.map(({ headers }) => idIn(headers));
    const page = await fetch(`${server.origin}/compare?ids=${ids.join(',')}`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Unknown server/);
    const runs = await Promise.all(ids.map((id) => read(server.origin, `/api/results/${id}`)));
    const experiment = findExperiment('countdown') ?? assert.fail();
    const { tables, differences } = compareRuns(
      experiment,
      runs.map((run, index) => ({ ...run, number: index + 1 })),
    );
    assert.deepEqual(
      tables[0].rows.map(({ side, key }) => `${side.number} ${JSON.parse(key).join(' ')}`),
      ['1 XHR 300', '2 XHR 300', '1 WebSocket 300', '2 WebSocket 300', '2 WebSocket 100'],
    );
    assert.deepEqual(differences, []);
  });

  it('counts with the saves and the uploads of an address', async () => {
    const strict = await openServer({ limits: { savesPerHour: 2 } });
    try {
      const { document } = { document: { schema: 'sockshootout/submission-2019/1', runs: FIRST } };
      assert.equal((await postSubmission(strict.origin, { document })).status, 201);
      assert.equal((await share(strict.origin, createForm(FIRST))).status, 201);
      const { status, answer } = await share(strict.origin, createForm(FIRST));
      assert.deepEqual([status, answer.error.code], [429, 'too-many']);
    } finally {
      await strict.close();
    }
    const full = await openServer({ limits: { ...LIMITS, submissionCount: 0 } });
    try {
      const { status, answer } = await share(full.origin, createForm(FIRST));
      assert.deepEqual([status, answer.error.code], [503, 'busy']);
    } finally {
      await full.close();
    }
  });

  it('says that the store has no room, keeps what was shared, and replaces it once there is', async () => {
    const own = await openServer({ limits: LIMITS });
    try {
      const { headers, answer } = await share(own.origin, createForm(FIRST));
      const path = `/api/results/${idIn(headers)}`;
      const before = await read(own.origin, path);
      const { uuid } = answer.submission;
      const undo = await sqliteFaults.fill(own.database);
      // Too many for the room that is left, even packed.
      const runs = Array.from({ length: 1000 }, (_, i) => ({
        test: 'xhr',
        iterations: 1 + i,
        time: 1 + i + Math.random(),
      }));
      for (const form of [createForm(runs), createForm(runs, uuid)]) {
        const refused = await share(own.origin, form);
        assert.deepEqual([refused.status, refused.answer.error.code], [507, 'store-full']);
      }
      assert.deepEqual(await read(own.origin, path), before);
      await undo();
      assert.equal((await share(own.origin, createForm(LATER, uuid))).status, 200);
    } finally {
      await own.close();
    }
  });
});
