/**
 * Programs that run beside this one: waited for until they are ready, ended by their id.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** @import { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process' */

const KEPT_ERROR_CHARACTERS = 2000;

/**
 * Reads a program's standard output until a line says what is waited for. What it writes afterwards is read, too, and
 * dropped, so that it is never stopped by a full pipe.
 *
 * @template T
 * @param {ChildProcessWithoutNullStreams} child just started
 * @param {(line: string) => T | undefined} parse gives what was waited for, or undefined for any other line
 * @param {{ limitMs: number }} options
 * @returns {Promise<T>}
 * @throws {Error} where it could not be started, ended before, or took too long; with what it wrote on standard error
 */
export function readUntil(child, parse, { limitMs }) {
  const name = child.spawnargs.join(' ');
  let errorText = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errorText = (errorText + text).slice(-KEPT_ERROR_CHARACTERS);
  });

  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ reason) => {
      clearTimeout(limit);
      reject(new Error(`${name}: ${reason}${errorText && `: ${errorText.trim()}`}`));
    };
    const limit = setTimeout(() => fail(`expected to be ready within ${limitMs} ms`), limitMs);
    child.once('error', (error) => fail(error.message));
    // Not 'exit': only now all of standard error is in.
    child.once('close', (code, signal) => fail(`ended with ${signal ?? code} before it was ready`));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const value = parse(line);
      if (value === undefined) return;
      clearTimeout(limit);
      resolve(value);
    });
  });
}

/**
 * Asks a program to end, and makes it end where it does not.
 *
 * @param {ChildProcess} child
 * @param {{ limitMs?: number }} [options]
 */
export async function endChild(child, { limitMs = 10_000 } = {}) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(limit);
}
