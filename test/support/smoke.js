/**
 * One browser visits every page once, may use it for a second, and sees what came of it. The site is below a path, as all
 * else in a browser has it at the root. What each page does in all its states is in test/browser.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { nameBrowser } from '../../core/experiment/run/names.js';
import { COLOR_RULES, findViolations, overflowOf } from './axe.js';
import { launchBrowser } from './browser.js';
import { PAGES, saveForPages } from './page-uses.js';
import { openServer } from './server.js';
import { driven } from './tab.js';

/**
 * @import { Driven, PageUse, Saved } from './page-uses.js'
 * @import { TestServer } from './server.js'
 */

/**
 * @typedef {object} Engine
 * @property {Driven} page
 * @property {() => Promise<unknown>} close
 */

const BASE_PATH = '/shootout';
/** A page is the same by each version of Node.js: axe-core's rules hold by the newest. */
const IS_OLD = Number.parseInt(process.versions.node) < 22;
/** All rules are for one engine: most of them look at the document alone. */
const WHOLE = 'Chrome';

/** The longest run takes 12 s where nothing else is done. */
const LIMIT_MS = 120_000;

/** @returns {Promise<Engine>} */
export async function openChromium() {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  return { page: driven(page), close: () => browser.close() };
}

/**
 * @param {string} name that the site gives the browser
 * @param {() => Promise<Engine>} open
 * @param {Record<string, PageUse>} [pages]
 */
export function describePages(name, open, pages = PAGES) {
  describe(`in ${name} every page`, () => {
    /** @type {TestServer} */
    let server;
    /** @type {Saved} */
    let saved;
    /** @type {Engine} */
    let engine;
    before(async () => {
      [engine, server] = await Promise.all([open(), openServer({ env: { BASE_PATH } })]);
      saved = await saveForPages(server.origin);
    });
    after(async () => {
      await engine?.close();
      await server?.close();
    });

    it('knows what browser it is', async () => {
      assert.match(nameBrowser(await engine.page.evaluate('navigator.userAgent')), new RegExp(`^${name} `));
    });

    for (const [view, { path, shows, use }] of Object.entries(pages)) {
      it(`${view} can be used`, async () => {
        const { page } = engine;
        const site = server.origin + BASE_PATH;
        await page.open(site + path(saved));
        if (shows) await page.waitFor(shows);
        await use?.(page);
        assert.deepEqual(await findOutside(page, site), []);
        if (!IS_OLD) assert.deepEqual(await findViolations(page, name === WHOLE ? {} : { only: COLOR_RULES }), []);
        assert.ok((await overflowOf(page)) <= 0, 'wider than the screen');
      });
    }
  });
}

/**
 * @param {Driven} page @param {string} site
 * @returns {Promise<string[]>} what the page links to, sends forms to, or has requested on its origin outside its site
 */
async function findOutside(page, site) {
  const { origin } = new URL(site);
  const named = await page.evaluate(`[
    ...[...document.links].map(({ href }) => href),
    ...[...document.forms].map((form) => form.action),
    ...performance.getEntriesByType('resource').map(({ name }) => name),
  ]`);
  return named.filter((/** @type {string} */ url) => url.startsWith(origin) && !url.startsWith(`${site}/`));
}
