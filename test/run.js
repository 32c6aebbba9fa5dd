/**
 * Runs test suites (suites.js), some processes at a time: a line for each, and all that it said where it failed.
 *
 * usage: node test/run.js SUITE... [--update-golden]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { loadAssets } from '../server/assets.js';
import { findMissing, remedyFor } from './parts.js';
import { SUITES } from './suites.js';

/** @import { Suite } from './suites.js' */

const LIMIT_MS = 10 * 60_000;
const UPDATE_GOLDEN = '--update-golden';

/**
 * @typedef {object} Result of a process
 * @property {readonly string[]} files
 * @property {boolean} isPassed
 * @property {number} testCount
 * @property {number} seconds
 * @property {string} output
 */

const words = process.argv.slice(2);
const names = words.filter((word) => word !== UPDATE_GOLDEN);
const isUpdating = words.includes(UPDATE_GOLDEN);
const unknown = names.find((name) => !Object.hasOwn(SUITES, name));
if (names.length === 0 || unknown !== undefined) {
  process.stderr.write(`Expected one or more of ${Object.keys(SUITES).join(', ')}, got '${unknown ?? 'none'}'\n`);
  process.exit(2);
}
if (isUpdating && names.join() !== 'quick') {
  process.stderr.write(`Expected ${UPDATE_GOLDEN} after npm test alone: the other suites hold no golden files\n`);
  process.exit(2);
}
if (isUpdating) rmSync('test/golden', { recursive: true, force: true });
for (const name of names) {
  if (!(await runSuite(SUITES[name], isUpdating))) process.exitCode = 1;
}

/**
 * @param {Suite} suite
 * @param {boolean} updatesGolden
 * @returns {Promise<boolean>} whether all passed
 */
async function runSuite(suite, updatesGolden) {
  const missing = await findMissing(suite.parts);
  if (missing.length > 0) {
    const remedy = remedyFor(missing, suite.command);
    process.stderr.write(`${suite.command} needs ${missing.join(', ')}. To get it:\n\n  ${remedy}\n\n`);
    return false;
  }
  const startedAtMs = performance.now();
  // Once, and not by each of the servers that start at the same moment.
  await loadAssets();
  // A golden file is written by one test file after the other, in the order of their names.
  const parcels = updatesGolden
    ? listFiles(suite)
        .sort()
        .map((file) => [file])
    : pack(suite);
  const parcelCount = parcels.length;
  const workerCount = updatesGolden ? 1 : Math.min(suite.workers, parcelCount);
  const env = { ...process.env, ...(updatesGolden && { UPDATE_GOLDEN: '1' }) };
  /** @type {Result[]} */
  const results = [];
  const work = async () => {
    const site = suite.hasBrowser ? await (await import('./support/shared-site.js')).openSharedSite() : undefined;
    try {
      for (let files = parcels.shift(); files !== undefined; files = parcels.shift()) {
        const result = await runFiles(files, { env: { ...env, ...site?.env }, limitMs: suite.limitMs });
        results.push(result);
        report(result, `${results.length}/${parcelCount}`);
      }
    } finally {
      await site?.close();
    }
  };
  await Promise.all(Array.from({ length: workerCount }, work));
  return summarize(suite, results, (performance.now() - startedAtMs) / 1000);
}

/**
 * @param {Suite} suite
 * @returns {string[]} by folder, then by name
 */
function listFiles({ folders, except = [] }) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file).split(path.sep).join('/'))
      .sort(),
  );
  return [...new Set(files)].filter(
    (file) => file.endsWith('.test.js') && !except.some((folder) => file.startsWith(`${folder}/`)),
  );
}

/**
 * @param {Suite} suite
 * @returns {string[][]} the files of each process
 */
function pack(suite) {
  const { alone = [], processes } = suite;
  const files = listFiles(suite);
  const unknown = alone.find((file) => !files.includes(file));
  if (unknown !== undefined) throw new Error(`test/suites.js: expected a test file, got '${unknown}'`);
  const others = files.filter((file) => !alone.includes(file));
  /** @type {string[][]} */
  const parcels = Array.from({ length: Math.min(processes ?? Infinity, others.length) }, () => []);
  // Dealt like cards: what takes long lies in the same folders.
  for (const [index, file] of others.entries()) parcels[index % parcels.length].push(file);
  return [...alone.map((file) => [file]), ...parcels];
}

/**
 * @param {readonly string[]} files
 * @param {{ env: NodeJS.ProcessEnv, limitMs?: number }} options
 * @returns {Promise<Result>}
 */
async function runFiles(files, { env, limitMs = LIMIT_MS }) {
  const startedAtMs = performance.now();
  const args = ['--test-reporter=spec', 'test/run-files.js', ...files];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => {
    output += `\nStill running after ${limitMs / 1000} s: ended.\n`;
    child.kill('SIGKILL');
  }, limitMs);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  const countOf = (/** @type {string} */ what) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const testCount = countOf('pass');
  // A file whose tests are not run passes, too, for Node.js.
  const isWhole = testCount > 0 && ['fail', 'cancelled', 'skipped', 'todo'].every((what) => countOf(what) === 0);
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { files, isPassed: code === 0 && isWhole, testCount, seconds, output };
}

/**
 * @param {Result} result
 * @param {string} place which of how many
 */
function report({ files, isPassed, testCount, seconds, output }, place) {
  const label = files.length === 1 ? files[0] : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
  process.stdout.write(`${isPassed ? '✔' : '✖'} ${place} ${label}: ${testCount} tests, ${seconds.toFixed(1)} s\n`);
  if (!isPassed) process.stdout.write(`${output}\n`);
}

/**
 * @param {Suite} suite
 * @param {readonly Result[]} results
 * @param {number} seconds
 */
function summarize({ command }, results, seconds) {
  const failed = results.filter(({ isPassed }) => !isPassed).flatMap(({ files }) => files);
  const testCount = results.reduce((sum, result) => sum + result.testCount, 0);
  const fileCount = results.reduce((sum, { files }) => sum + files.length, 0);
  process.stdout.write(`\n${command}: ${testCount} tests of ${fileCount} files passed in ${seconds.toFixed(0)} s`);
  process.stdout.write(failed.length > 0 ? `; failures in: ${failed.join(', ')}\n` : '\n');
  return failed.length === 0 && fileCount > 0;
}
