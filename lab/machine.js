/**
 * Checks what the lab needs on a machine (tools), and removes what it leaves there (network namespaces).
 */
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { RunError, UsageError } from '../cli/program/program.js';

const execute = promisify(execFile);

/** Each tool with the Debian package that has it. */
const TOOLS = { ip: 'iproute2', ping: 'iputils-ping', python3: 'python3', nginx: 'nginx', openssl: 'openssl' };

const TUN_DEVICE = '/dev/net/tun';

/** @typedef {keyof typeof TOOLS} Tool */

/** Says that something that the lab made may still be there. The program ends with 1. */
export class TakeDownError extends RunError {}

const NAME_PATTERN = /^sockshootout-(\d+)-\d+(?:-server|-client)?$/;
let linkCount = 0;

/** @returns {string} for one link of this program: the names of its namespaces and control groups begin with it */
export const createLinkName = () => `sockshootout-${process.pid}-${linkCount++}`;

/** @param {Tool[]} [others] that are needed besides @throws {UsageError} one sentence where something is missing */
export async function requireMachine(others = []) {
  if (process.platform !== 'linux') throw new UsageError('The lab needs Linux and its network namespaces');
  if (process.getuid?.() !== 0)
    throw new UsageError('The lab needs root, to make network namespaces: run it with sudo');
  await requireTools(['ip', 'ping', ...others]);
}

/** Checks what carries the packets if the kernel has no netem. @throws {UsageError} one sentence: what is missing */
export async function requireTun() {
  await requireTools(['python3']);
  try {
    await (await open(TUN_DEVICE, 'r+')).close();
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new UsageError(`Without netem, the lab needs ${TUN_DEVICE}: modprobe tun (${message})`, { cause });
  }
}

/** @param {Tool[]} names @throws {UsageError} one sentence: which are missing, and how to get them */
async function requireTools(names) {
  const found = await Promise.all(names.map(isInstalled));
  const missing = names.filter((_, index) => !found[index]);
  if (missing.length === 0) return;
  const packages = missing.map((name) => TOOLS[name]);
  throw new UsageError(`The lab needs ${missing.join(' and ')}; on Debian: apt-get install ${packages.join(' ')}`);
}

/** @param {string} name */
async function isInstalled(name) {
  // A tool that does not know -V is installed, too.
  const error = await execute(name, ['-V']).catch((reason) => reason);
  return error.code !== 'ENOENT';
}

/**
 * Runs a tool to its end.
 *
 * @param {string[]} argv the tool's name, then its arguments; no shell reads them
 * @returns {Promise<string>} what it wrote on standard output
 * @throws {Error} the command and what it wrote, on standard error or else on standard output
 */
export async function runCommand([name, ...args]) {
  try {
    return (await execute(name, args)).stdout;
  } catch (error) {
    const { stderr, stdout, message } = /** @type {Error & { stderr?: string, stdout?: string }} */ (error);
    const reason = stderr?.trim() || stdout?.trim() || message;
    throw new Error(`${[name, ...args].join(' ')}: ${reason}`, { cause: error });
  }
}

/** @param {string} command with one space between its arguments @returns {Promise<string>} as {@link runCommand} */
export const run = (command) => runCommand(command.split(' '));

/** Removes the namespaces of programs that were killed, and ends what still runs in them. */
export async function removeAbandoned() {
  const names = (await run('ip netns list')).split('\n').map((line) => line.split(' ')[0]);
  // Another program may be removing them, too: what counts is that they are gone.
  await Promise.allSettled(names.filter(isAbandoned).map(removeNamespace));
}

/**
 * @param {string} name of a namespace or a control group
 * @returns {boolean} whether it is from a program that has ended
 */
export function isAbandoned(name) {
  const pid = NAME_PATTERN.exec(name)?.[1];
  return pid !== undefined && !signal(Number(pid), 0);
}

/** @param {string} namespace */
async function removeNamespace(namespace) {
  // A namespace, and with it a device, lives as long as a program in it.
  const pids = (await run(`ip netns pids ${namespace}`)).split('\n').filter(Boolean);
  for (const pid of pids) signal(Number(pid), 'SIGKILL');
  await run(`ip netns delete ${namespace}`);
}

/** @param {number} pid @param {NodeJS.Signals | 0} name @returns {boolean} whether there is such a process */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/**
 * Ignores errors after Ctrl-C, which also reaches child processes. It always reports that something is left.
 *
 * @param {unknown} error
 * @param {AbortSignal} signal aborted by Ctrl-C
 */
export function throwUnlessCancelled(error, signal) {
  if (!signal.aborted || error instanceof TakeDownError) throw error;
}

/** @param {string} text */
export const say = (text) => process.stderr.write(`${text}\n`);
