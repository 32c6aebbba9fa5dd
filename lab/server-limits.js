/**
 * Limits a server to a part of the machine's CPU time and memory, by Linux control groups of version 2
 * (https://docs.kernel.org/admin-guide/cgroup-v2.html) or 1.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as waitMs } from 'node:timers/promises';
import { UsageError } from '../cli/program/program.js';
import { createLinkName, isAbandoned } from './machine.js';

/** @import { ServerLimits } from '../core/experiment/run/emulated-link.js' */

const ROOT = '/sys/fs/cgroup';
/** The period of docker and systemd: a server that has used up its share of a period waits for the next. */
const PERIOD_US = 100_000;
const BYTES_PER_MIB = 2 ** 20;
/** Not every kernel has it. */
const SWAP_FILE = 'memory.swap.max';
/** A program's own helpers end shortly after it. */
const END_LIMIT_MS = 5000;
const LOOK_MS = 20;

/** Enters the groups that are named before `--`, then becomes the program after it. */
const ENTER = 'until [ "$1" = -- ]; do echo $$ >"$1/cgroup.procs" || exit; shift; done; shift; exec "$@"';

/**
 * @typedef {{ folder: string, settings: Record<string, string | number> }} Group `settings`: by file
 *
 * @typedef {object} LimitedServer
 * @property {(argv: string[]) => string[]} command the command that runs a program within the limits
 * @property {() => Promise<void>} close after all that ran in it has ended
 */

/**
 * @param {ServerLimits} limits none: nothing is made
 * @param {string} [root] where the control groups are mounted
 * @returns {Promise<LimitedServer>}
 * @throws {UsageError} if control groups cannot be created
 */
export async function limitServer(limits, root = ROOT) {
  await removeAbandonedGroups(root);
  const groups = groupsOf(limits, createLinkName(), root);
  const folders = groups.map(({ folder }) => folder);
  try {
    for (const group of groups) await create(group);
  } catch (cause) {
    await Promise.allSettled(folders.map((folder) => rmdir(folder)));
    const { message } = /** @type {Error} */ (cause);
    throw new UsageError(
      `--cpus and --memory need control groups that can be made here (${message}). Inside a container they are usually ` +
        'read-only, incomplete or in use: set the limits of the container instead, as docs/scale.md shows.',
      { cause },
    );
  }
  return {
    command: (argv) => (groups.length > 0 ? ['sh', '-c', ENTER, 'sh', ...folders, '--', ...argv] : argv),
    close: async () => void (await Promise.all(folders.map(remove))),
  };
}

/** @param {ServerLimits} limits @param {string} name @param {string} root @returns {Group[]} */
function groupsOf({ cpus, memoryMib }, name, root) {
  const quotaUs = cpus && Math.round(cpus * PERIOD_US);
  const bytes = memoryMib && Math.round(memoryMib * BYTES_PER_MIB);
  if (!quotaUs && !bytes) return [];
  if (existsSync(path.join(root, 'cgroup.controllers'))) {
    const settings = {
      ...(quotaUs && { 'cpu.max': `${quotaUs} ${PERIOD_US}` }),
      // Without it, the server would swap the rest.
      ...(bytes && { 'memory.max': bytes, [SWAP_FILE]: 0 }),
    };
    return [{ folder: path.join(root, name), settings }];
  }
  const cpu = quotaUs && { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': quotaUs };
  return [
    ...(cpu ? [{ folder: path.join(root, 'cpu', name), settings: cpu }] : []),
    ...(bytes ? [{ folder: path.join(root, 'memory', name), settings: { 'memory.limit_in_bytes': bytes } }] : []),
  ];
}

/** @param {Group} group */
async function create({ folder, settings }) {
  const switches = path.join(path.dirname(folder), 'cgroup.subtree_control');
  const controllers = new Set(Object.keys(settings).map((name) => `+${name.split('.', 1)[0]}`));
  if (existsSync(switches)) await writeFile(switches, [...controllers].join(' '));
  await mkdir(folder);
  for (const [name, value] of Object.entries(settings)) {
    const file = path.join(folder, name);
    await writeFile(file, String(value)).catch((error) => {
      // Nobody can add a file to a control group.
      if (name !== SWAP_FILE || existsSync(file)) throw error;
    });
  }
}

/** @param {string} folder of a group whose programs are ending */
async function remove(folder) {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    try {
      return await rmdir(folder);
    } catch (error) {
      if (waitedMs >= END_LIMIT_MS) throw error;
      await waitMs(LOOK_MS);
    }
  }
}

/** Removes the groups of programs that were killed. @param {string} root */
async function removeAbandonedGroups(root) {
  for (const parent of [root, path.join(root, 'cpu'), path.join(root, 'memory')]) {
    const names = await readdir(parent).catch(() => []);
    await Promise.allSettled(names.filter(isAbandoned).map((name) => rmdir(path.join(parent, name))));
  }
}
