/**
 * Makes a link long, lossy and slow: by the kernel's netem between two virtual Ethernet devices if there is one, or
 * else by a program that carries the packets between two TUN devices.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild, readUntil } from '../cli/program/child.js';
import { requireTun, run } from './machine.js';

/**
 * @import { Conditions } from '../core/experiment/run/emulated-link.js'
 * @import { End } from './link.js'
 */

const BRIDGE = fileURLToPath(new URL('tun-bridge.py', import.meta.url));
const BRIDGE_LIMIT_MS = 10_000;

/** This is enough for 1 Gbit/s over a second; netem's default of 1000 would drop packets at 100 Mbit/s and 230 ms. */
const QUEUE_COUNT = 100_000;
/** netem counts packets: the size of those that fill a queue, by the devices' MTU. */
const PACKET_BYTES = 1500;

/** The rate for netem if none is given: 1.2 us per packet. It is also the maximum. */
const UNLIMITED_MBIT_PER_SECOND = 10_000;

/**
 * @typedef {object} Shaper
 * @property {'netem' | 'tun'} kind
 * @property {(conditions: Conditions) => Promise<unknown>} change for all packets from now on
 * @property {() => Promise<unknown>} [forget] drops, from now on, what TCP connections send that were begun by now; absent in netem,
 *   which does not know connections
 * @property {() => Promise<unknown>} close
 *
 * @typedef {{ delayMs: number, jitterMs: number, lossPercent: number, mbitPerSecond?: number, queueMs?: number }} Direction
 */

/**
 * @param {{ server: End, client: End }} ends that get their devices
 * @param {Conditions} conditions
 * @param {{ forgets?: boolean }} options `forgets`: it has to know connections
 * @returns {Promise<Shaper>} must be closed
 */
export async function openShaper(ends, conditions, { forgets }) {
  return (forgets ? undefined : await openNetem(ends, conditions)) ?? openTun(ends, conditions);
}

/**
 * Divides the conditions between the directions. Each gets its part of the jitter, so that no packet would have to
 * arrive before it was sent.
 *
 * @param {Conditions} conditions
 * @returns {{ up: Direction, down: Direction }} `up`: towards the server
 */
export function directionsOf({ rttMs, rttUpMs = rttMs / 2, jitterMs = 0, lossPercent = 0, ...line }) {
  const { mbitPerSecond, mbitPerSecondUp = mbitPerSecond, queueMs } = line;
  const both = { lossPercent, ...(queueMs !== undefined && { queueMs }) };
  const jitterUpMs = rttMs > 0 ? (jitterMs * rttUpMs) / rttMs : 0;
  return {
    up: { ...both, delayMs: rttUpMs, jitterMs: jitterUpMs, mbitPerSecond: mbitPerSecondUp },
    down: { ...both, delayMs: rttMs - rttUpMs, jitterMs: jitterMs - jitterUpMs, mbitPerSecond },
  };
}

/** @param {{ server: End, client: End }} ends @param {Conditions} conditions @returns {Promise<Shaper | undefined>} */
async function openNetem({ server, client }, conditions) {
  const [first, second] = [server, client].map(
    ({ device, macAddress, namespace }) => `${device} address ${macAddress}${namespace ? ` netns ${namespace}` : ''}`,
  );
  // Deleting one device of the pair deletes the other.
  const close = () => run(`${inside('ip', server)} link delete ${server.device}`);
  /** @param {'add' | 'change'} verb @param {Conditions} wanted */
  const shape = async (verb, wanted) => {
    const { up, down } = directionsOf(wanted);
    await Promise.all([shapeNetem(verb, client, up), shapeNetem(verb, server, down)]);
  };
  try {
    await run(`ip link add ${first} type veth peer name ${second}`);
  } catch {
    return undefined;
  }
  try {
    await shape('add', conditions);
    await Promise.all([prepareNetem(server, client), prepareNetem(client, server)]);
    return { kind: 'netem', change: (wanted) => shape('change', wanted), close };
  } catch {
    await close();
    return undefined;
  }
}

/** @param {'add' | 'change'} verb @param {End} end that sends @param {Direction} direction */
function shapeNetem(verb, end, direction) {
  const { delayMs, jitterMs, lossPercent, mbitPerSecond = UNLIMITED_MBIT_PER_SECOND } = direction;
  // netem keeps packets in order under jitter only with a rate.
  const delay = `delay ${delayMs}ms ${jitterMs}ms loss ${lossPercent}% rate ${mbitPerSecond}mbit`;
  const netem = `limit ${netemLimitOf(direction)} ${delay}`;
  return run(`${inside('tc', end)} qdisc ${verb} dev ${end.device} root netem ${netem}`);
}

/**
 * Returns the number of packets that netem may hold. It holds them in one queue until they have crossed the link, so those that
 * are only delayed count, too.
 * @param {Direction} direction @returns {number}
 */
export function netemLimitOf({ delayMs, mbitPerSecond, queueMs }) {
  if (queueMs === undefined || mbitPerSecond === undefined) return QUEUE_COUNT;
  const bytes = (mbitPerSecond * 1000 * (queueMs + delayMs)) / 8;
  return Math.min(QUEUE_COUNT, Math.max(1, Math.ceil(bytes / PACKET_BYTES)));
}

/** @param {End} end @param {End} peer */
async function prepareNetem(end, peer) {
  const ip = inside('ip', end);
  // This sends one packet at a time, as on a wire: netem would lose or delay a whole bundle as one.
  await run(`${ip} link set ${end.device} gso_max_segs 1`);
  // Otherwise the first packet would wait a round trip for the other end's hardware address.
  await run(`${ip} neighbour add ${peer.address} lladdr ${peer.macAddress} dev ${end.device} nud permanent`);
}

/** @param {{ server: End, client: End }} ends @param {Conditions} conditions @returns {Promise<Shaper>} */
async function openTun({ server, client }, conditions) {
  await requireTun();
  // It has its own process group: a terminal's Ctrl-C must not end the link before what measures over it.
  const bridge = spawn('python3', [BRIDGE], { detached: true });
  // If it is gone, what measures over it says so.
  bridge.stdin.on('error', () => {});
  const close = () => endChild(bridge);
  /** @param {Conditions} wanted */
  const change = async (wanted) => {
    const { up, down } = directionsOf(wanted);
    bridge.stdin.write(`${JSON.stringify([down, up])}\n`);
  };
  const forget = () => {
    bridge.stdin.write('forget\n');
    return once(bridge.stdout, 'data', { signal: AbortSignal.timeout(BRIDGE_LIMIT_MS) });
  };
  try {
    await change(conditions);
    const names = await readUntil(bridge, (line) => line.split(' '), { limitMs: BRIDGE_LIMIT_MS });
    for (const [index, { namespace, device }] of [server, client].entries()) {
      await run(`ip link set ${names[index]}${namespace ? ` netns ${namespace}` : ''} name ${device}`);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { kind: 'tun', change, forget, close };
}

/** @param {'ip' | 'tc'} tool @param {End} end @returns {string} the tool, for the end's devices */
export const inside = (tool, { namespace }) => (namespace ? `${tool} -n ${namespace}` : tool);
