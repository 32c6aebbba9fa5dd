/** Programs that run beside this one, the site's server among them: waited for until ready, ended by their id. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { UsageError } from './program.js';

/** @import { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process' */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const END_WITH_PARENT = fileURLToPath(new URL('end-with-parent.js', import.meta.url));
/** The first start of a version bundles its pages, which takes an eighth of a CPU 45 s. */
const START_LIMIT_MS = 180_000;
const KEPT_ERROR_CHARACTERS = 2000;

/**
 * Reads a program's standard output until a line is what the caller waits for, and continues reading, so that a full
 * pipe does not block the program.
 * @template T @param {ChildProcessWithoutNullStreams} child just started
 * @param {(line: string) => T | undefined} parse returns what is waited for @param {{ limitMs: number }} options
 * @returns {Promise<T>} rejects if it could not be started, ended before, or took too long; with its standard error
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
    // The 'exit' event would be too early: only at 'close' all of standard error has been read.
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
 * Asks a program to exit, and kills it after the time limit.
 * @param {ChildProcess} child @param {{ limitMs?: number }} [options]
 */
export async function endChild(child, { limitMs = 10_000 } = {}) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  child.kill(limitMs > 0 ? 'SIGTERM' : 'SIGKILL');
  await once(child, 'exit');
  clearTimeout(limit);
}

/**
 * Starts the site's server, with its saved runs in a temporary folder, and ends it however this program ends.
 * @template T @param {(argv: string[]) => string[]} commandOf the command that runs a program in the server's
 *   environment; it must hand its standard input on
 * @param {Record<string, string>} env its settings @param {(port: number) => Promise<T>} use
 * @param {string} [program] that prints its port, a path in the project's folder
 * @returns {Promise<T>} what `use` returns @throws {UsageError} if it does not start; with its output
 */
export async function withServer(commandOf, env, use, program = 'server.js') {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  const [name, ...args] = commandOf([process.execPath, '--import', END_WITH_PARENT, program]);
  const server = spawn(name, args, {
    cwd: ROOT,
    // A terminal's Ctrl-C goes to the whole process group, but the measured server must not end first.
    detached: true,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'info', DATA_DIR: dataDir, ...env },
  });
  const endAtOnce = () => {
    server.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', endAtOnce);
  try {
    return await use(await readPort(server));
  } finally {
    // The server ends at once: nobody else uses it, and its data is removed, too.
    await endChild(server, { limitMs: 0 });
    await rm(dataDir, { recursive: true, force: true });
    process.off('exit', endAtOnce);
  }
}

/** @param {ChildProcessWithoutNullStreams} server @returns {Promise<number>} */
const readPort = (server) =>
  readUntil(server, (line) => JSON.parse(line).port, { limitMs: START_LIMIT_MS }).catch((error) => {
    throw new UsageError(error.message, { cause: error });
  });

/**
 * Starts a server like {@link withServer}, for this machine only.
 * @template T @param {(baseUrl: string) => Promise<T>} use
 * @param {{ processCount?: number }} [options] of those that share its port; by default it has one
 */
export const withOwnServer = (use, { processCount = 1 } = {}) =>
  withServer(
    (argv) => argv,
    { HOST: '127.0.0.1', SERVER_NAME: 'own server', ...(processCount > 1 && { WORKERS: String(processCount) }) },
    (port) => use(`http://127.0.0.1:${port}`),
    processCount > 1 ? 'cli/program/cluster.js' : undefined,
  );
