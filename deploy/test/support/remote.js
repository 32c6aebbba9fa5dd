/**
 * A distant server at the other end of a real ssh: a bare Debian in a folder, which README calls SERVER.
 */
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePorts } from '../../../cli/program/free-ports.js';
import { createBareDebian, introduce, startDebian } from './bare-debian.js';
import { openNodeSource } from './node-source.js';

const execute = promisify(execFile);

/**
 * @typedef {object} Remote
 * @property {string} root where its files are
 * @property {{ host: string, port: string }} target for the settings of a deployment
 * @property {NodeJS.ProcessEnv} localEnv of a developer whose ssh knows the server, and has the key that root may use
 * @property {(user: string, command: string) => Promise<string>} run what it wrote
 * @property {() => Promise<void>} restart without a warning to any process; nothing but sshd is started again
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} folder an empty one; whoever made it removes it
 * @returns {Promise<Remote>}
 */
export async function openRemote(folder) {
  const root = path.join(folder, 'server');
  const port = String(await findFreePorts(1));
  // The one waits for packages, the other packs one.
  const [, nodeSource] = await Promise.all([createBareDebian(root), openNodeSource(path.join(folder, 'node-source'))]);
  const localEnv = await createDeveloper(path.join(folder, 'home'), root, port);
  /** @type {{ stop(): Promise<void> } | undefined} */
  let server;
  const start = async () => {
    server = await startDebian(root, port);
  };
  const close = async () => {
    await server?.stop();
    await nodeSource.close();
  };
  try {
    await introduce(root, nodeSource.host);
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    root,
    target: { host: 'SERVER', port },
    localEnv,
    run: async (user, command) => (await execute('ssh', [`${user}@SERVER`, command], { env: localEnv })).stdout,
    async restart() {
      await server?.stop();
      await start();
    },
    close,
  };
}

/**
 * @param {string} home
 * @param {string} root
 * @param {string} port
 */
async function createDeveloper(home, root, port) {
  const folder = path.join(home, '.ssh');
  await mkdir(folder, { recursive: true });
  const key = path.join(folder, 'id_ed25519');
  await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  await copyFile(`${key}.pub`, path.join(root, 'root/.ssh/authorized_keys'));

  const hostKey = await readFile(path.join(root, 'etc/ssh/ssh_host_ed25519_key.pub'), 'utf8');
  await writeFile(path.join(folder, 'known_hosts'), `SERVER ${hostKey}`);
  const config = [
    'Host SERVER server',
    '  HostName 127.0.0.1',
    '  HostKeyAlias SERVER',
    `  Port ${port}`,
    `  IdentityFile ${key}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${folder}/known_hosts`,
    '  StrictHostKeyChecking yes',
  ];
  await writeFile(path.join(folder, 'config'), `${config.join('\n')}\n`);
  return { ...process.env, HOME: home, PATH: await wrapSsh(home) };
}

/**
 * ssh takes its own settings from the home that the system says, not from HOME.
 *
 * @param {string} home
 */
async function wrapSsh(home) {
  const ssh = (await execute('which', ['ssh'])).stdout.trim();
  const bin = path.join(home, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${home}/.ssh/config "$@"\n`);
  await chmod(path.join(bin, 'ssh'), 0o755);
  return `${bin}:${process.env.PATH}`;
}
