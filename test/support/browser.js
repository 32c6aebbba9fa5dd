/**
 * A real browser for tests: the one that is there, else the one that a dev dependency brings along.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

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

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<string>} the path of a Chromium or Chrome
 * @throws {Error} how to get one
 */
export async function findChromium(env = process.env) {
  if (env.CHROMIUM) {
    if (existsSync(env.CHROMIUM)) return env.CHROMIUM;
    throw new Error(`CHROMIUM: expected the path of a browser, got '${env.CHROMIUM}', where there is no file`);
  }
  const found = findInstalled() ?? (await findShipped());
  if (found) return found;
  throw new Error(
    'No Chromium or Chrome found. Install one (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM to the path of one.',
  );
}

function findInstalled() {
  for (const command of COMMANDS) {
    try {
      return execFileSync('which', [command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // Not this one.
    }
  }
  return MAC_PATHS.find((path) => existsSync(path));
}

/** @returns {Promise<string | undefined>} absent where there is none for this machine: it is for Linux on x64 alone */
export async function findShipped() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // It unpacks the system libraries that a bare machine lacks only where it believes to be on Lambda.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x';
  const { default: shipped } = await import('@sparticuz/chromium');
  return shipped.executablePath();
}
