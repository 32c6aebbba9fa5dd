/** Bundles what browsers get: one script per page, one stylesheet for all, and the libraries, which are loaded only for a run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { EXPERIMENTS } from '../core/experiments/all.js';
import { LOADERS } from '../core/experiments/index.js';
import { membersOf } from '../core/full-test/plan.js';
import { transports } from '../core/net/echo/index.js';
import { packagesOf } from '../core/net/libraries.js';
import { transfers } from '../core/net/transfer/index.js';
import { pageFilesOf } from './experiment-pages.js';

/** @import { Plugin, transform } from 'esbuild' */

export const ROOT = path.join(import.meta.dirname, '..');
/** All that the result depends on. */
export const SOURCES = [
  ...['core', 'public', 'package-lock.json'],
  ...['server/bundle.js', 'server/encodings.js', 'server/experiment-pages.js'],
];
/** Each file of these is a script by itself: that of a page, and what pages load later. */
const SCRIPTS = ['public/js/pages', 'public/js/later'];
/** The options of what is bundled or minified here. The target is what core is written in; see docs/decisions. */
const SMALL = { minify: true, target: 'es2022', charset: /** @type {const} */ ('utf8') };
const IMAGES = path.join(ROOT, 'public/img');

/**
 * Packages of which browsers get a file that they ship; any other is bundled. `isUnminified`: it ships no smaller one.
 * `replaced`: what stands in it once, and what browsers get instead. `script`: it is no module but a script that sets a
 * variable, which SockJS's frames and a classic page load under this name; the module imports it.
 * @type {Record<string, { file: string, isUnminified?: boolean, replaced?: [string, string], script?: { name: string, variable:
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
  uplot: {
    file: 'uplot/dist/uPlot.esm.js',
    isUnminified: true,
    // The site is in English. And a browser may report what is no language tag, like en-US@posix: Intl throws at that.
    replaced: ['nav.language', "'en'"],
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
  const ofFullTest = ['all', ...['result-', 'compare-'].map((kind) => kind + FULL_TEST)].map((name) => ({
    in: ENTRY + name,
    out: `js/${name}`,
  }));
  const ofPackages = BUNDLED.map((name) => ({ in: name, out: `vendor/${name}` }));
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [
      ...scripts,
      ...ofExperiments,
      ...ofFullTest,
      ...ofPackages,
      { in: 'public/css/site.css', out: 'css/site' },
    ],
    outdir: ROOT,
    bundle: true,
    format: 'esm',
    sourcemap: hasMaps && 'linked',
    ...SMALL,
    write: false,
    logLevel: 'silent',
    plugins: [laterApart, entriesOfExperiments],
  });
  const made = outputFiles.map(({ path: file, contents }) => /** @type {const} */ ([nameOf(file), contents]));
  const images = readdirSync(IMAGES).map((name) => {
    return /** @type {const} */ ([`img/${name}`, readFileSync(path.join(IMAGES, name))]);
  });
  return new Map([...made, ...images, ...(await readPrebuilt(transform))]);
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
/** The full test has no folder among the experiments: it is made of these. */
const FULL_TEST = 'full-test';
const MEMBERS = membersOf(EXPERIMENTS);

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
  if (entry === 'all') return formatFullTestPage();
  const kind = String(Object.keys(OPENERS).find((start) => entry.startsWith(start)));
  const { opener, file, needsClient } = OPENERS[kind];
  const name = entry.slice(kind.length);
  if (name === FULL_TEST) return formatSavedFullTest({ opener, file });
  const client = needsClient ? pageFilesOf(name).client : undefined;
  return [
    `import { ${opener} } from './public/js/${file}';`,
    `import experiment from './core/experiments/${name}/index.js';`,
    client ? `import { client } from './public/js/${client}';` : 'const client = {};',
    `await ${opener}(experiment, client);`,
  ].join('\n');
}

/** @param {{ opener: string, file: string }} page of its saved documents @returns {string} */
const formatSavedFullTest = ({ opener, file }) =>
  [
    `import { ${opener} } from './public/js/${file}';`,
    `import { createFullTestView } from './public/js/ui/full-test-view.js';`,
    ...importMembers(),
    `const members = [${MEMBERS.map((_, i) => `member${i}`)}];`,
    'const fullTest = createFullTest(members);',
    `await ${opener}(fullTest, { createView: () => createFullTestView(fullTest, members) });`,
  ].join('\n');

/** The experiments that can be a part of a full test, by their index. @returns {string[]} */
const importMembers = () => [
  `import { createFullTest } from './core/full-test/index.js';`,
  ...MEMBERS.map(({ name }, i) => `import member${i} from './core/experiments/${name}/index.js';`),
];

/** @returns {string} the page that measures them */
function formatFullTestPage() {
  const clients = MEMBERS.map(({ name }) => pageFilesOf(name).client);
  const parts = MEMBERS.map((_, i) => `{ experiment: member${i}, client: ${clients[i] ? `client${i}` : '{}'} }`);
  return [
    `import { openFullTestPage } from './public/js/full-test-page.js';`,
    ...importMembers(),
    ...clients.flatMap((file, i) => (file ? [`import { client as client${i} } from './public/js/${file}';`] : [])),
    `await openFullTestPage([${parts}]);`,
  ].join('\n');
}

/** @param {string} file */
const nameOf = (file) => path.relative(ROOT, file).split(path.sep).join('/');

/** @param {typeof transform} minify @returns {Promise<[name: string, content: Buffer][]>} */
async function readPrebuilt(minify) {
  const files = Object.entries(PREBUILT).map(async ([name, { file, isUnminified, replaced, script }]) => {
    const original = readFileSync(findInPackages(file), 'utf8');
    const whole = replaced ? replaceOnce(original, replaced, file) : original;
    const text = isUnminified ? (await minify(whole, SMALL)).code : whole;
    if (!script) return [[moduleOf(name), text]];
    const module = `import './${script.name}';export default ${script.variable};`;
    return [
      [`vendor/${script.name}`, text],
      [moduleOf(name), module],
    ];
  });
  return (await Promise.all(files)).flat().map(([name, text]) => [name, Buffer.from(text)]);
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
