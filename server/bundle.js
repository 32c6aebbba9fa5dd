/** Bundles what browsers get: one script per page, one stylesheet for all, and the libraries, which are loaded only for a run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { LOADERS } from '../core/experiments/index.js';
import { pageFilesOf } from './experiment-pages.js';

/** @import { Plugin, transform } from 'esbuild' */

export const ROOT = path.join(import.meta.dirname, '..');
/** All that the result depends on. */
export const SOURCES = [
  ...['core', 'public', 'package-lock.json'],
  ...['server/assets.js', 'server/bundle.js', 'server/experiment-pages.js'],
];
/** Each file of these is a script by itself: that of a page, and what pages load later. */
const SCRIPTS = ['public/js/pages', 'public/js/later'];
/** The options of what is bundled or minified here. The target is what core is written in; see docs/decisions. */
const SMALL = { minify: true, target: 'es2022', charset: /** @type {const} */ ('utf8') };
const IMAGES = path.join(ROOT, 'public/img');

/**
 * Files of packages, by the package's name in an import. `isUnminified`: it ships no smaller one. `replaced`: what stands in
 * it once, and what browsers get instead.
 * @type {Record<string, { name: string, file: string, isUnminified?: boolean, replaced?: [string, string] }>}
 */
const LIBRARIES = {
  jquery: { name: 'vendor/jquery.js', file: 'jquery/dist-module/jquery.module.min.js' },
  'sockjs-client': {
    name: 'vendor/sockjs.js',
    file: 'sockjs-client/dist/sockjs.min.js',
    // It closes its connections when the page goes. Browsers are giving up `unload`, and warn of it.
    replaced: ['attachEvent("unload",', 'attachEvent("pagehide",'],
  },
  uplot: {
    name: 'vendor/uplot.js',
    file: 'uplot/dist/uPlot.esm.js',
    isUnminified: true,
    // The site is in English. And a browser may report what is no language tag, like en-US@posix: Intl throws at that.
    replaced: ['nav.language', "'en'"],
  },
  valibot: { name: 'vendor/valibot.js', file: 'valibot/dist/index.min.mjs' },
};

/** @returns {Promise<Map<string, Uint8Array>>} the files' contents by name, like `js/home.js` */
export async function bundle() {
  const { build, transform } = await import('esbuild');
  const scripts = SCRIPTS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder)).map((file) => ({
      in: path.join(folder, file),
      out: `js/${path.parse(file).name}`,
    })),
  );
  const ofExperiments = Object.keys(LOADERS).flatMap((name) =>
    Object.keys(OPENERS).map((kind) => ({ in: `${ENTRY}${kind}${name}`, out: `js/${kind}${name}` })),
  );
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...scripts, ...ofExperiments, { in: 'public/css/site.css', out: 'css/site' }],
    outdir: ROOT,
    bundle: true,
    format: 'esm',
    sourcemap: 'linked',
    ...SMALL,
    write: false,
    logLevel: 'silent',
    plugins: [laterApart, entriesOfExperiments],
  });
  const made = outputFiles.map(({ path: file, contents }) => /** @type {const} */ ([nameOf(file), contents]));
  const images = readdirSync(IMAGES).map((name) => {
    return /** @type {const} */ ([`img/${name}`, readFileSync(path.join(IMAGES, name))]);
  });
  return new Map([...made, ...images, ...(await readLibraries(transform))]);
}

/** Writes each dynamic import to its own file; static imports stay in their importer. @type {Plugin} */
const laterApart = {
  name: 'later apart',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path: specifier, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const library = LIBRARIES[specifier];
      if (library) return { path: `../${library.name}`, external: true };
      const [, script] = /\/later\/([\w-]+\.js)$/.exec(specifier) ?? [];
      if (script) return { path: `./${script}`, external: true };
      return { errors: [{ text: `${specifier}: expected a library or a script of public/js/later` }] };
    });
  },
};

/**
 * The functions that open an experiment's pages, by the prefix of the script's name. Each is given the experiment,
 * and the experiment's client where it needs that.
 * @type {Record<string, { opener: string, file: string, needsClient: boolean }>}
 */
const OPENERS = {
  'run-': { opener: 'openExperimentPage', file: 'experiment-page.js', needsClient: true },
  'result-': { opener: 'openResultPage', file: 'result-page.js', needsClient: true },
  'compare-': { opener: 'openComparePage', file: 'compare-page.js', needsClient: false },
};
const ENTRY = 'experiment:';

/** @type {Plugin} */
const entriesOfExperiments = {
  name: 'entries of experiments',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^experiment:/ }, ({ path: entry }) => ({ path: entry.slice(ENTRY.length), namespace: ENTRY }));
    onLoad({ filter: /./, namespace: ENTRY }, ({ path: name }) => ({ contents: formatEntry(name), resolveDir: ROOT }));
  },
};

/** @param {string} entry like `run-in-flight` */
function formatEntry(entry) {
  const kind = String(Object.keys(OPENERS).find((start) => entry.startsWith(start)));
  const { opener, file, needsClient } = OPENERS[kind];
  const name = entry.slice(kind.length);
  const client = needsClient ? pageFilesOf(name).client : undefined;
  return [
    `import { ${opener} } from './public/js/${file}';`,
    `import experiment from './core/experiments/${name}/index.js';`,
    client ? `import { client } from './public/js/${client}';` : 'const client = {};',
    `await ${opener}(experiment, client);`,
  ].join('\n');
}

/** @param {string} file */
const nameOf = (file) => path.relative(ROOT, file).split(path.sep).join('/');

/** @param {typeof transform} minify */
function readLibraries(minify) {
  const libraries = Object.values(LIBRARIES).map(async ({ name, file, isUnminified, replaced }) => {
    const original = readFileSync(findInPackages(file), 'utf8');
    const text = replaced ? replaceOnce(original, replaced, file) : original;
    return /** @type {const} */ ([name, Buffer.from(isUnminified ? (await minify(text, SMALL)).code : text)]);
  });
  return Promise.all(libraries);
}

/** @param {string} text @param {[string, string]} replaced @param {string} file */
function replaceOnce(text, [from, to], file) {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${file}: expected '${from}' once, got it ${parts.length - 1} times`);
  return parts.join(to);
}

/** Not every package exports the files that it ships. @param {string} file a package's name, then a path in it */
function findInPackages(file) {
  const folders = createRequire(import.meta.url).resolve.paths(file) ?? [];
  const found = folders.map((folder) => path.join(folder, file)).find((candidate) => existsSync(candidate));
  if (!found) throw new Error(`${file}: expected it in node_modules, found none; run npm ci`);
  return found;
}
