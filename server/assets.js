/**
 * Everything static, read into memory at start: an update in place under a running server changes nothing, and a
 * version's files never mix with another's. All of it lies under one prefix that names its content, so it may be cached
 * for ever.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { init, parse } from 'es-module-lexer';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Folders by the name that a browser sees. Relative imports between them stay as they are written. */
const FOLDERS = { core: 'core', js: 'public/js', css: 'public/css', img: 'public/img' };

/** The files that come from packages, and no others. */
const VENDOR = {
  'jquery.js': 'jquery/dist-module/jquery.module.min.js',
  'sockjs.js': 'sockjs-client/dist/sockjs.min.js',
  'uplot.js': 'uplot/dist/uPlot.esm.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
  'valibot.js': 'valibot/dist/index.min.mjs',
  'pico.css': '@picocss/pico/css/pico.classless.min.css',
};

/**
 * @typedef {object} Assets
 * @property {string} prefix `/assets/<hash>/`
 * @property {(name: string) => Buffer | undefined} content of a name below the prefix, like `js/ajaxtest.js`
 * @property {(name: string) => string} url
 * @property {(script: string) => string[]} modules the URLs of a script and of all that it imports, for a page to
 *   preload at once instead of one level after the other
 */

/** @returns {Promise<Assets>} */
export async function loadAssets() {
  await init;
  const files = new Map([...readFolders(), ...readVendor()].sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
  const prefix = `/assets/${hash.digest('hex').slice(0, 16)}/`;

  return {
    prefix,
    content: (name) => files.get(name),
    url: (name) => `${prefix}${name}`,
    modules: (script) => [...importsOf(files, script)].map((name) => `${prefix}${name}`),
  };
}

/** @returns {Iterable<[string, Buffer]>} */
function* readFolders() {
  for (const [name, folder] of Object.entries(FOLDERS)) {
    const below = path.join(ROOT, folder);
    for (const entry of readdirSync(below, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      yield [path.posix.join(name, path.relative(below, file)), readFileSync(file)];
    }
  }
}

/** @returns {Iterable<[string, Buffer]>} */
function* readVendor() {
  for (const [name, file] of Object.entries(VENDOR)) yield [`vendor/${name}`, readFileSync(findInPackages(file))];
}

/**
 * Not every package exports the files that it ships, so they are looked up as files.
 *
 * @param {string} file a package's name, then a path in it
 * @returns {string}
 */
function findInPackages(file) {
  const folders = require.resolve.paths(file) ?? [];
  const found = folders.map((folder) => path.join(folder, file)).find((candidate) => existsSync(candidate));
  if (!found) throw new Error(`${file}: expected it in node_modules, found none; run npm ci`);
  return found;
}

/**
 * @param {Map<string, Buffer>} files
 * @param {string} script
 * @param {Set<string>} [found]
 * @returns {Set<string>} the script and its imports, theirs included
 */
function importsOf(files, script, found = new Set()) {
  if (found.has(script)) return found;
  found.add(script);
  const source = files.get(script);
  if (!source) throw new Error(`Asset ${script}: expected a file, found none`);
  const [imports] = parse(source.toString());
  for (const { type, specifier } of imports) {
    if (type !== 'static') continue;
    importsOf(files, path.posix.join(path.posix.dirname(script), specifier), found);
  }
  return found;
}
