/**
 * Everything static, in memory: an update in place under a running server changes nothing, and a version's files never mix
 * with another's. All of it lies under one prefix that names its content, so it may be cached forever.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundle, ROOT, SOURCES } from './bundle.js';
import { readPackedPages } from './packed-pages.js';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
const MIN_COMPRESSED_BYTES = 512;
/** The most that compression can do takes seconds for all files, which is kept; this takes a fraction of one, at each start. */
const BEST = { gzipLevel: 9, brotliQuality: constants.BROTLI_MAX_QUALITY };
const FAST = { gzipLevel: 6, brotliQuality: 5 };

/** Bundling and compressing take seconds, so what came of it is kept here, where `npm ci` removes it. */
const CACHE = path.join(ROOT, 'node_modules/.cache/sockshootout');
const OLD_MS = 24 * 60 * 60 * 1000;

/**
 * @typedef {{ identity: Uint8Array, gzip?: Uint8Array, br?: Uint8Array }} Encodings a file, and as it may be sent; absent
 *   where that would save nothing worth having
 *
 * @typedef {Awaited<ReturnType<typeof readAssets>>} Assets `prefix`: `/assets/<hash>/`; names are below it, like
 *   `js/ajaxtest.js`
 */

/** @type {Promise<Assets> | undefined} */
let loaded;

/** Loads the assets once for all servers of a process. @returns {Promise<Assets>} */
export const loadAssets = () => (loaded ??= readAssets());

async function readAssets() {
  const files = hasSources() ? await readBundled() : await compressAll(readPackedPages(), FAST);
  const hash = createHash('sha256');
  for (const [name, { identity }] of files) hash.update(`${name}\0${identity.length}\0`).update(identity);
  const prefix = `/assets/${hash.digest('hex').slice(0, 16)}/`;

  return {
    prefix,
    find: (/** @type {string} */ name) => files.get(name),
    url(/** @type {string} */ name) {
      if (!files.has(name)) throw new Error(`Asset ${name}: expected a file, got none`);
      return `${prefix}${name}`;
    },
  };
}

/** An installed package has none. A clone bundles them, as they may have changed since its pages were packed. */
const hasSources = () => existsSync(path.join(ROOT, 'public'));

async function readBundled() {
  const cache = path.join(CACHE, hashSources());
  return readCache(cache) ?? keep(cache, await compressAll(await bundle(), BEST));
}

/** @param {Map<string, Uint8Array>} contents @param {typeof BEST} effort @returns {Promise<Map<string, Encodings>>} */
async function compressAll(contents, effort) {
  const files = [...contents].sort(([a], [b]) => (a < b ? -1 : 1));
  const encodings = await Promise.all(files.map(([name, content]) => compress(name, content, effort)));
  return new Map(files.map(([name], index) => [name, encodings[index]]));
}

/** @param {string} name @param {Uint8Array} identity @param {typeof BEST} effort @returns {Promise<Encodings>} */
async function compress(name, identity, { gzipLevel, brotliQuality }) {
  if (identity.length < MIN_COMPRESSED_BYTES || name.endsWith('.map')) return { identity };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [gzipped, br] = await Promise.all([toGzip(identity, { level: gzipLevel }), toBrotli(identity, { params })]);
  return { identity, gzip: gzipped, br };
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

/** @param {string} file @returns {Map<string, Encodings> | undefined} absent where there is none that can be read whole */
function readCache(file) {
  try {
    return deserialize(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** @param {string} file @param {Map<string, Encodings>} made @returns {Map<string, Encodings>} the same */
function keep(file, made) {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(unfinished, serialize(made));
    // Renaming is atomic, so that others never read an incomplete file.
    renameSync(unfinished, file);
    const others = readdirSync(CACHE).map((name) => path.join(CACHE, name));
    for (const other of others.filter((one) => one !== file && isOld(one))) rmSync(other, { force: true });
  } catch {
    // A folder that may not be written to costs the next start these seconds again, nothing else.
    rmSync(unfinished, { force: true });
  }
  return made;
}

/** @param {string} file */
function isOld(file) {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
  return Date.now() - mtimeMs > OLD_MS;
}
