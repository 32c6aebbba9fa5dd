/**
 * A long way on one machine: two network namespaces, one for a server and one for its client, and a link between them
 * with the round trip, jitter, loss and rate that were asked for.
 *
 * The kernel's netem does it where there is one; else a program carries the packets between two TUN devices. Both work
 * below TCP, so connecting and slow start take as many round trips as they do over a real distance. The namespaces have
 * no other way out: what is started in them reaches nobody else.
 */
import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endChild, readUntil } from '../cli/program/child.js';

const execute = promisify(execFile);

/** Each tool with the Debian package that brings it. */
const TOOLS = { ip: 'iproute2', ping: 'iputils-ping', python3: 'python3', nginx: 'nginx', openssl: 'openssl' };

const BRIDGE = fileURLToPath(new URL('tun-bridge.py', import.meta.url));
const BRIDGE_START_LIMIT_MS = 10_000;

const NAMESPACE_PATTERN = /^sockshootout-(\d+)-\d+-(?:server|client)$/;
const DEVICE = 'wan';

/** Addresses from the range set aside for network benchmarks: https://www.rfc-editor.org/rfc/rfc2544#appendix-C.2.2 */
const SERVER = { address: '198.18.0.1', macAddress: '02:00:00:00:00:01' };
const CLIENT = { address: '198.18.0.2', macAddress: '02:00:00:00:00:02' };

/** Enough for 1 Gbit/s over a second; netem's own 1000 would drop packets at 100 Mbit/s and 230 ms. */
const QUEUE_COUNT = 100_000;

/** What netem is given where no rate was asked for: 1.2 us a packet. More cannot be asked for. */
const UNLIMITED_MBIT_PER_SECOND = 10_000;

let linkCount = 0;

/**
 * @typedef {object} Conditions
 * @property {number} rttMs round trip, half of it each way
 * @property {number} [jitterMs] the round trip varies by up to this in either direction, evenly; packets keep their order
 * @property {number} [lossPercent] of the packets, each way
 * @property {number} [mbitPerSecond] each way; absent for no limit
 *
 * @typedef {object} Link
 * @property {'netem' | 'tun'} kind
 * @property {string} serverAddress
 * @property {(argv: string[]) => string[]} serverCommand the command that runs a program at the server's end; it keeps
 *   the id that it is started with
 * @property {(argv: string[]) => string[]} clientCommand the same at the client's end
 * @property {(options: { count: number }) => Promise<Ping>} ping from the client to the server
 * @property {() => Promise<void>} close removes all of it; what still runs in it has no network from then on
 *
 * @typedef {{ minMs: number, meanMs: number, maxMs: number }} Ping
 *
 * @typedef {{ address: string, macAddress: string }} Device
 * @typedef {Device & { namespace: string, peer: Device }} End
 */

/**
 * Opens a link. Needs root, as namespaces and their devices do.
 *
 * @param {Conditions} conditions
 * @returns {Promise<Link>} must be closed
 * @throws {Error} one sentence where Linux, root or a tool is missing
 */
export async function openLink(conditions) {
  await requireMachine();
  await removeAbandoned();

  const name = `sockshootout-${process.pid}-${linkCount++}`;
  const server = { namespace: `${name}-server`, ...SERVER, peer: CLIENT };
  const client = { namespace: `${name}-client`, ...CLIENT, peer: SERVER };
  const ends = [server, client];
  /** @type {(() => Promise<unknown>)[]} */
  const undo = [];
  const close = () => runAll(undo.splice(0).reverse());

  try {
    for (const { namespace } of ends) {
      await run(`ip netns add ${namespace}`);
      undo.push(() => run(`ip netns delete ${namespace}`));
      await run(`ip -n ${namespace} link set lo up`);
    }
    const kind = (await openNetem(server, client, conditions)) ? 'netem' : 'tun';
    if (kind === 'tun') undo.push(await openTun(ends, conditions));
    await Promise.all(ends.map(bringUp));
    return {
      kind,
      serverAddress: server.address,
      serverCommand: (argv) => inNamespace(server, argv),
      clientCommand: (argv) => inNamespace(client, argv),
      ping: ({ count }) => ping(client, count),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws {Error} one sentence where Linux, root or a tool is missing */
export async function requireMachine() {
  if (process.platform !== 'linux') throw new Error('The lab needs Linux and its network namespaces');
  if (process.getuid?.() !== 0) throw new Error('The lab needs root, to make network namespaces: run it with sudo');
  await requireTools(['ip', 'ping']);
}

/** @param {(keyof typeof TOOLS)[]} names @throws {Error} one sentence: which are missing, and how to get them */
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

/** @param {string} words of a command, with a space between each */
const run = (words) => runCommand(words.split(' '));

/** Whether this kernel can; only trying tells. @param {End} server @param {End} client @param {Conditions} conditions */
async function openNetem(server, client, conditions) {
  // A pair of virtual Ethernet devices, each with netem for what it sends.
  const pair = [server, client].map(
    ({ macAddress, namespace }) => `${DEVICE} address ${macAddress} netns ${namespace}`,
  );
  try {
    await run(`ip link add ${pair[0]} type veth peer name ${pair[1]}`);
  } catch {
    return false;
  }
  try {
    await Promise.all([server, client].map((end) => addNetem(end, conditions)));
    return true;
  } catch {
    // With one end of the pair goes the other.
    await run(`ip -n ${server.namespace} link delete ${DEVICE}`);
    return false;
  }
}

/** @param {End} end @param {Conditions} conditions */
async function addNetem({ namespace, peer }, { rttMs, jitterMs = 0, lossPercent = 0, mbitPerSecond }) {
  // Only with a rate does netem keep packets in order under jitter.
  const rate = mbitPerSecond ?? UNLIMITED_MBIT_PER_SECOND;
  const netem = `netem limit ${QUEUE_COUNT} delay ${rttMs / 2}ms ${jitterMs / 2}ms loss ${lossPercent}% rate ${rate}mbit`;
  await run(`tc -n ${namespace} qdisc add dev ${DEVICE} root ${netem}`);
  // One packet at a time, as on a wire: netem would lose or delay a whole bundle as one.
  await run(`ip -n ${namespace} link set ${DEVICE} gso_max_segs 1`);
  // Else the first packet would first wait a round trip for the other end's hardware address.
  const neighbour = `${peer.address} lladdr ${peer.macAddress} dev ${DEVICE} nud permanent`;
  await run(`ip -n ${namespace} neighbour add ${neighbour}`);
}

/** Two TUN devices with a program between; what is returned ends all three. @param {End[]} ends @param {Conditions} asked */
async function openTun(ends, { rttMs, jitterMs = 0, lossPercent = 0, mbitPerSecond }) {
  await requireTools(['python3']);
  const bridge = spawn('python3', [
    BRIDGE,
    `--delay-ms=${rttMs / 2}`,
    `--jitter-ms=${jitterMs / 2}`,
    `--loss-percent=${lossPercent}`,
    ...(mbitPerSecond === undefined ? [] : [`--mbit-per-second=${mbitPerSecond}`]),
    `--queue-count=${QUEUE_COUNT}`,
  ]);
  try {
    const names = await readUntil(bridge, (line) => line.split(' '), { limitMs: BRIDGE_START_LIMIT_MS });
    for (const [index, { namespace }] of ends.entries()) {
      await run(`ip link set ${names[index]} netns ${namespace} name ${DEVICE}`);
    }
  } catch (error) {
    await endChild(bridge);
    throw error;
  }
  return () => endChild(bridge);
}

/** @param {End} end */
async function bringUp({ namespace, address, peer }) {
  await run(`ip -n ${namespace} address add ${address} peer ${peer.address} dev ${DEVICE}`);
  await run(`ip -n ${namespace} link set ${DEVICE} mtu 1500 txqueuelen 1000 up`);
}

/** @param {End} end @param {string[]} argv */
const inNamespace = ({ namespace }, argv) => ['ip', 'netns', 'exec', namespace, ...argv];

/** @param {End} end @param {number} count @returns {Promise<Ping>} */
async function ping(end, count) {
  const output = await runCommand(inNamespace(end, `ping -n -q -c ${count} -i 0.2 ${end.peer.address}`.split(' ')));
  // Only the last line has microseconds: "rtt min/avg/max/mdev = 230.402/230.511/230.720/0.089 ms".
  const [, ...numbers] = /= ([\d.]+)\/([\d.]+)\/([\d.]+)/.exec(output) ?? [];
  if (numbers.length === 0) throw new Error(`ping: expected a line of round trip times, got ${output}`);
  const [minMs, meanMs, maxMs] = numbers.map(Number);
  return { minMs, meanMs, maxMs };
}

/** Removes the namespaces of earlier programs that were killed before they could do it themselves. */
async function removeAbandoned() {
  const lines = (await run('ip netns list')).split('\n');
  const abandoned = lines
    .map((line) => line.split(' ')[0])
    .filter((namespace) => {
      const pid = NAMESPACE_PATTERN.exec(namespace)?.[1];
      return pid !== undefined && !isRunning(Number(pid));
    });
  // Another program may be at it, too: what counts is that they are gone.
  await Promise.allSettled(abandoned.map((namespace) => run(`ip netns delete ${namespace}`)));
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/** @param {(() => Promise<unknown>)[]} steps each is taken, also after one that failed */
async function runAll(steps) {
  /** @type {unknown[]} */
  const errors = [];
  for (const step of steps) await step().catch((error) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'The lab could not be taken down');
}
