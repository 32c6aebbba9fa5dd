import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { useBrowserSite } from '../support/browser-site.js';
import { openServer } from '../support/server.js';
import { JQUERY, loadSource } from '../../bench/source-in-page.js';

/**
 * @import { OutgoingHttpHeaders } from 'node:http'
 * @import { Page } from 'playwright-core'
 * @import { Trial } from '../../core/net/echo/trial.js'
 * @import { TestServer } from '../support/server.js'
 */

/** What the browser keeps, and how many idle connections it keeps to one server over HTTP/1.1. */
const KEPT_ENTRIES = 250;
const POOLED_CONNECTIONS = 6;

/**
 * Echoes that a server of ours never gives.
 *
 * @type {Map<string, OutgoingHttpHeaders>}
 */
const ECHO_HEADERS = new Map([
  ['/cacheable', { 'Cache-Control': 'max-age=600' }],
  ['/compressed', { 'Cache-Control': 'no-store', 'Content-Encoding': 'gzip' }],
  ['/closing', { 'Cache-Control': 'no-store', Connection: 'close' }],
]);

async function openOddServer() {
  const server = await openServer();
  const [onRequest] = server.server.listeners('request');
  server.server.removeAllListeners('request');
  server.server.on('request', (req, res) => {
    const { pathname, searchParams } = new URL(String(req.url), server.origin);
    const headers = ECHO_HEADERS.get(pathname);
    if (!headers) {
      onRequest(req, res);
      return;
    }
    res.writeHead(200, { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*', ...headers });
    const answer = JSON.stringify({ count: Number(searchParams.get('count')) + 1 });
    res.end('Content-Encoding' in headers ? gzipSync(answer) : answer);
  });
  return server;
}

/**
 * Runs in the page.
 *
 * @param {{ source: string, name: string, url: string, iterations: number }} options
 * @returns {Promise<Trial>}
 */
async function runInPage({ source, name, url, iterations }) {
  const { createTransport } = await import(`${source}core/net/echo/index.js`);
  const { runTrial } = await import(`${source}core/net/echo/trial.js`);
  const { default: $ } = await import(`${source}node_modules/jquery/dist-module/jquery.module.min.js`);
  const library = name === 'ajax' ? $ : undefined;
  const trial = await runTrial({
    transport: createTransport(name, { library, url }),
    now: () => performance.now(),
    iterations,
  });
  if (trial.failures.length > 0) throw new Error(trial.failures[0].message);
  return trial;
}

const site = useBrowserSite();
/** @type {TestServer} */
let server;
before(async () => {
  server = await openOddServer();
});
after(() => server?.close());

/**
 * A page with an empty cache, which may ask other origins, too.
 *
 * @param {(run: (options: { name: string, url: string, iterations: number }) => Promise<Trial>) => Promise<void>} use
 */
const withPage = (use) =>
  site.withTab(
    '/ajaxtest',
    async ({ page }) => {
      const source = await loadSource(page, ['core/net/echo/index.js', 'core/net/echo/trial.js', JQUERY]);
      await use((options) => page.evaluate(runInPage, { source, ...options }));
    },
    { origin: server.origin, context: { bypassCSP: true } },
  );

describe('requests of a trial, in Chromium', () => {
  for (const name of ['ajax', 'xhr'])
    it(`are seen on one connection, and come from no cache, over ${name}`, () =>
      withPage(async (run) => {
        const url = `${server.origin}/ajaxecho`;
        await run({ name, url, iterations: 1 });
        const { requests } = await run({ name, url, iterations: 20 });
        assert.ok(Number(requests?.seenCount) >= 20, `seen: ${requests?.seenCount}`);
        assert.deepEqual([requests?.openedCount, requests?.cacheHitCount], [0, 0]);
      }));

  const name = 'ajax';
  it('are counted as cache hits where a cache answers them', () =>
    withPage(async (run) => {
      const url = `${server.origin}/cacheable`;
      const first = await run({ name, url, iterations: 20 });
      assert.equal(first.requests?.cacheHitCount, 0);
      const second = await run({ name, url, iterations: 20 });
      assert.ok(Number(second.requests?.cacheHitCount) >= 20, `hits: ${second.requests?.cacheHitCount}`);
    }));

  it('are counted as compressed where a proxy compresses the answers', () =>
    withPage(async (run) => {
      const { requests } = await run({ name, url: `${server.origin}/compressed`, iterations: 20 });
      assert.ok(Number(requests?.compressedCount) >= 20, `compressed: ${requests?.compressedCount}`);
    }));

  it('are counted where they open a connection', () =>
    withPage(async (run) => {
      const { requests } = await run({ name, url: `${server.origin}/closing`, iterations: 20 });
      assert.ok(Number(requests?.openedCount) >= 20 - POOLED_CONNECTIONS, `opened: ${requests?.openedCount}`);
    }));

  it('are not seen where another origin hides them', async () => {
    const other = await openOddServer();
    try {
      await withPage(async (run) => {
        for (const path of ['/cacheable', '/cacheable', '/closing']) {
          const { requests } = await run({ name, url: other.origin + path, iterations: 5 });
          assert.deepEqual(requests, { seenCount: 0, openedCount: 0, cacheHitCount: 0 });
        }
      });
    } finally {
      await other.close();
    }
  });

  it(`are seen up to the ${KEPT_ENTRIES} that the browser keeps`, () =>
    withPage(async (run) => {
      const { requests } = await run({ name, url: `${server.origin}/ajaxecho`, iterations: KEPT_ENTRIES + 50 });
      assert.equal(requests?.seenCount, KEPT_ENTRIES);
    }));
});

describe('a trial over a socket, in Chromium', () => {
  it('has no requests to count', () =>
    withPage(async (run) => {
      const { requests } = await run({ name: 'websocket', url: `${server.origin}/echo/websocket`, iterations: 3 });
      assert.equal(requests, undefined);
    }));
});

/**
 * @param {string} path @param {{ preloaded: readonly string[], use?: (page: Page) => Promise<unknown> }} options `preloaded`:
 *   what is waited for
 * @returns {Promise<string[]>} the packages that a page has asked for by then, sorted
 */
async function packagesAskedFor(path, { preloaded, use }) {
  /** @type {Set<string>} */
  const asked = new Set();
  await site.withTab(
    '/privacy',
    async ({ page }) => {
      page.on('request', (request) => {
        const [, name] = /\/vendor\/(.+)\.js$/.exec(request.url()) ?? [];
        if (name) asked.add(name);
      });
      // A busy machine may be idle on its network before the page begins to load them.
      const begun = preloaded.map((name) => page.waitForRequest((one) => one.url().endsWith(`/${name}.js`)));
      await page.goto(site.origin + path, { waitUntil: 'networkidle' });
      await Promise.all(begun);
      await use?.(page);
    },
    { context: {} },
  );
  return [...asked].sort();
}

/** @param {Page} page of an experiment */
async function measure(page) {
  await page.locator('#start').click();
  await page.locator('#result-headline:focus').waitFor();
}

/** What SockJS's module consists of. */
const SOCKJS = ['sockjs', 'sockjs-client'];
const IN_FLIGHT = '/inflight?depths=1&blocks=2&seed=1&transports=';

describe('a page', () => {
  for (const [path, packages] of /** @type {const} */ ([
    [`${IN_FLIGHT}fetch,websocket`, []],
    [`${IN_FLIGHT}fetch,ajax`, ['jquery']],
    [`${IN_FLIGHT}fetch,sockjs`, SOCKJS],
    ['/?transports=ajax,sockjs', ['jquery', ...SOCKJS]],
    ['/payloadtest?transports=ajax,sockjs&sizes=1', ['jquery', ...SOCKJS]],
    ['/polltest?deliveries=poll,sockjs', SOCKJS],
    ['/reach', SOCKJS],
  ])) {
    it(`loads ${packages.join(', ') || 'no library'} for ${path}`, async () => {
      assert.deepEqual(await packagesAskedFor(path, { preloaded: packages }), [...packages]);
    });
  }

  it('loads no other library for its run', async () => {
    const asked = await packagesAskedFor(`${IN_FLIGHT}fetch,websocket`, { preloaded: [], use: measure });
    assert.deepEqual(asked, []);
  });

  it('loads for its run what was chosen since', async () => {
    const use = async (/** @type {Page} */ page) => {
      await page.locator('#options > summary').click();
      await page.getByLabel('SockJS', { exact: true }).check();
      await measure(page);
      assert.match(await page.locator('#result').innerText(), /SockJS/);
    };
    const asked = await packagesAskedFor(`${IN_FLIGHT}fetch,websocket`, { preloaded: [], use });
    assert.deepEqual(asked, SOCKJS);
  });
});
