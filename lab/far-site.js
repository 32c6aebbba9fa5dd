/**
 * The real site at a distance: the server at one end of a link, behind our nginx or not, a real browser at the other.
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
import { openLink, requireTools, runCommand } from './link.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Conditions, Link } from './link.js'
 */

/** A browser's sandbox does not start for root; a proxy from the environment could not be reached from a namespace. */
const BROWSER_FLAGS = ['--no-sandbox', '--no-proxy-server'];
const NGINX_PORT = 8443;
const NGINX_STOP_LIMIT_MS = 5000;
const NGINX_LOOK_MS = 20;

/** @typedef {{ link: Link, browser: Browser, origin: string }} FarSite */

/**
 * Opens the site at a distance, and takes everything down again in the end.
 *
 * @template T
 * @param {Conditions} conditions
 * @param {(site: FarSite) => Promise<T>} use
 * @param {{ isBehindNginx?: boolean }} [options] then the origin has TLS and HTTP/2, and a certificate that nobody vouches for
 * @returns {Promise<T>} what `use` gives
 */
export async function withFarSite(conditions, use, { isBehindNginx = false } = {}) {
  const link = await openLink(conditions);
  const useOrigin = (/** @type {string} */ origin, /** @type {string | undefined} */ certificate) =>
    withBrowser(link, certificate, (browser) => use({ link, browser, origin }));
  try {
    const env = { SERVER_NAME: 'far-site', TRUST_PROXY: isBehindNginx ? '1' : '0' };
    return await withServer(link.serverCommand, env, (port) =>
      isBehindNginx
        ? withNginxInFront(link, port, useOrigin)
        : useOrigin(`http://${link.serverAddress}:${port}`, undefined),
    );
  } finally {
    await link.close();
  }
}

/**
 * What `npm run nginx -- --local` writes, at the server's end of a link.
 *
 * @template T
 * @param {Link} link
 * @param {number} serverPort
 * @param {(origin: string, certificate: string) => Promise<T>} use nobody vouches for the certificate of the origin (PEM)
 */
async function withNginxInFront({ serverAddress, serverCommand }, serverPort, use) {
  await requireTools(['nginx', 'openssl']);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-nginx-'));
  try {
    const words = ['--local', '--folder', folder, '--listen', `${serverAddress}:${NGINX_PORT}`];
    const site = parseOptions([...words, '--upstream', `127.0.0.1:${serverPort}`]);
    if (!site) throw new TypeError('Expected options of a local nginx, got none');
    const { startCommand, stopCommand } = await createLocalSite(site, folder);
    // It comes back once it listens.
    await runCommand(serverCommand(['sh', '-c', startCommand]));
    try {
      return await use(`https://${serverAddress}:${NGINX_PORT}`, await readFile(site.certificate, 'utf8'));
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
 * The browser is driven through a pipe, which does not care for namespaces; only what it starts with has to.
 *
 * @template T
 * @param {Link} link
 * @param {string | undefined} certificate (PEM) that the browser is to trust: it caches nothing of a site whose it does not
 * @param {(browser: Browser) => Promise<T>} use
 */
async function withBrowser({ clientCommand }, certificate, use) {
  // Loaded here, as it takes longer than to say which word of a command line is wrong.
  const { chromium } = await import('playwright-core');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  try {
    const executablePath = path.join(folder, 'chromium-at-the-client');
    const words = clientCommand([await findChromium()]).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    await writeFile(executablePath, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
    const args = [...BROWSER_FLAGS, ...(certificate ? [trustFlagOf(certificate)] : [])];
    // On a signal it would end this program at once, and leave the namespaces behind.
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

/** @param {string} certificate */
function trustFlagOf(certificate) {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
}
