/**
 * Runs test suites (suites.js), a file in a process of its own, some at a time: a line for each, and all that it said
 * where it failed.
 *
 * usage: node test/run.js SUITE... [--update-golden]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findMissing, remedyFor } from './parts.js';
import { SUITES } from './suites.js';

/** No file takes nearly as long; one that hangs must not hang the suite. */
const FILE_LIMIT_MS = 30 * 60_000;
const UPDATE_GOLDEN = '--update-golden';

/**
 * @typedef {import('./suites.js').Suite} Suite
 *
 * @typedef {object} FileResult
 * @property {string} file
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
  const files = listFiles(suite);
  const fileCount = files.length;
  // A golden file is written by one test file after the other, in the order that it is to have.
  const workerCount = updatesGolden ? 1 : Math.min(suite.workers, fileCount);
  const env = { ...process.env, ...(updatesGolden && { UPDATE_GOLDEN: '1' }) };
  /** @type {FileResult[]} */
  const results = [];
  const work = async () => {
    const site = suite.hasBrowser ? await (await import('./support/shared-site.js')).openSharedSite() : undefined;
    try {
      for (let file = files.shift(); file !== undefined; file = files.shift()) {
        const result = await runFile(file, { ...env, ...site?.env });
        results.push(result);
        report(result, `${results.length}/${fileCount}`);
      }
    } finally {
      await site?.close();
    }
  };
  await Promise.all(Array.from({ length: workerCount }, work));
  return summarize(suite, results, fileCount, (performance.now() - startedAtMs) / 1000);
}

/** @param {Suite} suite */
function listFiles({ folders, except = [], first = [] }) {
  const files = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file).split(path.sep).join('/'),
      ),
    )
    .filter((file) => file.endsWith('.test.js') && !except.some((folder) => file.startsWith(`${folder}/`)))
    .sort();
  return [...first, ...files.filter((file) => !first.includes(file))];
}

/**
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<FileResult>}
 */
async function runFile(file, env) {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, ['--test-reporter=spec', file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => {
    output += `\nStill running after ${FILE_LIMIT_MS / 1000} s: ended.\n`;
    child.kill('SIGKILL');
  }, FILE_LIMIT_MS);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  const countOf = (/** @type {string} */ what) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const testCount = countOf('pass');
  // A file whose tests are not run passes, too, for Node.js.
  const isWhole = testCount > 0 && ['fail', 'cancelled', 'skipped', 'todo'].every((what) => countOf(what) === 0);
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { file, isPassed: code === 0 && isWhole, testCount, seconds, output };
}

/**
 * @param {FileResult} result
 * @param {string} place which of how many
 */
function report({ file, isPassed, testCount, seconds, output }, place) {
  process.stdout.write(`${isPassed ? '✔' : '✖'} ${place} ${file}: ${testCount} tests, ${seconds.toFixed(1)} s\n`);
  if (!isPassed) process.stdout.write(`${output}\n`);
}

/**
 * @param {Suite} suite
 * @param {readonly FileResult[]} results
 * @param {number} fileCount
 * @param {number} seconds
 */
function summarize({ command }, results, fileCount, seconds) {
  const failed = results.filter(({ isPassed }) => !isPassed);
  const testCount = results.reduce((sum, result) => sum + result.testCount, 0);
  process.stdout.write(`\n${command}: ${testCount} tests of ${fileCount} files passed in ${seconds.toFixed(0)} s`);
  process.stdout.write(failed.length > 0 ? `; failed: ${failed.map(({ file }) => file).join(', ')}\n` : '\n');
  return failed.length === 0 && fileCount > 0;
}
