/** Starts a real browser: an installed one, else that of a dev dependency. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from './program.js';

/** @import { Browser } from 'playwright-core' */

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The flags that stop the browser's background requests while it measures. */
const FLAGS = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** @returns {Promise<Browser>} to be closed by the caller @throws {UsageError} how to get one */
export async function launchChromium() {
  const { chromium } = await import('playwright-core').catch(() => {
    throw new UsageError(
      '--browser: expected the package playwright-core, found none; install it with npm install playwright-core, or in a clone with npm ci',
    );
  });
  const executablePath = await findChromium();
  // A browser's sandbox does not start as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...FLAGS] : FLAGS;
  // Ctrl-C ends the run in the page first, which then reports what it measured; the browser must not exit before.
  return chromium.launch({ executablePath, args, handleSIGINT: false, handleSIGTERM: false });
}

/**
 * @param {Record<string, string | undefined>} [env] @returns {Promise<string>} the path of a Chromium or Chrome
 * @throws {UsageError} how to get one
 */
export async function findChromium({ CHROMIUM, PATH = '' } = process.env) {
  if (CHROMIUM && !existsSync(CHROMIUM)) {
    throw new UsageError(`CHROMIUM: expected the path of a browser, got “${CHROMIUM}”, where there is no file`);
  }
  const folders = PATH.split(path.delimiter).filter(Boolean);
  const places = folders.flatMap((folder) => COMMANDS.map((command) => path.join(folder, command)));
  const found = CHROMIUM || [...places, ...MAC_PATHS].find((file) => existsSync(file)) || (await findShipped());
  if (found) return found;
  throw new UsageError(
    'Expected a Chromium or Chrome, found none; install one (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM to the path of one',
  );
}

/** @returns {Promise<string | undefined>} absent if there is none for this machine: it is for Linux on x64 only */
export async function findShipped() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // The package unpacks the system libraries that a bare machine lacks only if it detects AWS Lambda.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs20.x';
  try {
    const { default: shipped } = await import('@sparticuz/chromium');
    return await shipped.executablePath();
  } catch {
    return undefined;
  }
}
