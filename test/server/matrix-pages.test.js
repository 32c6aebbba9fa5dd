import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { comparisonSchema, studySchema } from '../../server/saved-runs/schemas.js';
import { toRow } from '../../server/store/rows.js';
import { MAX_PLACES } from '../../server/saved-runs/matrix.js';
import { assertComplaint } from '../support/complaint.js';
import { WHOLE } from '../support/full-tests.js';
import { openServer } from '../support/server.js';
import { createStudyRun, createStudyRuns, news, reach, sending } from '../support/studies.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/**
 * @import { SharedRun } from '../../core/matrix/places.js'
 * @import { TestServer } from '../support/server.js'
 */

const PLAN = 'transports=ajax,sockjs&blocks=6&iterations=9&warmup=0&payload=0&seed=1';
const MAX_PAGE_BYTES = 300 * 1024;

/** @param {string} html */
const decode = (html) => html.replaceAll('&amp;', '&');
/** @param {string} html */
const unescape = (html) =>
  decode(html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#34;', '"').replaceAll('&#39;', "'"));
/** @param {string} html @param {RegExp} pattern */
const findAll = (html, pattern) => [...html.matchAll(pattern)].map(([, found]) => found);

describe('the limit of studies at once', () => {
  it('holds for pages and the API together', async () => {
    const small = await openServer({ limits: { studyCount: 2 } });
    try {
      const { listRows } = small.store;
      let askedCount = 0;
      const asked = new Promise((resolve) => {
        small.store.listRows = () => {
          if (++askedCount === 2) resolve(undefined);
          return new Promise(() => {});
        };
      });
      const leave = new AbortController();
      const slow = ['/c?label=one', '/api/studies?label=two'].map((path) =>
        fetch(small.origin + path, { signal: leave.signal }).catch((error) => error),
      );
      await asked;
      small.store.listRows = listRows;
      for (const path of ['/c?label=three', '/api/studies?label=four'])
        assert.equal((await fetch(small.origin + path)).status, 503, path);
      leave.abort();
      await Promise.all(slow);
      let status = 503;
      // The server learns of it a moment later.
      while (status === 503) ({ status } = await fetch(`${small.origin}/c?label=three`));
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
    server = await openServer({ limits: { documentsPerMinute: 10_000 } });
    for (const run of createStudyRuns()) await save(run, 'dashboard');
  });
  after(() => server.close());

  /** @param {SharedRun} run @param {string} label */
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
    const { status, html } = await get('/c?label=dashboard');
    assert.equal(status, 200);
    const places = findAll(html, /<th scope="row"><span class="place"><b>([^<]*)</g);
    assert.deepEqual(places, ['localhost', 'Frankfurt', 'London', 'New York', 'Sydney']);
    assert.match(html, /<mark>same machine<\/mark>/);
    assert.match(html, /<h2 id="answer" class="headline">News arrives .* at every remote place\./);
    // London did not measure one of them.
    assert.equal(findAll(html, /<td class="(gap)">/g).length, 1);
    assert.equal(findAll(html, /<button class="(cell) local"/g).length, 3);
    assert.ok(html.includes('class="curves"'));
  });

  it('leads with what one machine predicts, as its runs do, and counts no run with a serious warning', async () => {
    const amount = /** @type {const} */ ({ value: 550, low: 540, high: 560, unit: 'sooner-ms' });
    const elsewhere = /** @type {const} */ ({ rttMs: 100, mark: 'better', word: 'Sooner', amount });
    const answers = [sending(5, { isDoubtful: true }), news(500, { elsewhere })];
    await save(createStudyRun({ rttMs: 0.4, answers }), 'own machine');
    const { html } = await get('/c?label=own+machine');
    const cells = findAll(html, /<td>(.*class="cell .*)<\/td>/g);
    const [predicted, notCounted] = cells.map((cell) => cell.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
    assert.match(notCounted, /1 run, with a serious warning/);
    assert.doesNotMatch(notCounted, /0 runs/);
    assert.match(cells[0], /<b>0\.55 s<\/b>/);
    assert.match(predicted, /Predicted at 100 ms.*Measured: Sooner, 0\.50 s/);
  });

  it('opens the runs behind a cell', async () => {
    const { html } = await get('/c?label=dashboard&say=Hello');
    const cells = findAll(html, /name="cell" value="([^"]+)"/g);
    const found = await Promise.all(cells.map((cell) => get(`/c?label=dashboard&say=Hello&cell=${cell}`)));
    const counts = found.map((page) => findAll(page.html, /<a href="(\/results\/[\w-]{16})"/g).length);
    // Two of the own machine, three of Frankfurt, one of London, six of New York, two of Sydney, without what was not measured.
    assert.deepEqual(counts, [2, 2, 2, 3, 3, 3, 1, 1, 6, 6, 6, 1, 2, 2]);
    assert.ok(decode(found[0].html).includes('href="/c?label=dashboard&say=Hello"'));
    assert.equal((await get('/c?label=dashboard&cell=nothing.jobs')).status, 404);
  });

  it('opens all runs of a place', async () => {
    const html = decode((await get('/c?label=dashboard&say=Hello')).html);
    const found = await Promise.all(findAll(html, /<a href="(\/c\?[^"]*&cell=[\w-]{10})"/g).map(get));
    const counts = found.map((page) => findAll(page.html, /<a href="(\/results\/[\w-]{16})"/g).length);
    assert.deepEqual(counts, [2, 3, 1, 6, 2]);
    assert.match(found[1].html, /<h1>Runs from Frankfurt in the study dashboard<\/h1>/);
  });

  it('asks for the plan of its link, or for the full test, with its duration', async () => {
    const { html } = await get(`/c?label=new%20one&plan=${encodeURIComponent(`/?${PLAN}`)}&say=Please+measure`);
    assert.match(html, /<form id="study-start" action="\/" method="get"/);
    for (const [name, value] of [...new URLSearchParams(PLAN), ['label', 'new one']]) {
      assert.ok(html.includes(`<input type="hidden" name="${name}" value="${value}" />`), name);
    }
    assert.match(html, /From whoever sent this link:<\/small> Please measure</);
    assert.match(html, /id="study-plan">As this link asks: \w/);
    // A preview of the link must not seem to be the site's own words.
    assert.match(html, /<meta property="og:description" content="From whoever sent this link: Please measure/);
    assert.match(html, /Measure from here <span class="together">\(\d+( min)?(–\d+)? (s|min)\)/);
    assert.ok(decode(html).includes(`${server.origin}/c?label=new%20one&plan=`));
    const unmeasured = (await get('/c?label=nobody')).html;
    assert.match(unmeasured, /<form id="study-start" action="\/all"/);
    assert.match(unmeasured, /id="study-plan">Measures the full test: \w/);
    assert.match((await get(`/c?label=nobody&${PLAN}`)).html, /<form id="study-start" action="\/"/);
  });

  it('asks for what its runs measured, if its link has no plan', async () => {
    const actionOf = async () => {
      const { html } = await get('/c?label=kept');
      const fields = findAll(html, /<input type="hidden" name="([^"]+)"/g);
      return { action: /<form id="study-start" action="([^"]+)"/.exec(html)?.[1], fields, html };
    };
    const document = createShootout();
    await postSubmission(server.origin, { document, label: 'kept', place: { name: 'Bonn' } });
    const { action, fields, html } = await actionOf();
    assert.equal(action, '/');
    assert.match(html, /id="study-plan">As most places here did: \w/);
    assert.ok(html.includes(`name="seed" value="${document.plan.seed}"`));
    assert.ok(fields.includes('transports'));
    assert.ok(decode(html).includes(`${server.origin}/c?label=kept&plan=`));
    await postSubmission(server.origin, { document: WHOLE, label: 'kept', place: { name: 'Köln' } });
    const whole = await actionOf();
    // Each place makes the plans of the parts.
    assert.deepEqual(
      ['page', 'tests', 'shootout'].map((name) => whole.fields.includes(name)),
      [true, true, false],
    );
  });

  it('says in one line where a question was not measured, with a link for it', async () => {
    await save(createStudyRun({ place: 'Bonn', answers: [sending(1.2), reach(7)] }), 'gaps');
    await save(createStudyRun({ place: 'Köln', answers: [sending(1.2)] }), 'gaps');
    const gaps = decode((await get('/c?label=gaps')).html);
    assert.match(gaps, /<b>Reachability:<\/b> not measured from Köln\. /);
    const links = findAll(gaps, /<a href="(\/c\?[^"]+)">Create a link that measures it/g);
    assert.equal(links.length, 1);
    const { html } = await get(links[0]);
    assert.match(decode(html), /<pre id="study-link"><a href="[^"]+label=gaps&plan=[^"]+reach/);
  });

  it('says what is wrong with a plan, a label or a sentence', async () => {
    const { status, html } = await get('/c?label=x&transports=ajax,sockjs&blocks=2&iterations=5&seed=1');
    assert.equal(status, 400);
    const said = /Its plan is invalid: blocks[^<]*/.exec(html)?.[0] ?? '';
    assertComplaint(said, 'Its plan is invalid: blocks', '“2”');
    const form = (await get('/c?label=x&plan=nonsense&make=link')).html;
    // At its field, which has the focus.
    assert.deepEqual(findAll(form, /<input name="(\w+)"[^>]*autofocus/g), ['plan']);
    assert.match(form, /<p id="plan-problem" role="alert">plan: expected /);
    for (const path of [
      '/c?label=%20',
      '/c?label=a%00b',
      `/c?label=${'x'.repeat(501)}`,
      `/c?label=x&say=${'x'.repeat(201)}`,
      '/c?label=x&plan=%2Fajaxtest',
      '/c/%20',
    ]) {
      assert.equal((await get(path)).status, 400, path);
    }
  });

  it('makes links to mail out, of a label, a pasted link and a sentence', async () => {
    const pasted = encodeURIComponent(`https://elsewhere.example/?${PLAN}&autostart=1`);
    const { html } = await get(`/c?make=link&label=${encodeURIComponent('a/b ?')}&plan=${pasted}&say=Hi`);
    const [link] = findAll(html, /<pre id="study-link"><a href="([^"]+)"/g);
    const { pathname, searchParams } = new URL(decode(link));
    assert.deepEqual([pathname, ...searchParams.values()], ['/c', 'a/b ?', `/?${PLAN}`, 'Hi']);
    assert.match((await get(decode(link).slice(server.origin.length))).html, /<h1>Study: a\/b \?<\/h1>/);

    const wrong = await get('/c?make=link&label=x&plan=nonsense');
    assert.equal(wrong.status, 400);
    assertComplaint(/plan: [^<]*/.exec(wrong.html)?.[0] ?? '', 'plan', '“nonsense”');
    assert.match(wrong.html, /<input name="plan" value="nonsense"/);
  });

  it('exports a study as JSON, CSV, Markdown and a picture', async () => {
    const { type, html } = await get('/api/studies?label=dashboard');
    assert.match(String(type), /^application\/json/);
    const study = v.parse(studySchema, JSON.parse(html));
    assert.deepEqual([study.label, study.runCount, study.rows.length], ['dashboard', 16, 5]);
    for (const [format, beginning, wanted] of [
      ['csv', 'place,', 'text/csv'],
      ['markdown', '### SockShootout: study dashboard', 'text/markdown'],
      ['svg', '<svg', 'image/svg+xml'],
      ['png', '\ufffdPNG', 'image/png'],
    ]) {
      const answer = await get(`/api/studies?label=dashboard&format=${format}`);
      assert.deepEqual([answer.status, answer.html.startsWith(beginning)], [200, true], format);
      assert.ok(String(answer.type).startsWith(wanted), format);
    }
    const csv = await fetch(`${server.origin}/api/studies?label=${encodeURIComponent('Zürich, 5/7')}&format=csv`);
    assert.match(
      String(csv.headers.get('content-disposition')),
      /^attachment;.*filename\*=UTF-8''.*Z%C3%BCrich.*\.csv/,
    );
    // Decoding as text drops the byte-order mark.
    assert.deepEqual([...new Uint8Array(await csv.arrayBuffer()).subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    for (const path of [
      '/api/studies?label=x&format=pdf',
      '/api/studies?label=x&limit=1',
      '/api/studies?label=%20',
      '/api/studies?label=a&label=b',
      '/api/studies',
      '/api/studies/x?limit=1',
    ]) {
      const { status, html: error } = await get(path);
      assert.deepEqual([status, JSON.parse(error).error.code], [400, 'bad-query'], path);
    }
  });

  it('is one page and one export for the runs of a comparison, too', async () => {
    const runs = [
      createStudyRun({ place: 'Bonn', answers: [sending(1.2)] }),
      createStudyRun({ place: 'Oslo', answers: [sending(1)] }),
    ];
    for (const run of runs) await save(run, 'two');
    const ids = runs.map(({ id }) => id).join(',');
    const { html } = await get(`/compare?ids=${ids}`);
    assert.match(
      html,
      /<h2 id="answer" class="headline">Sending is faster in run 1 .*\. The same within 10% in run 2 /,
    );
    assert.equal(findAll(html, /<table id="(matrix)"/g).length, 1);
    assert.equal(findAll(html, /<span class="cell (better|same)"/g).length, 2);
    const exports = findAll(html, /href="(\/api\/compare[^"]*)"/g).map(decode);
    assert.equal(exports.length, 5);
    const [json, csv, markdown, svg, png] = await Promise.all(exports.map(async (path) => (await get(path)).html));
    const { rows } = v.parse(comparisonSchema, JSON.parse(json));
    assert.deepEqual(
      rows.map(({ number, cells }) => [number, cells[0].word]),
      [
        [1, 'Faster'],
        [2, 'Same within 10%'],
      ],
    );
    assert.deepEqual([csv.split('\r\n').length, csv.startsWith('run,')], [4, true]);
    assert.ok(markdown.includes('| Run |') && markdown.includes('| 1. fra-1 from Bonn |'), markdown);
    assert.deepEqual([svg.startsWith('<svg'), png.startsWith('\ufffdPNG')], [true, true]);
    assert.match(html, new RegExp(`og:image" content="[^"]*/api/compare\\?ids=${ids}&amp;format=png"`));
    for (const [path, status] of /** @type {const} */ ([
      ['/api/compare', 400],
      [`/api/compare?ids=${ids}&format=pdf`, 400],
      [`/api/compare?ids=${ids}&label=two`, 400],
      ['/api/compare?ids=nothing', 404],
    ])) {
      assert.equal((await get(path)).status, status, path);
    }
  });

  it('shows what visitors typed as text', async () => {
    const evil = '<script>alert(1)</script>';
    await save(createStudyRun({ place: evil, answers: [sending(1.2, { word: evil })] }), evil);
    const path = encodeURIComponent(evil);
    for (const answer of [
      await get(`/c?label=${path}&say=${path}`),
      await get(`/api/studies?label=${path}&format=svg`),
    ]) {
      assert.deepEqual([answer.status, answer.html.includes('<script>alert')], [200, false]);
      assert.ok(/&(lt|#60);script/.test(answer.html));
    }
  });

  for (const label of [
    'a/b',
    '/',
    '//a//',
    '.',
    '..',
    '../x',
    'a%2Fb',
    '%',
    '100 %',
    '?',
    'a?b=c&d',
    '#1',
    'a+b',
    "it's",
    '"<b>"',
    'İzmir',
    '🚀 Straße',
    '\\',
  ]) {
    it(`is reached by every link to it, whatever is in its label: ${label}`, async () => {
      const { answer } = await postSubmission(server.origin, { document: createShootout(), label });
      assert.equal(answer.label, label);
      const [found] = findAll((await get(answer.url)).html, /href="(\/c\?[^"]*)"/g).map(unescape);
      // A proxy may decode a path, merge its slashes and resolve its dots, but leaves the query alone.
      assert.equal(found, `/c?label=${encodeURIComponent(label)}`);
      const { html } = await get(found);
      assert.equal(unescape(findAll(html, /<h1>Study: (.*)<\/h1>/g)[0]), label);
      const links = findAll(html, /href="([^"]*(?:\/c|\/api\/studies|\/results)\?[^"]*)"/g).map(unescape);
      // Of its preview, its own, of five exports, of the list of its runs, and of those of its place.
      assert.equal(links.length, 9);
      for (const link of links) {
        const { pathname, searchParams } = new URL(link, server.origin);
        assert.match(pathname, /^\/(c|results|api\/studies)$/);
        assert.equal(searchParams.get('label'), label, link);
      }
      assert.equal(JSON.parse((await get(String(links.find((link) => link.endsWith('json'))))).html).runCount, 1);
    });
  }

  it('is reached by the links of earlier releases, also where a proxy has decoded their slash', async () => {
    for (const [path, label, rest] of [
      ['/c/dashboard', 'dashboard', ''],
      ['/c/dashboard/', 'dashboard', ''],
      ['/c/new%20one?say=a%26b', 'new one', '&say=a%26b'],
      ['/c/a%2Fb', 'a/b', ''],
      ['/c/a/b?label=c', 'a/b', '&label=c'],
      ['/c/%C4%B0zmir?', 'İzmir', ''],
    ]) {
      const { status, headers } = await fetch(server.origin + path, { redirect: 'manual' });
      assert.deepEqual([status, headers.get('location')], [301, `/c?label=${encodeURIComponent(label)}${rest}`], path);
      assert.match((await get(path)).html, new RegExp(`<h1>Study: ${label}<`));
    }
    assert.equal(JSON.parse((await get('/api/studies/a%2Fb')).html).label, 'a/b');
  });

  it('is one study, with one row for a place, in any case and composition', async () => {
    const spellings = ['Straße 1', 'STRASSE 1', 'stra\u1e9ee  1'];
    for (const [i, label] of spellings.entries())
      await save(createStudyRun({ place: ['Zürich', 'ZU\u0308RICH', 'zürich'][i], answers: [sending(1.2)] }), label);
    for (const label of [...spellings, 'strasse 1']) {
      const { rows, runCount } = JSON.parse((await get(`/api/studies?label=${encodeURIComponent(label)}`)).html);
      assert.deepEqual([runCount, rows.length], [3, 1], label);
    }
    const { results } = JSON.parse((await get('/api/results?place=Z%C3%9CRICH')).html);
    assert.equal(results.length, 3);
  });

  it('follows when a run is shared, described and deleted', async () => {
    const place = { name: 'Bonn' };
    const environment = { ...createShootout().environment, url: 'https://fra.example.org/' };
    const share = () =>
      postSubmission(server.origin, { document: createShootout({ environment }), label: 'moving', place });
    const { answer } = await share();
    const placesOf = async () => JSON.parse((await get('/api/studies?label=moving')).html).rows;
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
    const { html } = await get(`/c?label=${encodeURIComponent(label)}`);
    assert.equal(findAll(html, /<th scope="row">()/g).length, MAX_PLACES);
    assert.ok(html.includes(`${300 - MAX_PLACES} more places`));
    assert.ok(Buffer.byteLength(html) < MAX_PAGE_BYTES, `${Buffer.byteLength(html)} bytes`);
    const { html: json } = await get(`/api/studies?label=${encodeURIComponent(label)}`);
    assert.equal(JSON.parse(json).runCount, 2000);
  });

  it('answers too many requests of one address with 429, on its page and in the API', async () => {
    const busy = await openServer({ limits: { readMsPerMinute: 0.001 } });
    try {
      const statuses = [];
      for (const path of ['/c?label=x', '/c?label=x', '/api/studies?label=x', '/c'])
        statuses.push((await fetch(busy.origin + path)).status);
      assert.deepEqual(statuses, [200, 429, 429, 429]);
    } finally {
      await busy.close();
    }
  });
});
