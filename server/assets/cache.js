/**
 * Bundling and compressing take seconds, so what came of it is kept beside the packages, where `npm ci` removes it, under
 * a name made of all that it depends on.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { ROOT, SOURCES } from './bundle.js';

const FOLDER = path.join(ROOT, 'node_modules/.cache/sockshootout');

/**
 * @template T
 * @param {() => Promise<T>} make of what the structured clone algorithm can copy
 * @returns {Promise<T>} made now, or as it was made before of the same sources
 */
export async function cached(make) {
  const file = path.join(FOLDER, hashSources());
  const kept = read(file);
  if (kept !== undefined) return kept;
  const made = await make();
  keep(file, made);
  return made;
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
  return readdirSync(path.join(ROOT, name), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || entry.isFile() ? listFiles(`${name}/${entry.name}`) : [],
  );
}

/** @param {string} file @returns {any} absent where there is none that can be read */
function read(file) {
  try {
    return deserialize(readFileSync(file));
  } catch {
    // None, or half of one: it is made again.
    return undefined;
  }
}

/** @param {string} file @param {unknown} made */
function keep(file, made) {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(unfinished, serialize(made));
    // Whole or not at all, whoever else reads or writes it.
    renameSync(unfinished, file);
    for (const name of readdirSync(FOLDER)) {
      if (name !== path.basename(file) && isOld(path.join(FOLDER, name)))
        rmSync(path.join(FOLDER, name), { force: true });
    }
  } catch {
    // A folder that may not be written to costs the next start these seconds again, nothing else.
    rmSync(unfinished, { force: true });
  }
}

const OLD_MS = 24 * 60 * 60 * 1000;

/** @param {string} file */
function isOld(file) {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
  return Date.now() - mtimeMs > OLD_MS;
}
