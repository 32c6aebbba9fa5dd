/**
 * How one finds one's way: the links in the head and the foot of every page, and the pages that only tell something.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PAGES, saveForPages } from '../support/page-uses.js';
import { openServer } from '../support/server.js';

/**
 * @import { Saved } from '../support/page-uses.js'
 * @import { TestServer } from '../support/server.js'
 */

const LINKS = [
  ['/', 'Test'],
  ['/yourpage', 'Your page'],
  ['/c', 'Places'],
  ['/results', 'Results'],
  ['/tests', 'More tests'],
  ['/how-it-works', 'How it works'],
];

/** By page: the link that is marked, as the page itself or as the section that it is in. */
const MARKS = {
  home: ['/', 'page'],
  'your-page': ['/yourpage', 'page'],
  ajaxtest: ['/tests', 'true'],
  socktest: ['/tests', 'true'],
  all: ['/tests', 'true'],
  tests: ['/tests', 'page'],
  inflight: ['/tests', 'true'],
  fixedrate: ['/tests', 'true'],
  polltest: ['/tests', 'true'],
  payloadtest: ['/tests', 'true'],
  reach: ['/tests', 'true'],
  cuts: ['/tests', 'true'],
  stream: ['/tests', 'true'],
  underload: ['/tests', 'true'],
  countdown: ['/tests', 'true'],
  results: ['/results', 'page'],
  result: ['/results', 'true'],
  compare: ['/results', 'true'],
  'payload comparison': ['/results', 'true'],
  'refused comparison': ['/results', 'true'],
  'study-form': ['/c', 'page'],
  study: ['/c', 'true'],
  'study of users': ['/c', 'true'],
  'study of users, without any': ['/c', 'true'],
  'study-runs': ['/c', 'true'],
  'how-it-works': ['/how-it-works', 'page'],
  privacy: undefined,
  document: ['/how-it-works', 'true'],
  moving: undefined,
  error: undefined,
};

const HEADINGS = {
  '/yourpage': 'Your page',
  '/tests': 'More tests',
  '/all': 'Full test',
  '/inflight': 'Messages in flight',
  '/fixedrate': 'Fixed rate',
  '/polltest': 'Being notified',
  '/payloadtest': 'Payload size',
  '/reach': 'Reachability',
  '/cuts': 'When the network breaks',
  '/stream': 'Streaming an answer',
  '/underload': 'Latency under load',
  '/ajaxtest': 'AJAX echo',
  '/socktest': 'SockJS echo',
  '/countdown': 'Count-down of 2019',
  '/results': 'Results',
  '/how-it-works': 'How it works',
  '/privacy': 'Privacy',
  '/docs': 'Documentation',
};

/** @param {string} html */
const linksIn = (html) =>
  [...html.matchAll(/<a(?: class="[^"]*")? href="([^"]*)"[^>]*>(?:<svg.*?<\/svg>)?([^<]*)</g)].map(([, href, text]) => [
    href,
    text,
  ]);

/** @param {string} html @param {string} tag */
const partOf = (html, tag) => new RegExp(`<${tag}[ >].*?</${tag}>`, 's').exec(html)?.[0] ?? assert.fail(`no ${tag}`);

describe('navigation', () => {
  /** @type {TestServer} */
  let server;
  /** @type {Saved} */
  let saved;
  before(async () => {
    server = await openServer({ env: { SERVER_LOCATION: 'Köln' } });
    saved = await saveForPages(server.origin);
  });
  after(() => server.close());

  /** @param {string} path */
  const htmlOf = async (path) => (await fetch(server.origin + path)).text();

  it('is looked at on every page', () => assert.deepEqual(Object.keys(MARKS).sort(), Object.keys(PAGES).sort()));

  for (const [view, mark] of Object.entries(MARKS)) {
    it(`${view} has all links, ${mark ? `${mark[0]} marked` : 'none marked'}, and a way past them`, async () => {
      const html = await htmlOf(PAGES[view].path(saved));
      const nav = partOf(html, 'nav');
      assert.deepEqual(linksIn(nav), [['/', 'SockShootout'], ...LINKS]);
      const marked = [...nav.matchAll(/href="([^"]*)" aria-current="(\w+)"/g)].map(([, href, value]) => [href, value]);
      assert.deepEqual(marked, mark ? [mark] : []);
      assert.match(html, /<body>\s*<a class="skip" href="#main">Skip to content<\/a>/);
      assert.match(html, /<main id="main" tabindex="-1">/);
    });
  }

  for (const [path, heading] of Object.entries(HEADINGS)) {
    it(`${path} is headed “${heading}”`, async () => {
      const response = await fetch(server.origin + path);
      assert.equal(response.status, 200);
      assert.deepEqual(
        [...(await response.text()).matchAll(/<h1[^>]*>(?:<svg.*?<\/svg>)?([^<]*)</g)].map(([, text]) => text),
        [heading],
      );
    });
  }

  it('leads from /tests to each further test, named as its page is', async () => {
    const cards = linksIn(partOf(await htmlOf('/tests'), 'main'));
    assert.deepEqual(cards, [
      ['/yourpage', 'Check a HAR recording'],
      ['/all', 'Full test'],
      ['/polltest', 'Being notified'],
      ['/payloadtest', 'Payload size'],
      ['/stream', 'Streaming an answer'],
      ['/inflight', 'Messages in flight'],
      ['/fixedrate', 'Fixed rate'],
      ['/reach', 'Reachability'],
      ['/cuts', 'When the network breaks'],
      ['/underload', 'Latency under load'],
      ['/ajaxtest', 'AJAX echo'],
      ['/socktest', 'SockJS echo'],
      ['/countdown', 'Count-down of 2019'],
    ]);
  });

  it('has a footer that leads to method, API and privacy, and names the server', async () => {
    const footer = partOf(await htmlOf('/'), 'footer');
    const links = linksIn(footer);
    assert.deepEqual(links, [
      ['/docs/method', 'Method'],
      ['/api/openapi.json', 'API'],
      ['/privacy', 'Privacy'],
      ['/ajaxtest', 'AJAX (2012)'],
      ['/socktest', 'SockJS (2012)'],
    ]);
    for (const [href] of links) assert.equal((await fetch(server.origin + href)).status, 200, href);
    assert.match(footer, /<p>SockShootout \d+\.\d+\.\d+ on test in Köln<\/p>/);
  });

  it('names no other servers where there are none', async () => {
    assert.doesNotMatch(await htmlOf('/privacy'), /Other servers/);
  });
});

describe('navigation of a site that says where its source is', () => {
  const SOURCE_URL = 'https://git.example/site?a=1&b=2';
  /** @type {TestServer} */
  let server;
  before(async () => {
    const SERVERS = JSON.stringify([{ name: 'London', url: 'https://london.example' }]);
    server = await openServer({ env: { SOURCE_URL, SERVERS } });
  });
  after(() => server.close());

  it('has the source in the footer', async () => {
    const html = await (await fetch(`${server.origin}/how-it-works`)).text();
    assert.deepEqual(linksIn(partOf(html, 'footer')).at(-1), [SOURCE_URL.replace('&', '&amp;'), 'Source']);
  });

  it('names the other servers that a test may ask', async () => {
    const html = await (await fetch(`${server.origin}/privacy`)).text();
    assert.match(html, /London \(london\.example\)/);
  });
});
