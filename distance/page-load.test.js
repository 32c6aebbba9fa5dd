/**
 * What a classic page costs a visitor far away: how many modules, and how many round trips until Start can be pressed.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quantile } from '../core/statistics/quantile.js';
import { withFarSite } from '../lab/far-site.js';
import { holdsOnce } from '../test/support/attempts.js';

const PATHS = ['/ajaxtest', '/socktest'];
const FAR_RTT_MS = 230;
const LOAD_COUNT = 3;
const MODULE_LIMIT = 24;
const ROUND_TRIP_LIMIT = 8;
/** For what hangs: nothing takes nearly as long. */
const LOAD_LIMIT_MS = 300_000;

/**
 * @typedef {object} PageLoad
 * @property {number} startEnabledMs from the navigation's start until Start could be pressed, by the page's own clock
 * @property {string[]} protocols of the page and of all that it loaded
 * @property {string[]} modules their URLs, each once
 *
 * @typedef {Window & { startEnabledMs?: number }} WatchedWindow
 */

/** Runs in the page before anything of its own: notes when Start can be pressed. */
function watchStart() {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('#start-controls:enabled')) return;
    /** @type {WatchedWindow} */ (window).startEnabledMs = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { attributes: true, childList: true, subtree: true });
}

/** Runs in the page. */
function readLoad() {
  const entries = /** @type {PerformanceResourceTiming[]} */ ([
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ]);
  const scripts = entries.map(({ name }) => name).filter((name) => name.endsWith('.js'));
  const classicScripts = [...document.scripts].filter(({ type }) => type !== 'module').map(({ src }) => src);
  return {
    startEnabledMs: Number(/** @type {WatchedWindow} */ (window).startEnabledMs),
    protocols: [...new Set(entries.map(({ nextHopProtocol }) => nextHopProtocol))],
    modules: [...new Set(scripts)].filter((name) => !classicScripts.includes(name)),
  };
}

/**
 * Loads a page as a first visitor does: nothing cached, no connection open.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @returns {Promise<PageLoad>}
 */
async function loadPage(browser, url) {
  const context = await browser.newContext();
  try {
    context.setDefaultTimeout(LOAD_LIMIT_MS);
    const page = await context.newPage();
    await page.addInitScript(watchStart);
    await page.goto(url);
    await page.locator('#start-controls:enabled').waitFor();
    return await page.evaluate(readLoad);
  } finally {
    await context.close();
  }
}

/**
 * Near and far in turn, so that a machine that slows down slows both.
 *
 * @param {string} path
 * @returns {Promise<{ near: PageLoad[], far: PageLoad[] }>}
 */
function measureLoads(path) {
  return withFarSite({ rttMs: 0 }, (nearSite) =>
    withFarSite({ rttMs: FAR_RTT_MS }, async (farSite) => {
      /** @type {PageLoad[]} */
      const near = [];
      /** @type {PageLoad[]} */
      const far = [];
      while (far.length < LOAD_COUNT) {
        near.push(await loadPage(nearSite.browser, nearSite.origin + path));
        far.push(await loadPage(farSite.browser, farSite.origin + path));
      }
      return { near, far };
    }),
  );
}

/** @param {PageLoad[]} loads */
function medianStart(loads) {
  const sorted = loads.map(({ startEnabledMs }) => startEnabledMs).sort((a, b) => a - b);
  return Number(quantile(sorted, 0.5));
}

/** @param {PageLoad[]} loads */
function listStarts(loads) {
  return loads.map(({ startEnabledMs }) => startEnabledMs.toFixed(0)).join(', ');
}

for (const path of PATHS) {
  describe(path, () => {
    // Modules are counted, each time; round trips are told by time, so they have to be as few once.
    it(`loads at most ${MODULE_LIMIT} modules, and reaches an enabled Start within ${ROUND_TRIP_LIMIT} round trips of ${FAR_RTT_MS} ms over HTTP/1.1`, (t) =>
      holdsOnce(t, async () => {
        const { near, far } = await measureLoads(path);
        for (const { modules, protocols } of [...near, ...far]) {
          assert.ok(modules.length > 0 && modules.length <= MODULE_LIMIT, `${modules.length}: ${modules.join(' ')}`);
          assert.deepEqual(protocols, ['http/1.1']);
        }
        const roundTripCount = (medianStart(far) - medianStart(near)) / FAR_RTT_MS;
        t.diagnostic(
          `${path}: ${far[0].modules.length} modules; Start enabled after ${listStarts(near)} ms at 0 ms, ` +
            `${listStarts(far)} ms at ${FAR_RTT_MS} ms: ${roundTripCount.toFixed(2)} round trips`,
        );
        return roundTripCount <= ROUND_TRIP_LIMIT ? undefined : `${roundTripCount.toFixed(2)} round trips`;
      }));
  });
}
