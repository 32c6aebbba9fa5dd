/**
 * A site below a path of its host: behind a proxy that keeps the path, and behind one that takes it off. Whatever it sends
 * back contains the path, and whatever it is asked is answered with or without it. The command line at such a site:
 * test/soak/cli-base-path.test.js.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { requireOwnBasePath } from '../../server/base-path.js';
import { complaintOf } from '../support/complaint.js';
import { PAGES, saveForPages } from '../support/page-uses.js';
import { upgradeHead } from '../support/payload-client.js';
import { sendRaw } from '../support/raw-http.js';
import { openServer } from '../support/server.js';
import { fillPattern } from '../support/socket-paths.js';
import { createShootout, postSubmission } from '../support/submissions.js';

/** @import { TestServer } from '../support/server.js' */

const BASE_PATH = '/shootout';
const PLAN = 'transports=ajax,sockjs&depths=1,4&blocks=2&seed=1';
const SOURCE_URL = 'https://git.example/sockshootout';

/** The endpoints that clients of 2012, 2018 and 2019 have as absolute paths. */
const OF_OLD_CLIENTS = [
  '/ajaxecho?count=1',
  '/echo',
  '/echo2012',
  '/xhr?count=1',
  '/ws',
  '/job',
  '/ws/job',
  '/submission',
];

/** @param {TestServer} server @param {string} path @returns {Promise<string>} the first line of the answer to an upgrade */
async function upgrade({ port }, path) {
  // A frame that is not masked ends the connection.
  const answer = await sendRaw(port, `${upgradeHead(path)}\x81\x01x`);
  return answer.split('\r\n')[0];
}

/** @param {string} html @returns {string[]} what its links, forms, scripts, styles and previews name */
const linksIn = (html) =>
  [
    ...html.matchAll(/<(?:a|link|script|form|img|iframe|use)\b[^>]*? (?:href|src|action)="([^"]*)"/g),
    ...html.matchAll(/property="og:(?:url|image)" content="([^"]*)"/g),
  ].map(([, link]) => link.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));

/** On a busy machine a test would use up what one visitor may. */
const READS = { documentsPerMinute: 10_000 };

describe('each path of a site below a path', () => {
  /** @type {Record<'root' | 'below', TestServer>} */
  let servers;
  before(async () => {
    const limits = { drainMs: 0, ...READS };
    const [root, below] = await Promise.all([openServer({ limits }), openServer({ limits, env: { BASE_PATH } })]);
    servers = { root, below };
  });
  after(() => Promise.all(Object.values(servers).map((server) => server.close())));

  /**
   * @param {(server: TestServer, path: string) => Promise<unknown>} ask
   * @param {string} pattern
   * @param {string} name of what is asked
   */
  async function assertSame(ask, pattern, name) {
    const expected = await ask(servers.root, fillPattern(pattern));
    assert.deepEqual(await ask(servers.below, BASE_PATH + fillPattern(pattern)), expected, `${name}, kept`);
    // A session of its own: the first still lasts.
    assert.deepEqual(await ask(servers.below, fillPattern(pattern, 'y')), expected, `${name}, stripped`);
  }

  it('has the status that it has at the root', async () => {
    const giveUp = new AbortController();
    const { signal } = giveUp;
    for (const { pattern, methods } of servers.root.paths) {
      for (const method of methods) {
        /** @param {TestServer} server @param {string} path */
        const ask = async ({ origin }, path) =>
          (await fetch(origin + path, { method, signal, redirect: 'manual' })).status;
        await assertSame(ask, pattern, `${method} ${pattern}`);
      }
    }
    giveUp.abort();
  });

  it('takes the upgrades that it takes at the root', async () => {
    for (const { pattern } of servers.root.paths) await assertSame(upgrade, pattern, pattern);
  });

  it('is found by clients of the old experiments at the root', () => {
    const paths = servers.root.paths.map(({ pattern }) => pattern.split('?')[0]);
    for (const path of OF_OLD_CLIENTS) assert.ok(paths.includes(path.split('?')[0]), path);
  });

  it('is the home page, with and without the last slash', async () => {
    for (const path of [BASE_PATH, `${BASE_PATH}/`, `${BASE_PATH}?rtt=5`, '/']) {
      const response = await fetch(servers.below.origin + path, { redirect: 'error' });
      assert.match(await response.text(), /<form id="run-form"/, path);
    }
  });

  it('is none where only the beginning of a name is the same', async () => {
    for (const path of [`${BASE_PATH}s`, `${BASE_PATH}.`, '/SHOOTOUT', `${BASE_PATH}${BASE_PATH}/`]) {
      assert.equal((await fetch(servers.below.origin + path)).status, 404, path);
    }
  });

  it('is taken off once from a request whose upgrade is ignored, too', async () => {
    /** @param {string} path */
    const ask = async (path) => {
      const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
      const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      return (await sendRaw(servers.below.port, head + last)).split(' ')[1];
    };
    assert.equal(await ask(`${BASE_PATH}/results`), '200');
    assert.equal(await ask('/results'), '200');
    assert.equal(await ask(`${BASE_PATH}${BASE_PATH}/results`), '404');
  });

  it('is decided by the setting, not by a header of the request', async () => {
    const headers = { 'X-Forwarded-Prefix': '/other', 'X-Script-Name': '/other', 'X-Forwarded-Path': '/other' };
    const html = await (await fetch(`${servers.below.origin}${BASE_PATH}/results`, { headers })).text();
    assert.ok(!html.includes('/other'));
  });
});

describe('what a site below a path sends', () => {
  /** @type {TestServer} */
  let server;
  /** @type {Awaited<ReturnType<typeof saveForPages>>} */
  let saved;
  /** @type {string} */
  let site;
  before(async () => {
    server = await openServer({ limits: READS, env: { BASE_PATH, SOURCE_URL } });
    site = server.origin + BASE_PATH;
    saved = await saveForPages(site);
  });
  after(() => server.close());

  /** @param {string} link @returns {boolean} */
  const isBelow = (link) => link === BASE_PATH || link.startsWith(`${BASE_PATH}/`) || link.startsWith(`${site}/`);
  /** @param {string} link as a page has it @returns {boolean} whether it stays on the page, or the page's script sets it */
  const isOwn = (link) => link === '' || link.startsWith('#');

  it('are pages whose links, forms, scripts and previews begin with it, and lead somewhere', async () => {
    const links = new Set();
    for (const [name, { path }] of Object.entries(PAGES)) {
      const html = await (await fetch(site + path(saved).replace(/#.*/, ''))).text();
      const others = linksIn(html).filter((link) => !isOwn(link) && link !== SOURCE_URL);
      assert.ok(others.length > 10, name);
      for (const link of others) {
        assert.ok(isBelow(link), `${name}: ${link}`);
        links.add(new URL(link, server.origin).href);
      }
      assert.ok(html.includes(`data-base-path="${BASE_PATH}"`), name);
    }
    for (const link of links) assert.notEqual((await fetch(link)).status, 404, link);
  });

  it('are redirects', async () => {
    const [first, second] = saved.ids;
    const response = await fetch(`${site}/compare?ids=${first}&ids=${second}`, { redirect: 'manual' });
    assert.equal(response.headers.get('location'), `${BASE_PATH}/compare?ids=${first},${second}`);
  });

  it('are locations of jobs and runs', async () => {
    const job = await fetch(`${server.origin}/job`, { method: 'POST' });
    const { id } = await job.json();
    assert.equal(job.headers.get('location'), `${BASE_PATH}/job/${id}`);
    const { headers, answer } = await postSubmission(site, { document: createShootout() });
    assert.equal(headers.get('location'), `${BASE_PATH}/api/results/${answer.id}`);
    assert.equal(answer.url, `${BASE_PATH}/results/${answer.id}`);
    const { results } = await (await fetch(`${site}/api/results`)).json();
    for (const { id: listed, url } of results) assert.equal(url, `${BASE_PATH}/results/${listed}`);
  });

  it('is the description of the API', async () => {
    const { servers } = await (await fetch(`${site}/api/openapi.json`)).json();
    assert.deepEqual(servers, [{ url: BASE_PATH }]);
  });

  it('is the frame of SockJS, which loads our copy of the client', async () => {
    const html = await (await fetch(`${site}/echo/iframe.html`)).text();
    const [, url] = /src="([^"]+)"/.exec(html) ?? [];
    assert.ok(url.startsWith(`${BASE_PATH}/assets/`), url);
    assert.equal((await fetch(server.origin + url)).status, 200);
  });

  it('are errors, whose link tries again', async () => {
    const strict = await openServer({ env: { BASE_PATH }, limits: { readMsPerMinute: 0.001 } });
    try {
      const url = `${strict.origin}${BASE_PATH}/results?place=x`;
      const ask = async () => (await fetch(url)).text();
      await ask();
      const [, href] = /<a href="([^"]*)" role="button">Try again</.exec(await ask()) ?? [];
      assert.equal(new URL(href, url).href, url);
    } finally {
      await strict.close();
    }
  });
});

it('links of a site below a path begin with PUBLIC_URL and the path', async () => {
  const server = await openServer({ env: { BASE_PATH, PUBLIC_URL: 'https://tools.example' } });
  try {
    const { answer } = await postSubmission(server.origin, { document: createShootout(), label: 'all' });
    for (const path of [`/results/${answer.id}`, `/compare?ids=${answer.id}`, '/c?label=all']) {
      const html = await (await fetch(server.origin + path)).text();
      for (const part of ['rel="canonical" href', 'property="og:url" content']) {
        assert.ok(html.includes(`${part}="https://tools.example${BASE_PATH}${path}"`), `${path}: ${part}`);
      }
    }
    const form = await (
      await fetch(
        `${server.origin}/c?${new URLSearchParams({ make: 'link', label: 'all', plan: `https://x.example${BASE_PATH}/inflight?${PLAN}` })}`,
      )
    ).text();
    assert.match(
      form,
      /id="study-link"><a href="https:\/\/tools\.example\/shootout\/c\?label=all&amp;plan=%2Finflight%3F/,
    );
  } finally {
    await server.close();
  }
});

describe('a path that is one of the site’s own', () => {
  const paths = [{ pattern: '/' }, { pattern: '/ajaxecho?count=1' }, { pattern: '/assets/x/*name' }].map((path) => ({
    ...path,
    methods: [],
  }));

  for (const basePath of ['/ajaxecho', '/assets/shootout', '/Assets']) {
    it(`is refused: ${basePath}`, () => {
      assert.throws(() => requireOwnBasePath(basePath, paths), complaintOf('BASE_PATH', basePath));
    });
  }

  it('is not one whose later parts are', () => {
    for (const basePath of ['', '/shootout', '/shootout/assets', '/asset']) requireOwnBasePath(basePath, paths);
  });

  it('keeps the server from starting', async () => {
    await assert.rejects(
      openServer({ env: { BASE_PATH: '/Results/here' } }),
      complaintOf('BASE_PATH', '/Results/here'),
    );
  });
});
