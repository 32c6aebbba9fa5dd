/**
 * A real browser for tests: the one that is there, else the one that a dev dependency brings along.
 */
import { chromium } from 'playwright-core';
import { findChromium } from '../../cli/program/chromium.js';

/** @import { Browser, LaunchOptions } from 'playwright-core' */

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
 * @returns {Promise<LaunchOptions>}
 */
export async function launchOptions({ executablePath, args = [] } = {}) {
  return {
    executablePath: executablePath ?? (await findChromium()),
    // A browser's sandbox does not start for root, and in most containers tests run as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox', ...FLAGS, ...args] : [...FLAGS, ...args],
    // Of the locale that most containers have, the one of the dev dependency makes a language that there is not.
    env: { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: undefined },
  };
}

/**
 * The one that the test runner has started (shared-site.js), where nothing special is asked for, else another.
 *
 * @param {Parameters<typeof launchOptions>[0]} [options]
 * @returns {Promise<Browser>} to be closed by the caller; of a shared one that closes what the caller opened in it
 */
export async function launchBrowser(options) {
  const shared = process.env.TEST_BROWSER;
  return shared && !options ? chromium.connectOverCDP(shared) : chromium.launch(await launchOptions(options));
}
