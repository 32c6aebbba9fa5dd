/**
 * Runs one test file again and again beside busy loops, and says how often it failed.
 *
 * usage: npm run test:steady -- FILE [--times 20] [--load 4]
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listFiles } from './runner/pack.js';
import { findMissing, remedyFor } from './runner/parts.js';
import { runFiles } from './runner/process.js';
import { SUITES } from './runner/suites.js';

const USAGE = 'usage: npm run test:steady -- FILE [--times 20] [--load 4]';
/** It ends by itself where this process was killed. */
const BUSY_LOOP = 'const { ppid } = process; while (process.ppid === ppid) for (let i = 0; i < 1e8; i++);';

/** @param {string} message @returns {never} */
function refuse(message) {
  process.stderr.write(`${message}\n${USAGE}\n`);
  process.exit(2);
}

/** @param {string} name @param {string} text @param {number} min @returns {number} */
function parseCount(name, text, min) {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < min)
    refuse(`--${name}: expected a whole number from ${min} on, got '${text}'`);
  return count;
}

/** @returns {{ file: string, times: number, load: number }} */
function readArgs() {
  const strings = { times: { type: 'string', default: '20' }, load: { type: 'string', default: '4' } };
  try {
    const { positionals, values } = parseArgs({ options: /** @type {any} */ (strings), allowPositionals: true });
    const [file = '', ...others] = positionals;
    if (others.length > 0 || !existsSync(file)) refuse(`Expected one test file, got '${positionals.join(' ')}'`);
    const { times, load } = /** @type {Record<string, string>} */ (values);
    return { file, times: parseCount('times', times, 1), load: parseCount('load', load, 0) };
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
}

const { file, times, load } = readArgs();
const suite = Object.values(SUITES).find((one) => listFiles(one).includes(file));
const missing = await findMissing(suite?.parts ?? []);
if (suite && missing.length > 0) refuse(`${file} needs ${missing.join(', ')}: ${remedyFor(missing, suite.command)}`);

const loops = Array.from({ length: load }, () => spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: 'ignore' }));
let failedCount = 0;
try {
  for (let i = 1; i <= times; i++) {
    const { isPassed, seconds, failure = '', output } = await runFiles([file], { limitMs: suite?.limitMs });
    if (!isPassed && failedCount++ === 0) process.stdout.write(`${output}\n`);
    process.stdout.write(`${isPassed ? '✔' : '✖'} ${i}/${times} ${seconds.toFixed(1)} s ${failure}`.trimEnd() + '\n');
  }
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}
process.stdout.write(`${file} failed ${failedCount} of ${times} times beside ${load} busy loops\n`);
if (failedCount > 0) process.exitCode = 1;
