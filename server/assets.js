/**
 * Everything static, in memory: an update in place under a running server changes nothing, and a version's files never mix
 * with another's. All of it lies under one prefix that names its content, so it may be cached forever.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundle, EXAMPLE, ROOT, SOURCES } from './bundle.js';
import { compressAll, FAST, readOrMake } from './encodings.js';
import { tell } from './start-failure.js';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** @import { Effort } from './encodings.js' */
/** @import { Example } from './example.js' */

/** Where what was bundled and compressed is kept, and where `npm ci` removes it. */
const CACHE = path.join(ROOT, 'node_modules/.cache/sockshootout');

/** @type {Promise<Assets> | undefined} */
let loaded;

/** Loads the assets once for all servers of a process. @returns {Promise<Assets>} */
export const loadAssets = () => (loaded ??= readAssets(FAST));

/**
 * @typedef {Awaited<ReturnType<typeof readAssets>>} Assets `prefix`: `/assets/<hash>/`; names are below it, like
 *   `js/ajaxtest.js`
 */

/** @param {Effort} effort the least with which what a clone bundles is compressed */
export async function readAssets(effort) {
  const files = hasSources() ? await readBundled(effort) : await compressAll(readPackedPages(), FAST);
  const hash = createHash('sha256');
  for (const [name, { hash: ofFile }] of files) hash.update(`${name}\0${ofFile}\0`);
  const prefix = `/assets/${hash.digest('hex').slice(0, 16)}/`;

  return {
    prefix,
    /** @type {Example} */
    example: JSON.parse(new TextDecoder().decode(files.get(EXAMPLE)?.identity)),
    find: (/** @type {string} */ name) => files.get(name),
    url(/** @type {string} */ name) {
      if (!files.has(name)) throw new Error(`Asset ${name}: expected a file, got none`);
      return `${prefix}${name}`;
    },
  };
}

/** An installed package has none. A clone bundles them, as they may have changed since its pages were packed. */
const hasSources = () => existsSync(path.join(ROOT, 'public'));

/** @param {Effort} effort */
const readBundled = (effort) => readOrMake(path.join(CACHE, hashSources()), { make: makePages, effort });

function makePages() {
  tell('Preparing the pages, once for this version: about 10 s.');
  return bundle();
}

/** @returns {string} of all sources: their names and what is in them */
function hashSources() {
  const hash = createHash('sha256').update(process.versions.v8);
  for (const name of SOURCES.flatMap(listFiles).sort()) {
    const content = readFileSync(path.join(ROOT, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} name of a file or folder @returns {string[]} */
function listFiles(name) {
  if (statSync(path.join(ROOT, name)).isFile()) return [name];
  const entries = readdirSync(path.join(ROOT, name), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
}

/** The file in which an installed package has its pages: bundled beforehand, as it has neither their sources nor a bundler. */
export const PACKED_PAGES = path.join(import.meta.dirname, '../dist/pages.br');

/**
 * Compresses all files as one: each page's script contains what most others contain, too, which the window of a single
 * stream finds and that of a package's archive does not.
 * @param {Map<string, Uint8Array>} files by name @returns {Buffer}
 */
export function packPages(files) {
  const index = JSON.stringify([...files].map(([name, content]) => [name, content.length]));
  const whole = Buffer.concat([Buffer.from(`${index}\n`), ...files.values()]);
  return brotliCompressSync(whole, {
    params: {
      // Half a second. The last level makes 12% less of it, in half a minute, for which whoever builds the image waits.
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}

/** @returns {Map<string, Uint8Array>} as they were packed */
function readPackedPages() {
  const whole = brotliDecompressSync(readFileSync(PACKED_PAGES));
  const start = whole.indexOf('\n') + 1;
  /** @type {[name: string, length: number][]} */
  const index = JSON.parse(whole.toString('utf8', 0, start));
  let offset = start;
  return new Map(
    index.map(([name, length]) => {
      const content = whole.subarray(offset, (offset += length));
      return [name, content];
    }),
  );
}
