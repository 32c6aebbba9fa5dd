import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { studySchema } from '../../server/saved-runs/schemas.js';
import { toRow } from '../../server/store/rows.js';
import { createStudyReader, MAX_PLACES } from '../../server/saved-runs/studies.js';
import { assertComplaint } from '../support/complaint.js';
import { openServer } from '../support/server.js';
import { createStudyRun, createStudyRuns, news, reach, sending } from '../support/studies.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/**
 * @import { StudyRun } from '../../core/study/places.js'
 * @import { TestServer } from '../support/server.js'
 */

const PLAN = 'transports=ajax,sockjs&blocks=6&iterations=9&warmup=0&payload=0&seed=1';
const MAX_PAGE_BYTES = 300 * 1024;

/** @param {string} html */
const decode = (html) => html.replaceAll('&amp;', '&');
/** @param {string} html @param {RegExp} pattern */
const findAll = (html, pattern) => [...html.matchAll(pattern)].map(([, found]) => found);

describe('the reader of studies', () => {
  it('reads each study once for all who ask while it is read, and again for who asks later', async () => {
    /** @type {(() => void)[]} */
    const pending = [];
    /** @type {string[]} */
    const asked = [];
    const runs = createStudyRuns();
    const listAsSaved = (/** @type {string} */ label) => {
      asked.push(label);
      return new Promise((resolve) => pending.push(() => resolve({ runs, isWhole: true })));
    };
    const read = createStudyReader(/** @type {any} */ ({ listAsSaved }));
    const answer = () =>
      new Promise((resolve) => setImmediate(() => resolve(pending.splice(0).forEach((end) => end()))));
    const first = read('one');
    await new Promise(setImmediate);
    // They get nothing that was read before they asked.
    const others = Array.from({ length: 200 }, () => read('one'));
    const another = read('two');
    await answer();
    await first;
    await answer();
    const found = await Promise.all([...others, another]);
    assert.deepEqual(asked, ['one', 'two', 'one']);
    assert.deepEqual(new Set(found.map(({ study }) => study.runCount)), new Set([runs.length]));
    const later = read('one');
    await answer();
    await later;
    assert.equal(asked.length, 4);
  });

  it('asks again after an error', async () => {
    let count = 0;
    const listAsSaved = async () => (count++ === 0 ? assert.fail('no store') : { runs: [], isWhole: true });
    const read = createStudyReader(/** @type {any} */ ({ listAsSaved }));
    await assert.rejects(read('one'), /no store/);
    assert.equal((await read('one')).runs.length, 0);
  });
});

describe('the limit of studies at once', () => {
  it('holds for pages and the API together', async () => {
    const small = await openServer({ limits: { studyCount: 2 } });
    try {
      const { list } = small.store;
      let askedCount = 0;
      const asked = new Promise((resolve) => {
        small.store.list = () => {
          if (++askedCount === 2) resolve(undefined);
          return new Promise(() => {});
        };
      });
      const leave = new AbortController();
      const slow = ['/c/one', '/api/studies/two'].map((path) =>
        fetch(small.origin + path, { signal: leave.signal }).catch((error) => error),
      );
      await asked;
      small.store.list = list;
      for (const path of ['/c/three', '/api/studies/four'])
        assert.equal((await fetch(small.origin + path)).status, 503, path);
      leave.abort();
      await Promise.all(slow);
      let status = 503;
      // The server learns of it a moment later.
      while (status === 503) ({ status } = await fetch(`${small.origin}/c/three`));
      assert.equal(status, 200);
    } finally {
      await small.close();
    }
  });
});

describe('the pages of studies', () => {
  /** @type {TestServer} */
  let server;
  before(async () => {
    server = await openServer({ limits: { readsPerMinute: 10_000, studiesPerMinute: 10_000 } });
    for (const run of createStudyRuns()) await save(run, 'dashboard');
  });
  after(() => server.close());

  /** @param {StudyRun} run @param {string} label */
  const save = (run, label) =>
    server.store.save(/** @type {any} */ ({ ...run, label }), {
      document: new Uint8Array([1]),
      tokenHash: new Uint8Array(32),
    });
  /** @param {string} path */
  const get = async (path) => {
    const response = await fetch(server.origin + path);
    return { status: response.status, type: response.headers.get('content-type'), html: await response.text() };
  };

  it('shows a row for each place, a cell for each question, and the sentence', async () => {
    const { status, html } = await get('/c/dashboard');
    assert.equal(status, 200);
    const places = findAll(html, /<th scope="row"><span class="place"><b>([^<]*)</g);
    assert.deepEqual(places, ['localhost', 'Frankfurt', 'London', 'New York', 'Sydney']);
    assert.match(html, /<mark>same machine<\/mark>/);
    assert.match(html, /<h2 id="study-sentence">From every place, news arrives/);
    assert.equal(findAll(html, /class="(cell) none"/g).length, 1);
    assert.equal(findAll(html, /<button class="(cell) local"/g).length, 3);
    assert.ok(html.includes('class="curves"'));
  });

  it('opens the runs behind a cell', async () => {
    const { html } = await get('/c/dashboard?say=Hello');
    const cells = findAll(html, /name="cell" value="([^"]+)"/g);
    const found = await Promise.all(cells.map((cell) => get(`/c/dashboard?say=Hello&cell=${cell}`)));
    const counts = found.map((page) => findAll(page.html, /<a href="(\/results\/[\w-]{16})"/g).length);
    // Two of the own machine, three of Frankfurt, one of London, six of New York, two of Sydney, without what was not measured.
    assert.deepEqual(counts, [2, 2, 2, 3, 3, 3, 1, 1, 6, 6, 6, 2, 1, 2]);
    assert.ok(decode(found[0].html).includes('href="/c/dashboard?say=Hello"'));
    assert.equal((await get('/c/dashboard?cell=nothing.jobs')).status, 404);
  });

  it('asks for the plan of its link, or for the full test, with its duration', async () => {
    const { html } = await get(`/c/new%20one?plan=${encodeURIComponent(`/?${PLAN}`)}&say=Please+measure`);
    assert.match(html, /<form id="study-start" action="\/" method="get"/);
    for (const [name, value] of [...new URLSearchParams(PLAN), ['label', 'new one']]) {
      assert.ok(html.includes(`<input type="hidden" name="${name}" value="${value}" />`), name);
    }
    assert.match(html, /From whoever sent this link:<\/small> Please measure</);
    // A preview of the link must not seem to be the site's own words.
    assert.match(html, /<meta property="og:description" content="From whoever sent this link: Please measure/);
    assert.match(html, /Measure from here \(\d+ (s|min)\)/);
    assert.ok(decode(html).includes(`${server.origin}/c/new%20one?plan=`));
    assert.match((await get('/c/nobody')).html, /<form id="study-start" action="\/all"/);
    assert.match((await get(`/c/nobody?${PLAN}`)).html, /<form id="study-start" action="\/"/);
  });

  it('says what is wrong with a plan, a label or a sentence', async () => {
    const { status, html } = await get('/c/x?transports=ajax,sockjs&blocks=2&iterations=5&seed=1');
    assert.equal(status, 400);
    const said = /Its plan is invalid: blocks[^<]*/.exec(html)?.[0] ?? '';
    assertComplaint(said, 'Its plan is invalid: blocks', '“2”');
    for (const path of [
      '/c/%20',
      '/c/a%00b',
      `/c/${'x'.repeat(501)}`,
      `/c/x?say=${'x'.repeat(201)}`,
      '/c/x?plan=%2Fajaxtest',
    ]) {
      assert.equal((await get(path)).status, 400, path);
    }
  });

  it('makes links to mail out, of a label, a pasted link and a sentence', async () => {
    const pasted = encodeURIComponent(`https://elsewhere.example/?${PLAN}&autostart=1`);
    const { html } = await get(`/c?label=${encodeURIComponent('a/b ?')}&plan=${pasted}&say=Hi`);
    const [link] = findAll(html, /<pre id="study-link"><a href="([^"]+)"/g);
    const { pathname, searchParams } = new URL(decode(link));
    assert.deepEqual([pathname, ...searchParams.values()], ['/c/a%2Fb%20%3F', `/?${PLAN}`, 'Hi']);
    assert.match((await get(pathname)).html, /<h1>Study: a\/b \?<\/h1>/);

    const wrong = await get('/c?label=x&plan=nonsense');
    assert.equal(wrong.status, 400);
    assertComplaint(/plan: [^<]*/.exec(wrong.html)?.[0] ?? '', 'plan', '“nonsense”');
    assert.match(wrong.html, /<input name="plan" value="nonsense"/);
  });

  it('exports a study as JSON, CSV, Markdown and a picture', async () => {
    const { type, html } = await get('/api/studies/dashboard');
    assert.match(String(type), /^application\/json/);
    const study = v.parse(studySchema, JSON.parse(html));
    assert.deepEqual([study.label, study.runCount, study.rows.length], ['dashboard', 16, 5]);
    for (const [format, beginning, wanted] of [
      ['csv', 'place,', 'text/csv'],
      ['markdown', '### SockShootout: study dashboard', 'text/markdown'],
      ['svg', '<svg', 'image/svg+xml'],
    ]) {
      const answer = await get(`/api/studies/dashboard?format=${format}`);
      assert.deepEqual([answer.status, answer.html.startsWith(beginning)], [200, true], format);
      assert.ok(String(answer.type).startsWith(wanted), format);
    }
    const csv = await fetch(`${server.origin}/api/studies/${encodeURIComponent('Zürich, 5/7')}?format=csv`);
    assert.match(
      String(csv.headers.get('content-disposition')),
      /^attachment;.*filename\*=UTF-8''.*Z%C3%BCrich.*\.csv/,
    );
    // Decoding as text drops the byte-order mark.
    assert.deepEqual([...new Uint8Array(await csv.arrayBuffer()).subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    for (const path of ['/api/studies/x?format=pdf', '/api/studies/x?limit=1', '/api/studies/%20']) {
      const { status, html: error } = await get(path);
      assert.deepEqual([status, JSON.parse(error).error.code], [400, 'bad-query'], path);
    }
  });

  it('shows what visitors typed as text', async () => {
    const evil = '<script>alert(1)</script>';
    await save(createStudyRun({ place: evil, answers: [sending(1.2, { word: evil })] }), evil);
    const path = encodeURIComponent(evil);
    for (const answer of [await get(`/c/${path}?say=${path}`), await get(`/api/studies/${path}?format=svg`)]) {
      assert.deepEqual([answer.status, answer.html.includes('<script>alert')], [200, false]);
      assert.ok(/&(lt|#60);script/.test(answer.html));
    }
  });

  it('follows when a run is shared, described and deleted', async () => {
    const place = { name: 'Bonn' };
    const environment = { ...createShootout().environment, url: 'https://fra.example.org/' };
    const share = () =>
      postSubmission(server.origin, { document: createShootout({ environment }), label: 'moving', place });
    const { answer } = await share();
    const placesOf = async () => JSON.parse((await get('/api/studies/moving')).html).rows;
    assert.deepEqual(
      (await placesOf()).map((/** @type {any} */ { name, cells }) => [name, cells[0].word, cells[0].count]),
      [['Bonn', 'Faster', 1]],
    );
    const [answered] = answer.digest.answers;
    assert.equal((await placesOf())[0].cells[0].value, answered.amount.value);
    const headers = { Authorization: `Bearer ${answer.deleteToken}` };
    const run = `${server.origin}/api/results/${answer.id}`;
    const body = JSON.stringify({ place: { name: 'Köln' } });
    await fetch(run, { method: 'PATCH', headers: { ...headers, 'Content-Type': 'application/json' }, body });
    assert.deepEqual(
      (await placesOf()).map((/** @type {any} */ { name }) => name),
      ['Köln'],
    );
    assert.equal((await fetch(run, { method: 'DELETE', headers })).status, 204);
    assert.deepEqual(await placesOf(), []);
  });

  it('is a page of less than 300 KiB for 2,000 runs from 300 places, of seven questions', async () => {
    const others = ['payload', 'in-flight', 'fixed-rate', 'cuts'];
    const label = 'ü'.repeat(80);
    const rows = Array.from({ length: 2000 }, (_, i) => {
      const more = others.map((experiment) => ({ ...reach(7), experiment }));
      const answers = [sending(1 + (i % 7) / 10), news(500 + (i % 40)), reach(7), ...more];
      const run = createStudyRun({ place: `${i % 300}${'W'.repeat(90)}`, rttMs: 10 + (i % 300), answers });
      return toRow({ ...run, label }, new Uint8Array(32));
    });
    // At once: a study reads nothing else of a run.
    for (let i = 0; i < rows.length; i += 100) {
      await server.database.db
        .insertInto('saved_runs')
        .values(/** @type {any} */ (rows.slice(i, i + 100)))
        .execute();
    }
    const { html } = await get(`/c/${encodeURIComponent(label)}`);
    assert.equal(findAll(html, /<th scope="row">()/g).length, MAX_PLACES);
    assert.ok(html.includes(`${300 - MAX_PLACES} more places`));
    assert.ok(Buffer.byteLength(html) < MAX_PAGE_BYTES, `${Buffer.byteLength(html)} bytes`);
    const { html: json } = await get(`/api/studies/${encodeURIComponent(label)}`);
    assert.equal(JSON.parse(json).runCount, 2000);
  });

  it('answers too many requests of one address with 429, on its page and in the API', async () => {
    const busy = await openServer({ limits: { studiesPerMinute: 1 } });
    try {
      const statuses = [];
      for (const path of ['/c/x', '/c/x', '/api/studies/x', '/c'])
        statuses.push((await fetch(busy.origin + path)).status);
      assert.deepEqual(statuses, [200, 429, 429, 200]);
    } finally {
      await busy.close();
    }
  });
});
