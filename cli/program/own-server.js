/**
 * A server of this program's own: a process beside it, its saved runs in a folder that goes when it goes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readUntil } from './child.js';
import { UsageError } from './errors.js';

/** @import { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process' */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const END_WITH_PARENT = fileURLToPath(new URL('end-with-parent.js', import.meta.url));
/** The first start of a version bundles its pages. */
const START_LIMIT_MS = 60_000;

/**
 * Starts the site's server, and ends it again, however this program ends.
 *
 * @template T
 * @param {(argv: string[]) => string[]} commandOf the command that runs a program where the server is to be; it must hand its
 *   standard input on
 * @param {Record<string, string>} env its settings
 * @param {(port: number) => Promise<T>} use
 * @returns {Promise<T>} what `use` gives
 * @throws {UsageError} where it does not start; with what it said
 */
export async function withServer(commandOf, env, use) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  const [name, ...args] = commandOf([process.execPath, '--import', END_WITH_PARENT, 'server.js']);
  const server = spawn(name, args, {
    cwd: ROOT,
    // A terminal's Ctrl-C goes to the whole group of processes: what is being measured must not end first.
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
    // Not gently: nobody else has anything from it, and its data goes, too.
    await killChild(server);
    await rm(dataDir, { recursive: true, force: true });
    process.off('exit', endAtOnce);
  }
}

/** @param {ChildProcess} child */
async function killChild(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** @param {ChildProcessWithoutNullStreams} server */
async function readPort(server) {
  try {
    return await readUntil(server, (line) => JSON.parse(line).port, { limitMs: START_LIMIT_MS });
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message, { cause: error });
  }
}

/**
 * The same on this machine, for this machine alone.
 *
 * @template T
 * @param {(origin: string) => Promise<T>} use
 * @returns {Promise<T>} what `use` gives
 */
export function withOwnServer(use) {
  const env = { HOST: '127.0.0.1', SERVER_NAME: 'own server' };
  return withServer(
    (argv) => argv,
    env,
    (port) => use(`http://127.0.0.1:${port}`),
  );
}
