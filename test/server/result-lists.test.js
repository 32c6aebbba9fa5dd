import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { digestOf } from '../../core/experiment/documents/document-digest.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { createArchive } from '../../server/saved-runs/archive.js';
import { checkSubmission } from '../../server/saved-runs/submission.js';
import { assertComplaint } from '../support/complaint.js';
import { createClassicDocument, createPlaceRun } from '../support/places.js';
import { readSavedDocument } from '../support/saved-documents.js';
import { openServer } from '../support/server.js';

/**
 * @import { Result } from '../../core/experiments/shootout/index.js'
 * @import { TestServer } from '../support/server.js'
 */

const SCRIPT = '<script>alert(1)</script>"\'&';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;';
const PAGE_LENGTH = 50;

/** @param {string} html @param {RegExp} pattern */
const findAll = (html, pattern) => [...html.matchAll(pattern)].map(([, found]) => found);
/** @param {string} html */
const idsIn = (html) => findAll(html, /<input type="checkbox" name="ids" value="([\w-]{16})"/g);
/** @param {string} html */
const decode = (html) => html.replaceAll('&amp;', '&');
/** What a page says is wrong with a field. @param {string} html @param {string} field */
const complaintIn = (html, field) => new RegExp(`${field}: [^<]*`).exec(html)?.[0] ?? '';
/** @param {Result} document */
const headlineOf = (document) => digestOf(shootout, document).headline;

describe('the pages of several saved runs', () => {
  /** @type {TestServer} */
  let server;
  /** @type {ReturnType<typeof createArchive>} */
  let archive;
  let minute = 0;
  before(async () => {
    server = await openServer({ limits: { documentsPerMinute: 10_000 } });
    // Each was saved a minute after the one before.
    const clock = () => new Date(Date.UTC(2026, 10, 21, 7, minute++));
    archive = createArchive({ store: server.store, clock });
  });
  after(() => server.close());

  /** @param {Buffer} body */
  const check = (body) => checkSubmission(body, { nowMs: Date.UTC(2026, 10, 22) });
  /** @param {object} submission */
  const save = async (submission) => {
    const { run } = await archive.save(await check(Buffer.from(JSON.stringify(submission))));
    return run.id;
  };
  /** @param {string} path */
  const get = async (path) => {
    const response = await fetch(server.origin + path, { redirect: 'manual' });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };

  describe('/results', () => {
    it('says in words that there is nothing yet', async () => {
      const { status, html } = await get('/results');
      assert.equal(status, 200);
      assert.match(html, /id="empty"/);
      assert.deepEqual(idsIn(html), []);
    });

    it('is shown whatever one of its runs holds', async () => {
      const label = 'broken';
      const checked = await check(Buffer.from(JSON.stringify({ document: createPlaceRun({ distanceMs: 1 }), label })));
      const shootout = /** @type {any} */ (checked.digest.shootout);
      // As JSON keeps what is no number.
      const broken = /** @type {any} */ ({ estimate: null, low: null, high: null });
      Object.assign(shootout.comparison, { savingMs: broken, speedRatio: broken });
      checked.digest.floorMs = /** @type {any} */ (null);
      const { run } = await archive.save(checked);
      for (const path of [`/results?label=${label}`, `/c?label=${label}`, `/compare?ids=${run.id}`]) {
        assert.equal((await get(path)).status, 200, path);
      }
      await server.store.delete(run.id);
    });

    it('shows from how many runs WebSockets work, by place, but of no place with fewer than five', async () => {
      const { document } = readSavedDocument('reach-whole');
      const ids = [];
      for (const [second, [name, works]] of [
        ...Array(5).fill(['Oslo', true]),
        ...Array(4).fill(['Bonn', false]),
      ].entries()) {
        const own = structuredClone({ ...document, startedAt: `2026-11-21T07:00:0${second}.000Z` });
        const text = own.trials.find((/** @type {any} */ { check: what }) => what === 'text');
        if (!works) text.failure = { outcome: 'timeout', message: 'No answer.' };
        ids.push(await save({ document: own, place: { name } }));
      }
      const { html } = await get('/results?experiment=reach');
      const [, table] = /<table id="shares"[^]*?<tbody>([^]*?)<\/tbody>/.exec(html) ?? [];
      const rows = findAll(table, /<tr>(.*?)<\/tr>/gs).map((row) => findAll(row, />([^<]+)<\/t[hd]>/g));
      assert.deepEqual(rows, [
        ['All runs', '56% (95% CI 27–81%)', '9'],
        ['Oslo', '100% (95% CI 57–100%)', '5'],
      ]);
      for (const path of ['/results', '/results?experiment=payload']) {
        assert.doesNotMatch((await get(path)).html, /id="shares"/);
      }
      for (const id of ids) await server.store.delete(id);
    });

    it('goes through 120 runs in pages of 50, newest first, each once', async () => {
      const checked = await check(
        Buffer.from(JSON.stringify({ document: createPlaceRun({ distanceMs: 1 }), label: 'many' })),
      );
      /** @type {string[]} */
      const saved = [];
      for (let index = 0; index < 120; index++) saved.unshift((await archive.save(checked)).run.id);
      /** @type {string[][]} */
      const pages = [];
      for (let path = '/results?label=many'; path;) {
        const { html } = await get(path);
        pages.push(idsIn(html));
        assert.equal(html.includes('>First page<'), pages.length > 1);
        const [next] = findAll(html, /<a href="([^"]+)" rel="next">/g);
        if (next) assert.match(next, /^\/results\?label=many&amp;cursor=/);
        path = next && decode(next);
      }
      assert.deepEqual(
        pages.map(({ length }) => length),
        [PAGE_LENGTH, PAGE_LENGTH, 20],
      );
      assert.deepEqual(pages.flat(), saved);
      const first = findAll(
        (await get('/results?label=many&cursor=' + cursorAfter(saved[119]))).html,
        /id="empty"[^]*?<a href="([^"]+)"/g,
      );
      assert.deepEqual(first, ['/results?label=many']);
    });

    /** @param {string} id of the oldest of the 120 */
    const cursorAfter = (id) => `2026-11-21T07:00:00.000Z~${id}`;

    it('finds by experiment, transport, browser, place, label, server and validity, and by several of them', async () => {
      const ending = { kind: /** @type {const} */ ('cancelled'), reason: 'You cancelled.' };
      const invalid = createPlaceRun({ distanceMs: 9, server: 'b', ending });
      const ids = {
        sf: await save({ document: createPlaceRun({ distanceMs: 9, server: 'a' }), place: { name: 'SF' }, label: 'x' }),
        invalid: await save({ document: invalid, label: 'x' }),
        classic: await save({
          document: createClassicDocument({ transport: 'ajax', runs: [[10, 100]], server: 'b' }),
          place: { name: 'SF' },
        }),
        other: await save({
          document: createPlaceRun({ distanceMs: 9, addsMs: { fetch: 2, websocket: 1 }, server: 'a' }),
        }),
      };
      for (const [query, expected] of /** @type {const} */ ([
        ['experiment=classic', ['classic']],
        ['transport=websocket', ['other']],
        ['place=SF', ['classic', 'sf']],
        ['label=x', ['invalid', 'sf']],
        ['browser=Chrome&label=x', ['invalid', 'sf']],
        ['browser=Firefox', []],
        ['server=b', ['classic', 'invalid']],
        ['valid=false', ['invalid']],
        ['server=a&valid=true&place=SF&label=&transport=', ['sf']],
      ])) {
        assert.deepEqual(
          idsIn((await get(`/results?${query}`)).html),
          expected.map((name) => ids[name]),
          query,
        );
      }
      const { html } = await get('/results?label=x');
      // Its headline says that it was stopped.
      assert.ok(html.includes(`>${headlineOf(invalid)}</small>`));
      assert.doesNotMatch(html, /class="mark invalid"/);
      assert.match(html, /<input name="label" value="x"/);
      const { html: none } = await get('/results?place=nowhere');
      assert.match(none, /id="empty"/);
      assert.deepEqual(idsIn(none), []);
    });

    it('goes on with a search that read many runs and found none', async () => {
      const { search } = server.store;
      const searchedTo = { savedAt: '2026-11-21T07:00:00.000Z', id: 'a'.repeat(16) };
      try {
        server.store.search = async () => ({ runs: [], searchedTo });
        const cursor = `${searchedTo.savedAt}~${searchedTo.id}`;
        const query = 'browser=Edge&server=z&valid=false';
        const { html } = await get(`/results?${query}`);
        const [next] = findAll(html, /<p id="empty">[^]*?<a href="([^"]+)" rel="next">/g);
        assert.equal(new URL(decode(next), server.origin).searchParams.get('cursor'), cursor);
        const answer = await fetch(`${server.origin}/api/results?${query}`);
        assert.deepEqual(await answer.json(), { results: [], next: cursor });
      } finally {
        server.store.search = search;
      }
    });

    it('names the field of a wrong query, what was expected and got, and keeps the form filled', async () => {
      const { status, html } = await get('/results?transport=pigeon&label=mine&valid=true');
      assert.equal(status, 400);
      const complaint = complaintIn(html, 'transport');
      assertComplaint(complaint, 'transport', 'pigeon');
      assert.match(complaint, /\bajax\b/);
      assert.match(html, /<input name="label" value="mine"/);
      assert.match(html, /<option value="true" selected>/);
      for (const query of ['cursor=x', 'label=a&label=b', 'order=asc', 'place=%00']) {
        const { status: refused, html: page } = await get(`/results?${query}`);
        assert.equal(refused, 400, query);
        assert.ok(page.includes(`${query.split('=')[0]}: expected `), query);
      }
    });

    it('shows what visitors typed as text, in cells, fields and addresses', async () => {
      const document = createPlaceRun({ distanceMs: 1, server: SCRIPT });
      await save({ document, label: SCRIPT, place: { name: SCRIPT } });
      const query = `label=${encodeURIComponent(SCRIPT)}`;
      for (const path of [
        `/results?${query}`,
        `/results?${query}&transport=x`,
        `/c?label=${encodeURIComponent(SCRIPT)}`,
        `/c?${query}`,
      ]) {
        const { html } = await get(path);
        assert.ok(html.includes(ESCAPED), path);
        assert.ok(!html.includes('<script>alert'), path);
      }
    });

    it('goes on with the runs that it was asked to set others beside', async () => {
      const id = await save({ document: createPlaceRun({ distanceMs: 1 }), label: 'beside' });
      const { html } = await get(`/results?beside=${id}&label=beside`);
      assert.match(html, new RegExp(`<input type="hidden" name="ids" value="${id}"`));
      assert.match(html, new RegExp(`<input type="hidden" name="beside" value="${id}"`));
      assert.ok(!(await get('/results?beside=%22%3E')).html.includes('name="beside"'));
    });
  });

  describe('a link with characters that change the direction of text, or cannot be seen', () => {
    for (const character of ['\u0000', '\u0007', '\n', '\u007f', '\u202a', '\u202e', '\u2066', '\u2069']) {
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      const encoded = encodeURIComponent(`a${character}b`);
      const atEnd = encodeURIComponent(`a${character}`);
      it(`is refused, and they are not repeated: U+${code}`, async () => {
        for (const [path, what] of [
          [`/c?label=${encoded}`, 'Its label is invalid'],
          [`/c?label=${atEnd}`, 'Its label is invalid'],
          [`/c?make=link&label=${encoded}`, 'label'],
          [`/?label=${encoded}`, 'Its label is invalid'],
          [`/reach?label=${atEnd}`, 'Its label is invalid'],
          [`/compare?ids=${encoded}`, 'Its list of runs is invalid'],
          [`/compare?ids=${'a'.repeat(16)},${encoded}`, 'Its list of runs is invalid'],
          [`/results?label=${encoded}`, 'label'],
          [`/results?place=${encoded}`, 'place'],
        ]) {
          const { status, html } = await get(path);
          assert.equal(status, 400, path);
          assert.match(complaintIn(html, what), /: expected .*without direction-changing or control characters/, path);
          // Lines have ends of their own.
          assert.ok(!html.includes(character === '\n' ? 'a\nb' : character), path);
        }
        // What was got is repeated where it is short, but no such character.
        for (const path of [
          `/results?transport=${encoded}`,
          `/c?label=x&transports=${encoded}`,
          `/c?label=x&plan=${encoded}`,
        ]) {
          const { status, html } = await get(path);
          assert.deepEqual([status, html.includes(character === '\n' ? 'a\nb' : character)], [400, false], path);
        }
        const answer = await fetch(`${server.origin}/api/results?label=${encoded}`);
        assert.deepEqual([answer.status, (await answer.json()).error.path], [400, 'label']);
      });
    }

    it('is taken with what languages need', async () => {
      const label = encodeURIComponent('می\u200cخواهم 👩\u200d💻');
      for (const path of [`/c?label=${label}`, `/?label=${label}`, `/results?label=${label}`]) {
        assert.equal((await get(path)).status, 200, path);
      }
    });
  });

  describe('/compare', () => {
    it('turns what a form sends into one address, each id once', async () => {
      for (const query of ['ids=b&ids=a', 'ids=b,a,b', 'ids=b&ids=a,', 'ids=b, a']) {
        const { status, headers } = await get(`/compare?${query}`);
        assert.deepEqual([status, headers.get('location')], [303, '/compare?ids=b,a'], query);
      }
    });

    it('names the ids that it does not know, and links to the others', async () => {
      const id = await save({ document: createPlaceRun({ distanceMs: 1 }) });
      const { status, html } = await get(`/compare?ids=${id},${'a'.repeat(16)},%3Cb%3E`);
      assert.equal(status, 404);
      assert.match(html, /: a{16}, &lt;b&gt;\./);
      assert.ok(html.includes(`href="/compare?ids=${id}"`));
    });

    it('says how many it takes', async () => {
      const eleven = Array.from({ length: 11 }, (_, i) => i).join(',');
      for (const [query, got] of [
        ['', 'none'],
        [`?ids=${eleven}`, '11'],
        ['?ids=,', 'none'],
      ]) {
        const { status, html } = await get(`/compare${query}`);
        assert.equal(status, 400, query);
        assertComplaint(complaintIn(html, 'Its list of runs is invalid'), 'Its list of runs is invalid', got);
        assert.match(complaintIn(html, 'Its list of runs is invalid'), /\b1 to 10\b/);
      }
    });

    it('has a title, a preview, and the runs in words, without any script', async () => {
      const near = createPlaceRun({ distanceMs: 0.5, origin: 'http://localhost:8000' });
      const distant = createPlaceRun({ distanceMs: 200 });
      const local = await save({ document: near });
      const far = await save({ document: distant, place: { name: SCRIPT }, note: SCRIPT });
      const { html } = await get(`/compare?ids=${local},${far}`);
      const title = `localhost compared with ${ESCAPED}`;
      assert.ok(html.includes(`<h1>${title}</h1>`) && html.includes(`<meta property="og:title" content="${title}" />`));
      assert.notEqual(headlineOf(near), headlineOf(distant));
      const [description] = findAll(html, /og:description" content="([^"]*)"/g);
      assert.ok(description.startsWith(`localhost: ${headlineOf(near)} Frankfurt from `), description);
      assert.ok(description.includes(`: ${headlineOf(distant)}`), description);
      assert.ok(html.includes(`<meta property="og:url" content="${server.origin}/compare?ids=${local},${far}" />`));
      assert.ok(html.includes(`href="/compare?ids=${far},${local}"`), 'another first');
      assert.ok(
        html.includes(`href="/compare?ids=${local}"`) && html.includes(`href="/compare?ids=${far}"`),
        'one fewer',
      );
      assert.ok(!html.includes('<script>alert'));
      assert.match(html, /<noscript>/);
    });

    it('does not compare different experiments, says so, and shows what can be', async () => {
      const shootout = await save({ document: createPlaceRun({ distanceMs: 0.5 }), label: 'mine' });
      const classic = await save({ document: createClassicDocument({ transport: 'ajax', runs: [[10, 100]] }) });
      const { html } = await get(`/compare?ids=${shootout},${classic}`);
      assert.match(html, /cannot be compared/);
      assert.ok(html.includes(`href="/compare?ids=${classic}">Classic test of 2012, 1 run</a>`));
      assert.ok(html.includes(`data-runs="1:${shootout}"`));
      assert.match(html, /<h1>Frankfurt: mine, Chrome 147<\/h1>/);
    });
  });

  it('answer too many requests of one address with words', async () => {
    const busy = await openServer({ limits: { readMsPerMinute: 0.001 } });
    try {
      const statuses = [];
      for (const path of ['/results', '/results']) statuses.push((await fetch(busy.origin + path)).status);
      assert.deepEqual(statuses, [200, 429]);
    } finally {
      await busy.close();
    }
  });
});
