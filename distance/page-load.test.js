/**
 * What a test page costs a visitor far away: how many round trips until its button can be pressed, on a first visit and on a
 * second, and until a press starts a run at once; straight from Node over HTTP/1.1 and behind nginx over HTTP/2 and TLS; how
 * many requests and bytes.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, it } from 'node:test';
import { withFarSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { Page, Request, Response } from 'playwright-core'
 * @import { FarSite } from '../lab/far-site.js'
 */

/** One of each kind: what the others load differs in names alone. */
const KINDS = ['/', '/ajaxtest', '/socktest', '/countdown', '/inflight'];
const PATHS = [
  ...KINDS,
  ...['/all', '/fixedrate', '/polltest', '/payloadtest', '/reach', '/cuts', '/underload', '/stream'],
];
const FAR_RTT_MS = 230;
/** Quick ones, so that the fastest of them is close to what the page takes without any distance. */
const NEAR_VISITS = 2;
const REQUEST_LIMIT = 12;
const BYTE_LIMIT = 200 * 1024;
/** What the page asks to see how far away the server is. */
const ECHOES = /^\/(ajaxecho|payload|status)\b/;
/** For what hangs: nothing takes nearly as long. */
const LOAD_LIMIT_MS = 300_000;

/**
 * In round trips; the handshake of TLS 1.3 is one. A button can be pressed before the page's program is there, which then
 * starts the run.
 */
const LIMITS = { first: 5, second: 2, program: 8 };
const PROTOCOLS = [
  { name: 'HTTP/1.1', isBehindNginx: false, paths: KINDS },
  { name: 'HTTP/2 and TLS', isBehindNginx: true, paths: PATHS },
];

/**
 * @typedef {object} PageLoad
 * @property {number} startEnabledMs from the navigation's start until the button works, by the page's own clock
 * @property {number} programMs until the page's program has run
 * @property {string[]} loaded the URLs of the page and of all that it loaded until then, echoes apart
 * @property {number} byteCount of them, compressed, heads included
 *
 * @typedef {{ first: PageLoad, second: PageLoad }} Visits
 *
 * @typedef {Window & { startEnabledMs?: number, programMs?: number }} WatchedWindow
 */

/** Runs in the page before anything of its own: notes when Measure can be pressed, and when the program has run. */
function watchStart() {
  const watched = /** @type {WatchedWindow} */ (window);
  window.addEventListener('mounted', () => (watched.programMs = performance.now()), { capture: true });
  const observer = new MutationObserver(() => {
    if (!document.querySelector('#start-controls:enabled')) return;
    watched.startEnabledMs = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { attributes: true, childList: true, subtree: true });
}

/**
 * Loads a page twice, as a visitor does who comes back: first nothing is cached and no connection is open, then all
 * is cached that may be, and a connection may still be open.
 *
 * @param {FarSite} site
 * @param {string} path
 * @returns {Promise<Visits>}
 */
async function visitTwice({ browser, origin }, path) {
  const context = await browser.newContext();
  try {
    context.setDefaultTimeout(LOAD_LIMIT_MS);
    const visit = async ({ isLast = false } = {}) => {
      const page = await context.newPage();
      /** @type {Response[]} */
      const responses = [];
      page.on('response', (response) => responses.push(response));
      const rest = restOf(page);
      await page.addInitScript(watchStart);
      await page.goto(origin + path);
      await page.waitForFunction(() => /** @type {WatchedWindow} */ (window).programMs !== undefined);
      const [startEnabledMs, programMs] = await page.evaluate(() => {
        const { startEnabledMs, programMs } = /** @type {WatchedWindow} */ (window);
        return [Number(startEnabledMs), Number(programMs)];
      });
      const counted = responses.filter((response) => !ECHOES.test(new URL(response.url()).pathname));
      const loaded = counted.map((response) => response.url());
      const byteCount = await countBytes(counted);
      // One that is left in the middle of its requests has no connection for the next visit.
      if (!isLast) await rest();
      await page.close();
      return { startEnabledMs, programMs, loaded, byteCount };
    };
    return { first: await visit(), second: await visit({ isLast: true }) };
  } finally {
    await context.close();
  }
}

/**
 * @param {Page} page
 * @returns {() => Promise<void>} waits for a moment at which no request is on its way: a page that measures makes one after
 *   the other
 */
function restOf(page) {
  /** @type {Set<Request>} */
  const open = new Set();
  const ended = new EventEmitter();
  page.on('request', (request) => open.add(request));
  for (const event of /** @type {const} */ (['requestfinished', 'requestfailed'])) {
    page.on(/** @type {any} */ (event), (/** @type {Request} */ request) => {
      open.delete(request);
      ended.emit('one');
    });
  }
  return async () => {
    while (open.size > 0) await once(ended, 'one', { signal: AbortSignal.timeout(LOAD_LIMIT_MS) });
  };
}

/** @param {readonly Response[]} responses */
async function countBytes(responses) {
  const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
  return sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  );
}

/**
 * A load far away is never quicker than its round trips, and the fastest nearby is subtracted: chance can only raise this.
 *
 * @param {readonly Visits[]} near
 * @param {readonly Visits[]} far
 * @param {'first' | 'second'} visit
 * @param {'startEnabledMs' | 'programMs'} until
 */
function roundTripsOf(near, far, visit, until) {
  const [nearMs, farMs] = [near, far].map((all) => Math.min(...all.map((visits) => visits[visit][until])));
  return (farMs - nearMs) / FAR_RTT_MS;
}

/**
 * Requests and bytes are counted, each time; round trips are told by time, so each figure has to be as low once.
 *
 * @param {TestContext} t
 * @param {{ nearSite: FarSite, farSite: FarSite, path: string }} options
 */
async function checkPage(t, { nearSite, farSite, path }) {
  const visit = async (/** @type {FarSite} */ site) => {
    const visits = await visitTwice(site, path);
    const { loaded, byteCount } = visits.first;
    assert.ok(loaded.length <= REQUEST_LIMIT, loaded.join(' '));
    assert.ok(byteCount <= BYTE_LIMIT, `${byteCount} bytes`);
    return visits;
  };
  /** @type {Visits[]} */
  const near = [];
  while (near.length < NEAR_VISITS) near.push(await visit(nearSite));
  /** @type {Visits[]} */
  const far = [];
  await holdsOnce(t, async () => {
    far.push(await visit(farSite));
    const first = roundTripsOf(near, far, 'first', 'startEnabledMs');
    const second = roundTripsOf(near, far, 'second', 'startEnabledMs');
    const program = roundTripsOf(near, far, 'first', 'programMs');
    const figures = `${first.toFixed(2)} and ${second.toFixed(2)} round trips, ${program.toFixed(2)} with the program`;
    const { loaded, byteCount } = far[0].first;
    t.diagnostic(`${path}: ${figures}; ${loaded.length} requests, ${(byteCount / 1024).toFixed(0)} KiB`);
    const isQuick = first <= LIMITS.first && second <= LIMITS.second && program <= LIMITS.program;
    return isQuick ? undefined : figures;
  });
}

// Side by side, as a page far away waits for most of its time; the attempts are spared what the other takes.
describe('pages far away', { concurrency: true }, () => {
  for (const { name, isBehindNginx, paths } of PROTOCOLS) {
    describe(`over ${name}`, () => {
      it('can be used after few round trips, and are small', (t) =>
        withFarSite(
          { rttMs: 0 },
          (nearSite) =>
            withFarSite(
              { rttMs: FAR_RTT_MS },
              async (farSite) => {
                // One after the other: each further page takes CPU time, which counts as round trips.
                for (const path of paths) await t.test(path, (own) => checkPage(own, { nearSite, farSite, path }));
              },
              { isBehindNginx },
            ),
          { isBehindNginx },
        ));
    });
  }
});
