/**
 * A copy of the site's sources with something added, served, and a browser to visit it.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { launchBrowser } from './browser.js';
import { spawnServer } from './server.js';

/** @import { Browser } from 'playwright-core' */

const COPIED = [
  'core',
  'cli',
  'docs',
  'examples',
  'public',
  'server',
  'views',
  'server.js',
  'package.json',
  'package-lock.json',
];

/**
 * To be called where `before` and `after` may be; what it gives is there from the first test on.
 *
 * @param {(folder: string) => Promise<unknown>} add something to the copy, before it is served
 */
export function useSiteCopy(add) {
  const site = { folder: '', origin: '', browser: /** @type {Browser} */ (/** @type {unknown} */ (undefined)) };
  /** @type {ReturnType<typeof spawnServer>} */
  let server;
  before(async () => {
    site.folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
    await Promise.all(COPIED.map((name) => cp(name, path.join(site.folder, name), { recursive: true })));
    await symlink(path.resolve('node_modules'), path.join(site.folder, 'node_modules'));
    await add(site.folder);
    server = spawnServer({}, { cwd: site.folder });
    [site.origin, site.browser] = await Promise.all([server.origin(), launchBrowser()]);
  });
  after(async () => {
    await site.browser?.close();
    await server?.stop();
    await rm(site.folder, { recursive: true, force: true });
  });
  return site;
}

/**
 * Adds to a copy of the product.
 * @param {string} folder of the copy
 * @param {Record<string, string[][]>} lines what is written into its files, each before a line that is there once
 * @param {Record<string, string>} files new ones, and what each is a copy of
 * @returns {Promise<string[]>} the files that it changed or made
 */
export async function addToCopy(folder, lines, files) {
  for (const [name, insertions] of Object.entries(lines)) {
    const file = path.join(folder, name);
    await writeFile(file, insertions.reduce(insert, await readFile(file, 'utf8')));
  }
  for (const [name, source] of Object.entries(files)) await writeFile(path.join(folder, name), await readFile(source));
  return [...Object.keys(lines), ...Object.keys(files)];
}

/** @param {string} text @param {string[]} insertion a line, and the one before which it is to stand */
function insert(text, [added, before]) {
  assert.equal(text.split(before).length, 2, `expected once: ${before}`);
  return text.replace(before, added + before);
}
