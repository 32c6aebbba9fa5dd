/**
 * A Debian as it comes, in a folder: files and processes of its own, the network this machine's, an sshd that root may
 * log in to. No systemd runs in it, as nothing boots it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readUntil } from '../../../cli/program/child.js';

const execute = promisify(execFile);
/** For what hangs: nothing takes nearly as long. */
const START_LIMIT_MS = 120_000;
/** What a provider's image has beside Debian's base. */
const INCLUDED = 'ca-certificates,openssh-server,systemd';
const TRUSTED = 'etc/ssl/certs/ca-certificates.crt';
/** Node.js, which starts a hundred times in a deployment, keeps there what it has compiled. */
const COMPILE_CACHE = 'var/cache/node-compile';

/** What this machine needs to reach the world, the server needs, too. */
const SHARED_FILES = ['etc/resolv.conf', TRUSTED];

/** Without this, apt would install a program and all of Perl to merge the folders. */
const MERGED_USR = '--hook-dir=/usr/share/mmdebstrap/hooks/maybe-merged-usr';

/**
 * The least that is a Debian.
 *
 * @param {string} target a folder or a .tar that is not there yet
 * @param {readonly string[]} options of mmdebstrap
 * @param {{ env?: NodeJS.ProcessEnv }} [settings]
 * @throws {Error} where its packages cannot be had
 */
export const makeDebian = (target, options, settings) =>
  execute('mmdebstrap', ['--variant=minbase', MERGED_USR, '--quiet', ...options, 'bookworm', target], settings);

/**
 * @param {string} root a folder that is not there yet; whoever made it removes it
 */
export async function createBareDebian(root) {
  await makeDebian(root, [`--include=${INCLUDED}`]);
  for (const file of SHARED_FILES) await copyFile(`/${file}`, path.join(root, file));
  await mkdir(path.join(root, COMPILE_CACHE));
  await chmod(path.join(root, COMPILE_CACHE), 0o1777);
  // Node has certificates of its own.
  const environment = `NODE_EXTRA_CA_CERTS=/${TRUSTED}\nNODE_COMPILE_CACHE=/${COMPILE_CACHE}\n`;
  await writeFile(path.join(root, 'etc/environment'), environment);
  // Packages would start their services at the ports of this machine.
  await writeFile(path.join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  await mkdir(path.join(root, 'root/.ssh'), { recursive: true, mode: 0o700 });
}

/**
 * Makes the Debian take a host of the test's for one of the world's.
 *
 * @param {string} root
 * @param {{ name: string, address: string, certificateFile: string }} host
 */
export async function introduce(root, { name, address, certificateFile }) {
  await appendFile(path.join(root, 'etc/hosts'), `${address} ${name}\n`);
  await appendFile(path.join(root, TRUSTED), await readFile(certificateFile));
}

/**
 * @param {string} root
 * @param {string} port of sshd, on loopback
 * @returns {Promise<{ stop(): Promise<void> }>} `stop` ends every process in it, as a loss of power would
 */
export async function startDebian(root, port) {
  await mkdir(path.join(root, 'run/sshd'), { recursive: true });
  const isolated = ['--mount', '--pid', '--fork', '--kill-child', `--mount-proc=${root}/proc`];
  const sshd = ['/usr/sbin/sshd', '-D', '-e', '-p', port, '-o', 'ListenAddress=127.0.0.1'];
  // readUntil reads standard output, and sshd writes to the other.
  const words = ['-c', 'exec "$0" "$@" 2>&1', 'unshare', ...isolated, 'chroot', root, ...sshd];
  const child = spawn('sh', words, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  try {
    await readUntil(child, (line) => line.includes('Server listening') || undefined, { limitMs: START_LIMIT_MS });
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
