import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { digestOf, quoteEnding } from '../../core/experiment/documents/document-digest.js';
import { shootout } from '../../core/experiments/shootout/index.js';
import { classic } from '../../core/experiments/classic/index.js';
import { fullTest, WHOLE } from '../support/full-tests.js';
import { readSavedDocument } from '../support/saved-documents.js';
import { openServer } from '../support/server.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/**
 * @import { TestServer } from '../support/server.js'
 */

const EVIL = '<script>alert("x")</script>\'&';
const ESCAPED = '&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;&#39;&amp;';

/**
 * A classic page's run that was finished.
 *
 * @param {object} [others]
 */
const createClassicRun = (others) => ({
  startedAt: '2026-11-21T07:00:00.000Z',
  wasHidden: false,
  clickedAtMs: 0,
  trial: {
    transport: 'ajax',
    startedAtMs: 1,
    iterations: 1,
    warmUpCount: 0,
    payloadBytes: 0,
    samples: { iteration: [0], sentAtMs: [0], roundTripMs: [4] },
    failures: [],
  },
  ...others,
});

/** @param {object} run */
const createClassic = (run) => ({
  schema: classic.schema,
  transport: 'ajax',
  environment: { url: 'http://x/ajaxtest', userAgent: 'Test/1', isCrossOriginIsolated: true },
  runs: [run],
});

describe('/results/:id', () => {
  /** @type {TestServer} */
  let server;
  before(async () => (server = await openServer({ env: { TRUST_PROXY: '1' } })));
  after(() => server.close());

  /** @param {unknown} submission @returns {Promise<string>} the path of its page */
  const save = async (submission) => {
    const { status, answer } = await postSubmission(server.origin, submission);
    assert.equal(status, 201, JSON.stringify(answer));
    return answer.url;
  };
  /** @param {string} path @param {Record<string, string>} [headers] */
  const get = (path, headers) => fetch(server.origin + path, { headers });
  /** @param {unknown} submission */
  const pageOf = async (submission) => (await get(await save(submission))).text();

  it('says in its head, absolute and in words, what other sites show beside a link to it', async () => {
    const document = createShootout();
    const digest = digestOf(shootout, document);
    const path = await save({ document, label: 'San Francisco, cable' });
    const html = await (await get(path, { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'example.org' })).text();
    for (const tag of [
      `<link rel="canonical" href="https://example.org${path}" />`,
      `<meta property="og:url" content="https://example.org${path}" />`,
      `<meta property="og:title" content="San Francisco, cable: ${digest.headline.replace(/\.$/, '')} (`,
      '<meta name="twitter:card" content="summary_large_image" />',
    ]) {
      assert.ok(html.includes(tag), tag);
    }
    const [, description] = /<meta property="og:description" content="([^<>"]+)" \/>/.exec(html) ?? assert.fail(html);
    assert.equal(description, digest.detail);
    assert.match(description, /\bratio 1\.\d+–1\.\d+ \(95% prediction interval\)/);
    assert.match(html, /<title>San Francisco, cable: .* \(.*\) – SockShootout<\/title>/);
  });

  it('shows whatever visitor and server called themselves as text, in its head and below', async () => {
    const document = createShootout({
      environment: { url: 'http://localhost:8000/', userAgent: EVIL, isCrossOriginIsolated: true },
      statusBefore: { server: EVIL, location: EVIL, version: '1', worker: 0, workers: [], silentWorkerCount: 0 },
    });
    const html = await pageOf({ document, label: EVIL, note: EVIL, place: { name: EVIL } });
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|alert\("x"\)/);
    for (const part of [
      `<p id="visitor-note">${ESCAPED}</p>`,
      `<dd>${ESCAPED}</dd>`,
      `<dd>${ESCAPED}, ${ESCAPED}, version 1, http://localhost:8000</dd>`,
      `og:title" content="${ESCAPED}: `,
      `href="/c?label=${encodeURIComponent(EVIL).replace("'", '&#39;')}"`,
    ]) {
      assert.ok(html.includes(part), part);
    }
  });

  it('has a title of its own where runs of several tests have the same headline', async () => {
    const names = ['jobs', 'payload', 'fixed-rate', 'in-flight'];
    const pages = await Promise.all(
      names.map((name) => pageOf({ document: readSavedDocument(`${name}-whole`).document })),
    );
    for (const pattern of [/<title>(.*?)<\/title>/, /<h1>(.*?)<\/h1>/]) {
      assert.equal(new Set(pages.map((html) => pattern.exec(html)?.[1])).size, names.length);
    }
  });

  it('has the sentence, the verdicts and the figures without its script', async () => {
    const page = await (await get(await save({ document: WHOLE }))).text();
    const { headline } = digestOf(fullTest, WHOLE);
    const words = page.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
    assert.ok(words.includes(headline), words);
    const answers = [...page.matchAll(/<li>(<strong>.*class="pill".*)<\/li>/g)].map(([, one]) =>
      one.replace(/<[^>]+>/g, ''),
    );
    assert.equal(answers.length, 2);
    assert.match(answers[0], /^Sending a message Same within 10% 1\.02\d?x as fast 95% CI 1\.02/);
    assert.match(answers[1], /^Being notified Sooner 0\.55 s 95% CI of this run 0\.\d+–0\.\d+$/);
  });

  it('has its place, label and finding as heading', async () => {
    const html = await pageOf({ document: WHOLE, place: { name: 'Zürich' }, label: 'office' });
    const [, heading] = /<h1>(.*)<\/h1>/.exec(html) ?? [];
    assert.equal(heading.replaceAll(/<[^>]+>/g, ''), 'Zürich, office: news 0.55 s sooner');
    assert.match(heading, />0\.55 s</);
    const ending = /** @type {const} */ ({ kind: 'invalid', reason: 'The connection was lost.' });
    const early = await pageOf({ document: createShootout({ trials: [], ending }), place: { name: 'Zürich' } });
    assert.match(early, /<h1>Sending a message: Zürich<\/h1>/);
  });

  it('keeps a note’s lines, and has no place where none was told', async () => {
    const html = await pageOf({ document: createShootout(), note: 'one\n  two' });
    assert.ok(html.includes('>one\n  two</p>'));
    assert.ok(!html.includes('<dt>Place</dt>'));
  });

  it('says once that a run was stopped', async () => {
    const ending = /** @type {const} */ ({ kind: 'cancelled', reason: 'The run was stopped.' });
    const html = await pageOf({ document: createShootout({ trials: [], ending }) });
    assert.match(html, /Stopped: no verdict/);
    assert.doesNotMatch(html, /Invalid:/);
  });

  const ending = /** @type {const} */ ({ kind: 'invalid', reason: 'The tab was hidden.' });
  for (const [what, document, reason] of /** @type {const} */ ([
    ['a shootout that was invalid', createShootout({ trials: [], ending }), quoteEnding(ending)],
    ['a classic run in a hidden tab', createClassic(createClassicRun({ wasHidden: true })), 'the tab was hidden'],
    [
      'a classic run that failed',
      createClassic(
        createClassicRun({
          trial: {
            ...createClassicRun().trial,
            samples: { iteration: [], sentAtMs: [], roundTripMs: [] },
            failures: [{ outcome: 'closed', message: 'gone', iteration: 0 }],
          },
        }),
      ),
      'not all messages',
    ],
  ])) {
    it(`says that ${what} is not valid, and why`, async () => {
      assert.match(await pageOf({ document }), new RegExp(`⚠ Invalid:</strong> ${reason}`));
    });
  }

  it('has the script that draws it', async () => {
    const html = await pageOf({ document: createShootout() });
    const loaded = [...html.matchAll(/(?:modulepreload" href|module" src)="([^"]+)"/g)].map(([, url]) => url);
    assert.deepEqual(
      loaded.map((url) => url.replace(/^\/assets\/\w+\//, '')),
      ['js/result-shootout.js'],
    );
    for (const url of loaded) assert.equal((await get(url)).status, 200, url);
  });

  it('has the security headers, and is asked for again only where it changed', async () => {
    const path = await save({ document: createShootout() });
    const { headers } = await get(path);
    assert.match(String(headers.get('content-security-policy')), /default-src 'self'/);
    assert.equal(headers.get('cache-control'), 'no-cache');
    // Without these fetch would not show what the server says.
    const again = await get(path, { 'If-None-Match': String(headers.get('etag')), 'Cache-Control': 'max-age=0' });
    assert.equal(again.status, 304);
  });

  for (const path of ['/results/AAAAAAAAAAAAAAAA', '/results/x', '/results/%00', '/results/..%2f..%2fpackage.json']) {
    it(`says of ${path} that there is none, or no more`, async () => {
      const response = await get(path);
      assert.equal(response.status, 404);
      assert.match(await response.text(), /may have been deleted/);
    });
  }

  it('is no more when the run was deleted', async () => {
    const { answer } = await postSubmission(server.origin, { document: createShootout() });
    const headers = { Authorization: `Bearer ${answer.deleteToken}` };
    assert.equal((await get(answer.url)).status, 200);
    await fetch(`${server.origin}/api/results/${answer.id}`, { method: 'DELETE', headers });
    assert.equal((await get(answer.url)).status, 404);
  });

  it('is not given without end to one address', async () => {
    const busy = await openServer({ limits: { readMsPerMinute: 0.001 } });
    try {
      const ask = async () => (await fetch(`${busy.origin}/results/x`)).status;
      assert.deepEqual([await ask(), await ask()], [404, 429]);
    } finally {
      await busy.close();
    }
  });
});
