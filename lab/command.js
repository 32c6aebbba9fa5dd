/**
 * The tools that the lab calls.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Each tool with the Debian package that brings it. */
const TOOLS = {
  ip: 'iproute2',
  ping: 'iputils-ping',
  python3: 'python3',
  nginx: 'nginx',
  openssl: 'openssl',
};

/**
 * Runs a tool to its end.
 *
 * @param {string[]} argv the tool's name, then its arguments; no shell reads them
 * @returns {Promise<string>} what it wrote on standard output
 * @throws {Error} the command and what it wrote, on standard error or else on standard output
 */
export async function runCommand([name, ...args]) {
  try {
    const { stdout } = await execute(name, args);
    return stdout;
  } catch (error) {
    const { stderr, stdout, message } = /** @type {Error & { stderr?: string, stdout?: string }} */ (error);
    const reason = stderr?.trim() || stdout?.trim() || message;
    throw new Error(`${[name, ...args].join(' ')}: ${reason}`, { cause: error });
  }
}

/**
 * @param {(keyof typeof TOOLS)[]} names
 * @throws {Error} one sentence: which are missing, and how to get them
 */
export async function requireTools(names) {
  const found = await Promise.all(names.map(isInstalled));
  const missing = names.filter((_, index) => !found[index]);
  if (missing.length === 0) return;
  const packages = missing.map((name) => TOOLS[name]);
  throw new Error(`The lab needs ${missing.join(' and ')}; on Debian: apt-get install ${packages.join(' ')}`);
}

/** @param {string} name */
async function isInstalled(name) {
  // One that does not know -V is there, too.
  const error = await execute(name, ['-V']).catch((reason) => reason);
  return error.code !== 'ENOENT';
}
