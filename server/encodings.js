/**
 * Files as they may be sent: as they are, by gzip and by Brotli. Compressing takes seconds where it is done thoroughly, so the
 * result is cached.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * @typedef {{ hash: string, identity: Uint8Array, gzip?: Uint8Array, br?: Uint8Array }} Encodings a file, its SHA-256, and as it
 *   may be sent; absent where that would save nothing worth having
 * @typedef {{ gzipLevel: number, brotliQuality: number }} Effort
 */

/** Takes some tenths of a second for all files: nobody waits long for a first start. */
export const FAST = { gzipLevel: 6, brotliQuality: 5 };
/** Takes some five seconds for all files, and saves visitors 7% of the bytes; Brotli's last level takes twice as long for 1%. */
export const THOROUGH = { gzipLevel: 9, brotliQuality: constants.BROTLI_MAX_QUALITY - 1 };

const MIN_COMPRESSED_BYTES = 512;
/** Matches what is compressed already, and what few load. */
const IS_SENT_AS_IS = /\.(map|png|ico)$/;
const OLD_MS = 24 * 60 * 60 * 1000;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Packs several files.
 * @param {Map<string, Uint8Array>} contents @param {Effort} effort @returns {Promise<Map<string, Encodings>>}
 */
export async function compressAll(contents, effort) {
  const files = [...contents].sort(([a], [b]) => (a < b ? -1 : 1));
  const encodings = await Promise.all(files.map(([name, content]) => compress(name, content, effort)));
  return new Map(files.map(([name], index) => [name, encodings[index]]));
}

/**
 * Packs a file by gzip and by Brotli, unless it is small or packed already.
 * @param {string} name @param {Uint8Array} identity @param {Effort} effort @returns {Promise<Encodings>}
 */
export async function compress(name, identity, { gzipLevel, brotliQuality }) {
  const hash = createHash('sha256').update(identity).digest('hex');
  if (identity.length < MIN_COMPRESSED_BYTES || IS_SENT_AS_IS.test(name)) return { hash, identity };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [gzipped, br] = await Promise.all([toGzip(identity, { level: gzipLevel }), toBrotli(identity, { params })]);
  return { hash, identity, gzip: gzipped, br };
}

/**
 * @param {string} cache the file that keeps them; others beside it are removed when they are a day old
 * @param {{ make: () => Promise<Map<string, Uint8Array>>, effort: Effort }} options `make`: makes the contents; `effort`: the
 *   least that was made for what is kept, or they are made again
 * @returns {Promise<Map<string, Encodings>>}
 */
export async function readOrMake(cache, { make, effort }) {
  const kept = readCache(cache);
  if (kept && kept.effort.brotliQuality >= effort.brotliQuality) return kept.files;
  const files = await compressAll(await make(), effort);
  keep(cache, { effort, files });
  return files;
}

/** @typedef {{ effort: Effort, files: Map<string, Encodings> }} Kept */

/** @param {string} cache @returns {Kept | undefined} absent where there is none that can be read whole */
function readCache(cache) {
  try {
    return deserialize(readFileSync(cache));
  } catch {
    return undefined;
  }
}

/** @param {string} cache @param {Kept} made */
function keep(cache, made) {
  const folder = path.dirname(cache);
  const unfinished = `${cache}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(unfinished, serialize(made));
    // Renaming is atomic, so that others never read an incomplete file.
    renameSync(unfinished, cache);
    const others = readdirSync(folder).map((name) => path.join(folder, name));
    for (const other of others.filter((one) => one !== cache && isOld(one))) rmSync(other, { force: true });
  } catch {
    // A folder that may not be written to costs the next start this time again, nothing else.
    rmSync(unfinished, { force: true });
  }
}

/** @param {string} file */
function isOld(file) {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
  return Date.now() - mtimeMs > OLD_MS;
}
