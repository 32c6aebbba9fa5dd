/**
 * A program of the command line as its user has it: a process of its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** @import { ChildProcess } from 'node:child_process' */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(text: string, child: ChildProcess) => void} [onProgress] gets all of standard error so far
 */

/**
 * @param {string} file below the project's folder
 * @param {readonly string[]} words
 * @param {RunOptions} [options]
 */
export function runProgram(file, words, options) {
  return runCommand([process.execPath, file, ...words], options);
}

/**
 * @param {readonly string[]} command
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number | null, out: string, err: string }>} when it ended
 */
export async function runCommand([name, ...args], { env = process.env, onProgress } = {}) {
  const child = spawn(name, args, { cwd: ROOT, env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
    onProgress?.(err, child);
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/**
 * Sends Ctrl-C once.
 *
 * @param {string} mark when standard error says so
 * @returns {NonNullable<RunOptions['onProgress']>}
 */
export function pressCtrlCAt(mark) {
  let isSent = false;
  return (text, child) => {
    if (isSent || !text.includes(mark)) return;
    isSent = true;
    child.kill('SIGINT');
  };
}
