/**
 * The project's own modules in a page, as they are in the repository, however the site serves them.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PREFIX = '/source/';

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string>} the path below which a script of the page may import them
 */
export async function serveSource(page) {
  await page.route(`**${PREFIX}**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: path.join(ROOT, pathname.slice(PREFIX.length)) });
  });
  return PREFIX;
}
