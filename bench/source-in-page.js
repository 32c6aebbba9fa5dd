/**
 * Loads the project's modules in a page as they are in the repository, not as the site serves them.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** @import { Page } from 'playwright-core' */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PREFIX = '/source/';

/**
 * @param {Page} page
 * @returns {Promise<string>} the path below which a script of the page may import them
 */
async function serveSource(page) {
  await page.route(`**${PREFIX}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: path.join(ROOT, pathname.slice(PREFIX.length)) });
  });
  return PREFIX;
}

/** The modules of libraries for a page. */
export const JQUERY = 'node_modules/jquery/dist-module/jquery.module.min.js';
export const SOCKETIO = 'node_modules/socket.io-client/dist/socket.io.esm.min.js';

/**
 * Loads only these modules, and what they import; then requests are no longer routed. While they are, Playwright
 * handles each of them, and disables the browser's cache.
 *
 * @param {Page} page
 * @param {readonly string[]} names
 * @returns {Promise<string>} the path below which a script of the page may import them
 */
export async function loadSource(page, names) {
  const source = await serveSource(page);
  await page.evaluate(
    async (urls) => {
      for (const url of urls) await import(url);
    },
    names.map((name) => source + name),
  );
  await page.unrouteAll();
  return source;
}
