/**
 * A real nginx of the test's own: its own folder, its own port, made, started and stopped by the commands that
 * `npm run nginx` prints.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePorts } from '../../../cli/program/free-ports.js';

/** @import { ExecFileOptions } from 'node:child_process' */

const execute = promisify(execFile);
const RENDER = fileURLToPath(new URL('../../nginx/render.js', import.meta.url));
/** For what hangs: nothing takes nearly as long. */
const STOP_LIMIT_MS = 120_000;
const STOP_LOOK_MS = 20;

/** @throws {Error} how to get nginx */
export async function requireNginx() {
  try {
    await execute('nginx', ['-v']);
  } catch (error) {
    throw new Error('These tests need nginx; on Debian: apt-get install nginx', { cause: error });
  }
}

/**
 * Runs the renderer as its command does.
 *
 * @param {...string} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export async function render(...args) {
  try {
    return { code: 0, ...(await execute(process.execPath, [RENDER, ...args])) };
  } catch (error) {
    const { code, stdout, stderr } = /** @type {any} */ (error);
    return { code, stdout, stderr };
  }
}

/**
 * @template T
 * @param {(folder: string) => Promise<T>} use
 */
export async function withFolder(use) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout nginx '));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @typedef {object} Nginx
 * @property {number} port
 * @property {Buffer} certificate
 * @property {string} certificatePath
 * @property {string} folder with its log and its operator's own lines
 */

/**
 * @param {string[]} args options of the renderer beside --local, --folder and --listen
 * @param {(nginx: Nginx) => Promise<unknown>} use
 * @param {(site: string, port: number) => string} [edit] makes another configuration of the site's
 */
export async function withNginx(args, use, edit) {
  await requireNginx();
  await withFolder(async (folder) => {
    const port = await findFreePorts(1);
    const rendered = await render('--local', '--folder', folder, '--listen', String(port), ...args);
    if (rendered.code !== 0) throw new Error(rendered.stderr);
    const [startCommand, stopCommand] = /** @type {string[]} */ (rendered.stdout.match(/^ {2}nginx .+$/gm));
    const certificatePath = path.join(folder, 'certificate.pem');
    const sitePath = path.join(folder, 'site.conf');
    if (edit) await writeFile(sitePath, edit(await readFile(sitePath, 'utf8'), port));

    await runNginx({ folder, startCommand, stopCommand }, async () =>
      use({ port, certificate: await readFile(certificatePath), certificatePath, folder }),
    );
  });
}

/**
 * @param {object} commands
 * @param {string} commands.folder
 * @param {string} commands.startCommand
 * @param {string} commands.stopCommand
 * @param {ExecFileOptions} [commands.options] who runs them
 * @param {() => Promise<unknown>} use
 */
export async function runNginx({ folder, startCommand, stopCommand, options }, use) {
  // It comes back once it listens.
  await execute('sh', ['-c', startCommand], options);
  try {
    await use();
  } finally {
    await execute('sh', ['-c', stopCommand], options);
    await ended(folder);
  }
}

/**
 * Its last act is to remove the file with its id.
 *
 * @param {string} folder
 */
async function ended(folder) {
  for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS; waitedMs += STOP_LOOK_MS) {
    if (!existsSync(path.join(folder, 'nginx.pid'))) return;
    await sleep(STOP_LOOK_MS);
  }
  throw new Error(`nginx in ${folder}: expected to end within ${STOP_LIMIT_MS} ms`);
}
