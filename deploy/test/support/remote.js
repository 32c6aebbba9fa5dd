/**
 * A distant server that is this machine: a real sshd on loopback with keys, port and configuration of its own, for the
 * user who runs the test. pm2 has a folder of its own at either end.
 */
import { execFile, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endChild, readUntil } from '../../../lab/child.js';
import { findFreePorts } from '../../../test/support/free-ports.js';

const execute = promisify(execFile);
const PM2 = fileURLToPath(new URL('../../../node_modules/pm2/bin/pm2', import.meta.url));
const SSHD_FOLDERS = '/usr/sbin:/usr/local/sbin';
const START_LIMIT_MS = 10_000;

/**
 * @typedef {object} Remote
 * @property {{ host: string, user: string, port: string, key: string }} target for the settings of a deployment
 * @property {string} localPath a PATH whose `ssh` knows the server, as the user's ~/.ssh/config would make it
 * @property {(...words: string[]) => Promise<string>} pm2 the server's
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} folder an empty one; whoever made it removes it
 * @returns {Promise<Remote>}
 */
export async function openRemote(folder) {
  const sshd = await findSshd();
  const port = String(await findFreePorts(1));
  const user = os.userInfo().username;
  const pm2Home = path.join(folder, 'pm2');
  await makeKeys(folder);
  await writeSshdConfig(folder, { port, pm2Home });
  const localPath = await wrapSsh(folder, port);
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });

  const server = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', sshd, '-D', '-e', '-f', path.join(folder, 'sshd_config')]);
  const isListening = (/** @type {string} */ line) => line.includes('Server listening') || undefined;
  /** @param {...string} words */
  const pm2 = async (...words) =>
    (await execute(process.execPath, [PM2, ...words], { env: { ...process.env, PM2_HOME: pm2Home } })).stdout;
  try {
    await readUntil(server, isListening, { limitMs: START_LIMIT_MS });
  } catch (error) {
    await endChild(server);
    throw error;
  }
  return {
    target: { host: '127.0.0.1', user, port, key: path.join(folder, 'user_key') },
    localPath,
    pm2,
    async close() {
      try {
        await pm2('kill');
      } finally {
        await endChild(server);
      }
    },
  };
}

async function findSshd() {
  try {
    const env = { ...process.env, PATH: `${process.env.PATH}:${SSHD_FOLDERS}` };
    // sshd wants to be called by its whole path.
    return (await execute('sh', ['-c', 'command -v sshd && command -v ssh-keygen >&2'], { env })).stdout.trim();
  } catch {
    throw new Error('The deployment test needs sshd and ssh; on Debian: apt-get install openssh-server openssh-client');
  }
}

/** @param {string} folder */
async function makeKeys(folder) {
  for (const name of ['host_key', 'user_key']) {
    await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(folder, name)]);
  }
  await copyFile(path.join(folder, 'user_key.pub'), path.join(folder, 'authorized_keys'));
}

/**
 * @param {string} folder
 * @param {{ port: string, pm2Home: string }} options
 */
async function writeSshdConfig(folder, { port, pm2Home }) {
  const remotePath = `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${folder}/host_key`,
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    'PidFile none',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    // The folders above, as /tmp, are open to others.
    'StrictModes no',
    `SetEnv PATH=${remotePath} PM2_HOME=${pm2Home} npm_config_prefer_offline=true`,
  ];
  await writeFile(path.join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
}

/**
 * @param {string} folder
 * @param {string} port
 */
async function wrapSsh(folder, port) {
  const ssh = (await execute('sh', ['-c', 'command -v ssh'])).stdout.trim();
  const hostKey = (await execute('ssh-keygen', ['-y', '-f', path.join(folder, 'host_key')])).stdout.trim();
  await writeFile(path.join(folder, 'known_hosts'), `[127.0.0.1]:${port} ${hostKey}\n`);
  const config = [`UserKnownHostsFile ${folder}/known_hosts`, 'StrictHostKeyChecking yes', 'IdentitiesOnly yes'];
  await writeFile(path.join(folder, 'ssh_config'), `${config.join('\n')}\n`);

  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${folder}/ssh_config "$@"\n`);
  await chmod(path.join(bin, 'ssh'), 0o755);
  return `${bin}:${process.env.PATH}`;
}
