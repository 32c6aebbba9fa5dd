/** Test files in a process of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { readBeginning, readFailure, readOutput } from './reporter.js';

const LIMIT_MS = 10 * 60_000;
/** In a network of its own, where only loopback is; needs root. */
const APART = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/**
 * @typedef {object} Result of a process
 * @property {readonly string[]} files
 * @property {boolean} isPassed
 * @property {number} testCount
 * @property {number} seconds
 * @property {Record<string, number>} secondsByFile
 * @property {number} [cpuSeconds]
 * @property {string} [failure] the first
 * @property {readonly string[]} failedFiles all of them where nothing says which; with one that hung, those after it, which never
 *   ran
 * @property {string} output
 *
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [limitMs] of each file, by default 10 min: one that hangs must not hang all
 * @property {boolean} [isApart] in a network of its own
 */

/**
 * @param {readonly string[]} files run one after the other
 * @param {RunOptions} [options]
 * @returns {Promise<Result>}
 */
export async function runFiles(files, { env = process.env, limitMs = LIMIT_MS, isApart = false } = {}) {
  const startedAtMs = performance.now();
  const args = ['--test-reporter=./test/runner/reporter.js', 'test/runner/run-files.js', ...files];
  const [program, ...words] = [...(isApart ? APART : []), process.execPath, ...args];
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let [current] = files;
  let isLate = false;
  /** @type {string[]} */
  const failedSoFar = [];
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
    // Programs that it started may hold them open.
    child.once('exit', () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()));
  }, limitMs);
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    const failed = readFailure(line);
    if (failed !== undefined) failedSoFar.push(failed);
    const begun = readBeginning(line);
    if (begun === undefined) return;
    current = begun;
    timer.refresh();
  });
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { text, facts } = readOutput(output);
  const { failedFiles = [], passedCount = 0, failedCount = 0, secondsByFile = {}, cpuSeconds } = facts ?? {};
  // A file whose tests are not run passes, too, for Node.js.
  const unended = files.slice(files.findIndex((file) => path.resolve(file) === path.resolve(current)));
  const isPassed = code === 0 && passedCount > 0 && failedCount === 0;
  const ending = isLate
    ? `${current} was still running after ${limitMs / 1000} s, its limit`
    : `no test failed, but it ended with ${code}`;
  return {
    files,
    isPassed,
    testCount: passedCount,
    seconds,
    secondsByFile: files.length === 1 ? { [files[0]]: seconds } : secondsByFile,
    cpuSeconds,
    ...(!isPassed && { failure: facts?.failure ?? ending }),
    failedFiles: isLate ? [...failedSoFar, ...unended] : isPassed || failedFiles.length > 0 ? failedFiles : files,
    output: isLate ? `${text}\n${ending}\n` : text,
  };
}
