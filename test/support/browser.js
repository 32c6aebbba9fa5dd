/**
 * A real browser for tests: the one that is there, else the one that a dev dependency brings along.
 */
import { chromium } from 'playwright-core';
import { findChromium } from '../../cli/chromium.js';

/** A test machine is often offline: without these a browser tries to reach its maker first. */
const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/**
 * @param {{ executablePath?: string, args?: string[] }} [options]
 * @returns {Promise<import('playwright-core').Browser>} to be closed by the caller
 */
export async function launchBrowser({ executablePath, args = [] } = {}) {
  return chromium.launch({
    executablePath: executablePath ?? (await findChromium()),
    // A browser's sandbox does not start for root, and in most containers tests run as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox', ...FLAGS, ...args] : [...FLAGS, ...args],
  });
}
