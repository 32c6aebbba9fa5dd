/**
 * The real site at a distance: the server at one end of a link, a real browser at the other.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from '../cli/program/chromium.js';
import { withServer } from '../cli/program/child.js';
import { openLink } from './link.js';
import { withNginxInFront } from './nginx-in-front.js';

/**
 * @import { Browser } from 'playwright-core'
 * @import { Conditions, Link } from './link.js'
 */

/** A browser's sandbox does not start for root; a proxy from the environment could not be reached from a namespace. */
const BROWSER_FLAGS = ['--no-sandbox', '--no-proxy-server'];

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
  const { serverAddress, serverCommand } = link;
  const useOrigin = (/** @type {string} */ origin, /** @type {string | undefined} */ certificate) =>
    withBrowser(link, certificate, (browser) => use({ link, browser, origin }));
  try {
    const env = { SERVER_NAME: 'far-site', TRUST_PROXY: isBehindNginx ? '1' : '0' };
    return await withServer(link.serverCommand, env, (port) =>
      isBehindNginx
        ? withNginxInFront({ address: serverAddress, serverPort: port, command: serverCommand }, useOrigin)
        : useOrigin(`http://${serverAddress}:${port}`, undefined),
    );
  } finally {
    await link.close();
  }
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
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sockshootout-'));
  try {
    const executablePath = path.join(folder, 'chromium-at-the-client');
    const words = clientCommand([await findChromium()]).map(quote);
    await writeFile(executablePath, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
    const browser = await chromium.launch({
      executablePath,
      args: [...BROWSER_FLAGS, ...(certificate ? [trustFlagOf(certificate)] : [])],
      // On a signal it would end this program at once, and leave the namespaces behind.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
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

/** @param {string} word @returns {string} as a shell takes it literally */
function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
