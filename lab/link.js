/**
 * Emulates a long path on one machine: a network namespace for a server, another one or the machine's own for its
 * client, and a link between them with the given conditions.
 *
 * It works below TCP, so connecting and slow start take as many round trips as over a real distance. A namespace has no
 * other route: a program in it cannot reach anything else.
 */
import { setTimeout as waitMs } from 'node:timers/promises';
import { createLinkName, removeAbandoned, requireMachine, run, runCommand, TakeDownError } from './machine.js';
import { limitServer } from './server-limits.js';
import { inside, openShaper } from './shaper.js';

/**
 * @import { Conditions, Ping } from '../core/experiment/run/emulated-link.js'
 * @import { Shaper } from './shaper.js'
 */

/**
 * Addresses are from the range set aside for network benchmarks: https://www.rfc-editor.org/rfc/rfc2544#appendix-C.2.2
 * Each link whose client is in the machine's own namespace has four of them.
 */
const SUBNET_COUNT = 2 ** 15;
const SUBNET_STEP = 7919;
let subnetCount = 0;
const MAC_ADDRESSES = { server: '02:00:00:00:00:01', client: '02:00:00:00:00:02' };
const DEVICE = 'wan';

const PING_COUNT = 10;
const PING_INTERVAL_MS = 200;
/** The smallest of ten would be far above the smallest that jitter allows. */
const JITTER_PING_COUNT = 200;
const JITTER_PING_INTERVAL_MS = 10;

/**
 * @typedef {object} Link
 * @property {Shaper['kind']} kind
 * @property {Conditions} conditions
 * @property {string} serverAddress
 * @property {(argv: string[]) => string[]} serverCommand the command that runs a program at the server's end; it keeps
 *   the id that it is started with, and has the server's share of CPU time and memory
 * @property {(argv: string[]) => string[]} clientCommand the same at the client's end
 * @property {(options?: { count?: number }) => Promise<Ping>} ping from the client to the server
 * @property {() => void} startChanges the time of changes counts from here
 * @property {(cutMs: number, onCut: () => void) => Promise<void>} cut drops all packets both ways for that time; resolves
 *   when the link is as before, also if it was closed meanwhile; `onCut`: they are dropped from now on
 * @property {() => Promise<void>} forget drops what TCP connections send that were begun by now, for good; new ones work
 * @property {() => Promise<void>} close removes all of it; what still runs in it has no network from then on
 *
 * @typedef {{ isClientHere?: boolean, forgets?: boolean }} LinkOptions `isClientHere`: in the machine's own namespace, so
 *   that any program of the machine reaches the server; the address is then no other link's; `forgets`: it can forget connections
 *
 * @typedef {{ namespace?: string, device: string, address: string, macAddress: string }} End
 */

/**
 * Opens a link. Needs root, as namespaces and their devices do.
 *
 * @param {Conditions} conditions
 * @param {LinkOptions} [options]
 * @returns {Promise<Link>} must be closed
 * @throws {Error} one sentence where Linux, root or a tool is missing
 */
export async function openLink(conditions, { isClientHere = false, forgets } = {}) {
  await requireMachine();
  await removeAbandoned();
  const ends = await createEnds(isClientHere);
  const { server, client } = ends;
  const controller = new AbortController();
  /** @type {(() => Promise<unknown>)[]} */
  const undo = [];
  const close = () => runAll(undo.splice(0).reverse());

  try {
    const limited = await limitServer(conditions);
    undo.push(limited.close);
    for (const { namespace } of [server, client]) {
      if (namespace === undefined) continue;
      await run(`ip netns add ${namespace}`);
      undo.push(() => run(`ip netns delete ${namespace}`));
      await run(`ip -n ${namespace} link set lo up`);
    }
    const shaper = await openShaper(ends, conditions, { forgets });
    undo.push(shaper.close);
    await Promise.all([bringUp(server, client), bringUp(client, server)]);
    return {
      kind: shaper.kind,
      conditions,
      serverAddress: server.address,
      // The limits are outside: a namespace has a /sys of its own, without control groups.
      serverCommand: (argv) => limited.command(inNamespace(server, argv)),
      clientCommand: (argv) => inNamespace(client, argv),
      ping: (options) => ping(ends, { ...pingOf(conditions), ...options }),
      startChanges() {
        const changing = change(shaper, conditions, controller.signal);
        // An error is reported when the link is closed; until then nobody waits for it.
        changing.catch(() => {});
        undo.push(() => (controller.abort(), changing));
      },
      async cut(cutMs, onCut) {
        const cutting = cut(shaper, { conditions, cutMs, onCut, signal: controller.signal });
        undo.push(() => (controller.abort(), cutting));
        await cutting;
      },
      async forget() {
        if (!shaper.forget) throw new TypeError('Expected a link that was opened to forget, got another');
        await shaper.forget();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @template T
 * @param {Conditions} conditions
 * @param {(link: Link) => Promise<T>} use
 * @param {LinkOptions} [options]
 * @returns {Promise<T>} what `use` gives, when the link is closed
 */
export async function withLink(conditions, use, options) {
  const link = await openLink(conditions, options);
  try {
    return await use(link);
  } finally {
    await link.close();
  }
}

/** @param {boolean} isClientHere @returns {Promise<{ server: End, client: End }>} */
async function createEnds(isClientHere) {
  const name = createLinkName();
  const subnet = isClientHere ? await findSubnet() : 0;
  const device = isClientHere ? `lab-${subnet}` : DEVICE;
  /** @param {keyof typeof MAC_ADDRESSES} end @param {number} host */
  const endOf = (end, host) => ({ device, address: addressOf(subnet, host), macAddress: MAC_ADDRESSES[end] });
  return {
    server: { namespace: `${name}-server`, ...endOf('server', 1) },
    client: { namespace: isClientHere ? undefined : `${name}-client`, ...endOf('client', 2) },
  };
}

/** Finds a free subnet. Links that are opened at the same moment begin to search at different numbers. */
async function findSubnet() {
  const used = await run('ip -o -4 address show');
  let subnet = (process.pid + SUBNET_STEP * subnetCount++) % SUBNET_COUNT;
  while (subnet === 0 || used.includes(` ${addressOf(subnet, 2)} `)) subnet = (subnet + 1) % SUBNET_COUNT;
  return subnet;
}

/** @param {number} subnet @param {number} host @example addressOf(64, 1) // '198.18.1.1' */
function addressOf(subnet, host) {
  const offset = subnet * 4 + host;
  return `198.${18 + (offset >> 16)}.${(offset >> 8) & 255}.${offset & 255}`;
}

/** @param {End} end @param {End} peer */
async function bringUp(end, peer) {
  const ip = inside('ip', end);
  await run(`${ip} address add ${end.address} peer ${peer.address} dev ${end.device}`);
  await run(`${ip} link set ${end.device} mtu 1500 txqueuelen 1000 up`);
}

/** @param {End} end @param {string[]} argv */
const inNamespace = ({ namespace }, argv) => (namespace ? ['ip', 'netns', 'exec', namespace, ...argv] : argv);

/** @param {Shaper} shaper @param {Conditions} conditions @param {AbortSignal} signal ends it early */
async function change(shaper, { changes = [] }, signal) {
  const startedAtMs = performance.now();
  for (const { afterMs, ...conditions } of changes) {
    try {
      await waitMs(startedAtMs + afterMs - performance.now(), undefined, { signal });
    } catch {
      return;
    }
    await shaper.change(conditions);
  }
}

/**
 * Packets that are on their way already still arrive.
 * @param {Shaper} shaper
 * @param {{ conditions: Conditions, cutMs: number, onCut: () => void, signal: AbortSignal }} options `signal` ends it early
 */
async function cut(shaper, { conditions, cutMs, onCut, signal }) {
  try {
    await shaper.change({ ...conditions, lossPercent: 100 });
    onCut();
    await waitMs(cutMs, undefined, { signal }).catch(() => {});
  } finally {
    await shaper.change(conditions);
  }
}

/** @param {Conditions} conditions @returns {{ count: number, intervalMs: number }} */
function pingOf({ jitterMs = 0 }) {
  if (jitterMs === 0) return { count: PING_COUNT, intervalMs: PING_INTERVAL_MS };
  // Closer packets would delay each other, as none overtakes.
  return {
    count: JITTER_PING_COUNT,
    intervalMs: Math.min(Math.max(jitterMs, JITTER_PING_INTERVAL_MS), PING_INTERVAL_MS),
  };
}

/**
 * @param {{ server: End, client: End }} ends
 * @param {{ count: number, intervalMs: number }} options
 * @returns {Promise<Ping>}
 */
async function ping({ server, client }, { count, intervalMs }) {
  const argv = ['ping', '-n', '-q', '-c', String(count), '-i', String(intervalMs / 1000), server.address];
  const output = await runCommand(inNamespace(client, argv));
  // Only the last line has microseconds: "rtt min/avg/max/mdev = 230.402/230.511/230.720/0.089 ms".
  const [, ...numbers] = /= ([\d.]+)\/([\d.]+)\/([\d.]+)/.exec(output) ?? [];
  if (numbers.length === 0) throw new Error(`ping: expected a line of round-trip times, got ${output}`);
  const [minMs, meanMs, maxMs] = numbers.map(Number);
  return { count, minMs, meanMs, maxMs };
}

/** @param {(() => Promise<unknown>)[]} steps each is taken, also after one that failed @throws {TakeDownError} */
async function runAll(steps) {
  /** @type {Error[]} */
  const errors = [];
  for (const step of steps) await step().catch((error) => errors.push(error));
  if (errors.length === 0) return;
  const reasons = errors.map(({ message }) => message).join('; ');
  throw new TakeDownError(`The lab could not be taken down: ${reasons}`, { cause: new AggregateError(errors) });
}
