/**
 * Bundles what browsers get: one script per page, one stylesheet for all pages and one more for some, and the
 * libraries, which are loaded only for a run; and the example, which pages contain.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { transports } from '../core/net/echo/index.js';
import { packagesOf } from '../core/net/libraries.js';
import { transfers } from '../core/net/transfer/index.js';

/** @import { Plugin } from 'esbuild' */

export const ROOT = path.join(import.meta.dirname, '..');
/** All that the result depends on. */
export const SOURCES = [
  ...['core', 'public', 'views/example-run.json', 'package-lock.json'],
  ...['server/brand.js', 'server/bundle.js', 'server/encodings.js', 'server/example.js', 'server/rasterize.js'],
];
/** What the home page shows before a run, drawn. */
export const EXAMPLE = 'example.json';
/** Each file of these is a script by itself: that of a page, and what pages load later. */
const SCRIPTS = ['public/js/pages', 'public/js/later'];
/** That of all pages, and of those that have one of their own. */
const STYLESHEETS = ['site', 'documents', 'matrix', 'results', 'shared-run', 'test-list', 'your-page'].map((name) => ({
  in: `public/css/${name}.css`,
  out: `css/${name}`,
}));
/** The options of what is bundled or minified here. The target is what core is written in; see docs/decisions. */
const SMALL = { minify: true, target: 'es2022', charset: /** @type {const} */ ('utf8') };

/**
 * Packages that ship a file for browsers, which they get; any other is bundled. `replaced`: what stands in it once, and what browsers get instead. `script`: it is no module but a script that sets a
 * variable, which SockJS's frames and a classic page load under this name; the module imports it.
 * @type {Record<string, { file: string, replaced?: [string, string], script?: { name: string, variable:
 *   string } }>}
 */
const PREBUILT = {
  jquery: { file: 'jquery/dist-module/jquery.module.min.js' },
  'sockjs-client': {
    file: 'sockjs-client/dist/sockjs.min.js',
    script: { name: 'sockjs.js', variable: 'SockJS' },
    // It closes its connections when the page goes. Browsers are giving up `unload`, and warn of it.
    replaced: ['attachEvent("unload",', 'attachEvent("pagehide",'],
  },
  valibot: { file: 'valibot/dist/index.min.mjs' },
};
/** The other packages that rows name. */
const BUNDLED = packagesOf([...Object.values(transports), ...Object.values(transfers)]).filter(
  (name) => !(name in PREBUILT),
);

/** @param {string} name of a package @returns {string} of its module, whose default export it is */
const moduleOf = (name) => `vendor/${name}.js`;

/**
 * @param {{ hasMaps?: boolean }} [options] are there source maps, too?
 * @returns {Promise<Map<string, Uint8Array>>} the files' contents by name, like `js/home.js`
 */
export async function bundle({ hasMaps = true } = {}) {
  const { build } = await import('esbuild');
  const scripts = SCRIPTS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder)).map((file) => ({
      in: path.join(folder, file),
      out: `js/${path.parse(file).name}`,
    })),
  );
  const ofPackages = BUNDLED.map((name) => ({ in: name, out: `vendor/${name}` }));
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...scripts, ...ofPackages, ...STYLESHEETS],
    outdir: ROOT,
    bundle: true,
    format: 'esm',
    sourcemap: hasMaps && 'linked',
    ...SMALL,
    write: false,
    logLevel: 'silent',
    plugins: [laterApart],
  });
  const made = outputFiles.map(({ path: file, contents }) => /** @type {const} */ ([nameOf(file), contents]));
  // Nothing else needs what draws these.
  const [{ makeBrand }, { drawExample }] = await Promise.all([import('./brand.js'), import('./example.js')]);
  const example = Buffer.from(JSON.stringify(drawExample()));
  return new Map([...made, ...makeBrand(), [EXAMPLE, example], ...readPrebuilt()]);
}

/** Writes each dynamic import to its own file; static imports stay in their importer. @type {Plugin} */
const laterApart = {
  name: 'later apart',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path: specifier, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      if (specifier in PREBUILT) return { path: `../${moduleOf(specifier)}`, external: true };
      const [, script] = /\/later\/([\w-]+\.js)$/.exec(specifier) ?? [];
      if (script) return { path: `./${script}`, external: true };
      return { errors: [{ text: `${specifier}: expected a library or a script of public/js/later` }] };
    });
  },
};

/** @param {string} file */
const nameOf = (file) => path.relative(ROOT, file).split(path.sep).join('/');

/** @returns {[name: string, content: Buffer][]} */
const readPrebuilt = () =>
  Object.entries(PREBUILT).flatMap(([name, { file, replaced, script }]) => {
    const original = readFileSync(findInPackages(file), 'utf8');
    const text = replaced ? replaceOnce(original, replaced, file) : original;
    if (!script) return [[moduleOf(name), Buffer.from(text)]];
    const module = `import './${script.name}';export default ${script.variable};`;
    return [
      [`vendor/${script.name}`, Buffer.from(text)],
      [moduleOf(name), Buffer.from(module)],
    ];
  });

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
