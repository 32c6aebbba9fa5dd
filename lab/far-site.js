/**
 * Runs the real site at a distance: the server at one end of a link, behind our nginx or not, a real browser at the
 * other.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as waitMs } from 'node:timers/promises';
import { withServer } from '../cli/program/child.js';
import { findChromium } from '../cli/program/chromium.js';
import { createLocalSite } from '../deploy/nginx/site.js';
import { parseOptions } from '../deploy/nginx/options.js';
import { withLink } from './link.js';
import { runCommand } from './machine.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Conditions } from '../core/experiment/run/emulated-link.js'
 * @import { Link, LinkOptions } from './link.js'
 */

/** A browser's sandbox does not start for root; a proxy from the environment could not be reached from a namespace. */
const BROWSER_FLAGS = ['--no-sandbox', '--no-proxy-server'];
/** No other program listens in the server's namespace. */
const SERVER_PORT = 8000;
const NGINX_PORT = 8443;
const NGINX_STOP_LIMIT_MS = 5000;
const NGINX_LOOK_MS = 20;

/**
 * @typedef {{ link: Link, origin: string, certificate?: string }} Site `certificate`: PEM, self-signed
 * @typedef {{ link: Link, origin: string, browser: Browser }} FarSite
 */

/**
 * Opens a link with the site at its server's end, and takes both down again in the end.
 *
 * @template T
 * @param {Conditions} conditions
 * @param {(site: Site) => Promise<T>} use
 * @param {LinkOptions & { isBehindNginx?: boolean, serverName?: string }} [options] `isBehindNginx`: the origin has TLS and HTTP/2
 * @returns {Promise<T>} what `use` gives
 */
export function withSite(conditions, use, { isBehindNginx = false, serverName = 'far-site', ...options } = {}) {
  const env = { PORT: String(SERVER_PORT), SERVER_NAME: serverName, TRUST_PROXY: isBehindNginx ? '1' : '0' };
  const serve = (/** @type {Link} */ link) =>
    withServer(link.serverCommand, env, () =>
      isBehindNginx
        ? withNginxInFront(link, use)
        : use({ link, origin: `http://${link.serverAddress}:${SERVER_PORT}` }),
    );
  return withLink(conditions, serve, options);
}

/**
 * Opens the same with a browser at the client's end.
 *
 * @template T
 * @param {Conditions} conditions
 * @param {(site: FarSite) => Promise<T>} use
 * @param {{ forgets?: boolean, isBehindNginx?: boolean }} [options]
 * @returns {Promise<T>} what `use` gives
 */
export const withFarSite = (conditions, use, options) =>
  withSite(
    conditions,
    ({ link, origin, certificate }) => withBrowser(link, certificate, (browser) => use({ link, origin, browser })),
    options,
  );

/**
 * Starts the nginx of `npm run nginx -- --local` at the server's end of a link.
 *
 * @template T
 * @param {Link} link
 * @param {(site: Site) => Promise<T>} use
 */
async function withNginxInFront(link, use) {
  const { serverAddress, serverCommand } = link;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-nginx-'));
  try {
    const args = ['--local', '--folder', folder, '--listen', `${serverAddress}:${NGINX_PORT}`];
    const site = parseOptions([...args, '--upstream', `127.0.0.1:${SERVER_PORT}`]);
    if (!site) throw new TypeError('Expected options of a local nginx, got none');
    const { startCommand, stopCommand } = await createLocalSite(site, folder);
    // The command returns once nginx listens.
    await runCommand(serverCommand(['sh', '-c', startCommand]));
    try {
      const certificate = await readFile(site.certificate, 'utf8');
      return await use({ link, origin: `https://${serverAddress}:${NGINX_PORT}`, certificate });
    } finally {
      await runCommand(serverCommand(['sh', '-c', stopCommand]));
      await ended(folder);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {string} folder of an nginx, whose last act is to remove the file with its id */
async function ended(folder) {
  for (let waitedMs = 0; waitedMs < NGINX_STOP_LIMIT_MS; waitedMs += NGINX_LOOK_MS) {
    if (!existsSync(path.join(folder, 'nginx.pid'))) return;
    await waitMs(NGINX_LOOK_MS);
  }
  throw new Error(`nginx in ${folder}: expected to end within ${NGINX_STOP_LIMIT_MS} ms`);
}

/**
 * Starts a browser in the client's namespace. It is controlled through a pipe, which works across namespaces.
 *
 * @template T
 * @param {Link} link
 * @param {string | undefined} certificate (PEM) for the browser to trust: it caches nothing from untrusted sites
 * @param {(browser: Browser) => Promise<T>} use
 */
async function withBrowser({ clientCommand }, certificate, use) {
  // It is loaded here, as that takes longer than reporting a wrong argument.
  const { chromium } = await import('playwright-core');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  try {
    const executablePath = await writeProgram(folder, clientCommand([await findChromium()]));
    const args = [...BROWSER_FLAGS, ...(certificate ? [trustFlagOf(certificate)] : [])];
    // Playwright would end this program at once on a signal, and leave the namespaces behind.
    const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
    const browser = await chromium.launch({ executablePath, args, ...signals });
    try {
      return await use(browser);
    } finally {
      await browser.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Makes a run trust the site behind nginx, in Node.js and in Chromium.
 *
 * @template T
 * @param {string | undefined} certificate (PEM) of the site, self-signed; absent without nginx
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} use gets the variables of the run's process
 */
export async function withTrust(certificate, use) {
  if (!certificate) return use({});
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  try {
    const chromium = await findChromium().catch(() => undefined);
    const CHROMIUM = chromium && (await writeProgram(folder, [chromium, trustFlagOf(certificate)]));
    // Nothing else can be reached from the client's end.
    return await use({ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1', ...(CHROMIUM && { CHROMIUM }) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Writes a program that runs a command with further arguments.
 *
 * @param {string} folder
 * @param {readonly string[]} command
 * @returns {Promise<string>} its path
 */
async function writeProgram(folder, command) {
  const file = path.join(folder, 'chromium');
  const quoted = command.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`);
  await writeFile(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 });
  return file;
}

/** @param {string} certificate */
function trustFlagOf(certificate) {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
}
