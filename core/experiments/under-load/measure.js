/**
 * Measures latency under load: each trial begins one load, and sends small messages by all probes side by side from its
 * begin until the last byte has arrived. A probe's time counts from the instant that was planned for it.
 */
import { sleep } from '../../base/async.js';
import { createRandomOf } from '../../base/random.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { createPayload, isEchoOf } from '../../net/echo/round-trip.js';
import { ExchangeError } from '../../net/exchange-error.js';
import { fitToPath } from './fit.js';
import { createLimit } from './limit.js';
import { bytesOf, GIVE_UP_FACTOR, hasProbe, LIMIT_MS, LOADS, PROBE_INTERVAL_MS, SAME, trialsOf } from './plan.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { FaultWatch, Measured, Measurement } from '../../experiment/contract.js'
 * @import { Connection, Transport } from '../../net/echo/index.js'
 * @import { Loads, LoadSocket } from '../../net/load/index.js'
 * @import { Limit } from './limit.js'
 * @import { LoadRow, PlannedTrial, UnderLoadPlan } from './plan.js'
 * @import { Probed, UnderLoadTrial } from './schema.js'
 * @typedef {{ plan: UnderLoadPlan, transports: Record<string, Transport>, createLoads: (maxBytes: number) => Loads, now:
 *   Now, timers?: Timers, signal?: AbortSignal, onFitted?: (plan: UnderLoadPlan) => void }} Options
 * @typedef {object} Shared by the trials of a run
 * @property {Map<string, Connection>} connections of the probes, kept from trial to trial
 * @property {Loads} loads
 * @property {number} sentCount the number of messages so far, as no two open requests may have the same URL
 * @property {() => void} close
 * @typedef {{ exchange: (index: number, signal: AbortSignal) => Promise<void>, connection?: Connection, protocol?: string }} Link
 *   that a probe is sent over
 * @typedef {{ probed: Probed, link?: Link }} Probe
 * @typedef {{ transfer?: UnderLoadTrial['transfer'], failure?: UnderLoadTrial['failure'] }} Loaded neither without load
 * @typedef {Options & { shared: Shared, progress: { completedCount: number }, since: () => number }} Running
 */

const SET_UP_LIMIT_MS = 10_000;
/** The first opens a connection over HTTP; the last is as fast as those that count. */
const WARM_UP_COUNT = 2;

/** @type {Measurement<Options, PlannedTrial, UnderLoadTrial>} */
export const measurement = { schema: 'sockshootout/under-load/1', around, trialsOf, open, runTrial, watchFaults };

/** @param {Options} options @param {(options: Options) => Promise<Measured<UnderLoadTrial>>} measure */
async function around(options, measure) {
  return measure({ ...options, plan: await fitToPath(options) });
}

/** @param {Options} options @returns {Shared} */
function open({ plan, createLoads }) {
  const isUploading = plan.loads.some((load) => LOADS[load].direction === 'up');
  /** @type {Shared['connections']} */
  const connections = new Map();
  return {
    connections,
    loads: createLoads(isUploading ? plan.upBytes : 0),
    sentCount: 0,
    close() {
      for (const connection of connections.values()) connection.close();
    },
  };
}

/**
 * @param {PlannedTrial} planned @param {Options & { progress: any, shared: Shared }} options
 * @returns {Promise<UnderLoadTrial | undefined>} absent if the run was stopped
 */
async function runTrial(planned, options) {
  const { plan, now, signal, shared } = options;
  const row = LOADS[planned.load];
  const startedAtMs = now();
  const running = { ...options, since: () => now() - startedAtMs };
  const setUp = createLimit(options, SET_UP_LIMIT_MS, 'No connection within 10 s.');
  /** @type {LoadSocket | undefined} */
  let socket;
  /** @type {Loaded} */
  let loaded;
  /** @type {Probe[]} */
  const probes = plan.transports
    .filter((name) => hasProbe(planned.load, name))
    .map((transport) => ({
      probed: { transport, samples: { plannedAtMs: [], sentAtMs: [], endedAtMs: [] }, failures: [] },
    }));
  try {
    if (probes.some(({ probed }) => probed.transport === SAME) || (row.direction && !row.requestCount)) {
      socket = await shared.loads.open(row.direction ?? 'down', { signal: setUp.signal });
    }
    const floorMs = await warmUp(probes, socket, { ...running, limit: setUp });
    // A probe that could not connect in time has ended this limit.
    setUp.end();
    loaded = await probeUnderLoad(planned, { probes, socket, floorMs }, running);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    loaded = { failure: failureOf(error) };
  } finally {
    setUp.end();
    socket?.close();
    closeFailed(probes, shared);
  }
  if (signal?.aborted) return undefined;
  const probed = probes.map((probe) => probe.probed);
  const protocol = protocolsOf(probed).join(', ') || undefined;
  return { ...planned, protocol, startedAtMs, elapsedMs: running.since(), ...loaded, probed };
}

/** @param {ExchangeError} error */
const failureOf = ({ outcome, message }) => ({ outcome, message });

/**
 * Connects the probes, and warms them up side by side; one that fails has the reason.
 * @param {readonly Probe[]} probes @param {LoadSocket | undefined} socket @param {Running & { limit: Limit }} running
 * @returns {Promise<number>} the fastest round trip
 */
async function warmUp(probes, socket, { transports, shared, limit, now }) {
  const times = probes.map(async (probe) => {
    const { transport } = probe.probed;
    try {
      const link =
        transport === SAME
          ? linkOfSocket(/** @type {LoadSocket} */ (socket))
          : linkOf(await connect(transports[transport], { shared, signal: limit.signal }));
      let ms = 0;
      for (let i = 0; i < WARM_UP_COUNT; i++) {
        const sentAtMs = now();
        await link.exchange(shared.sentCount++, limit.signal);
        ms = now() - sentAtMs;
      }
      probe.link = link;
      probe.probed.protocol = link.connection ? link.connection.protocol : link.protocol;
      return ms;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      probe.probed.failures.push(failureOf(error));
      return Infinity;
    }
  });
  const floorMs = Math.min(...(await Promise.all(times)));
  if (floorMs === Infinity) {
    const [{ probed }] = probes;
    const [{ outcome, message }] = probed.failures;
    throw new ExchangeError(outcome, message);
  }
  return floorMs;
}

/** @param {Transport} transport @param {{ shared: Shared, signal: AbortSignal }} run */
async function connect(transport, { shared: { connections }, signal }) {
  const connection = connections.get(transport.name) ?? (await transport.connect({ signal }));
  connections.set(transport.name, connection);
  return connection;
}

/** @param {Connection} connection @returns {Link} */
const linkOf = (connection) => ({
  connection,
  async exchange(index, signal) {
    const payload = createPayload(index);
    if (isEchoOf(await connection.exchange(payload, { signal }), payload)) return;
    throw new ExchangeError('mismatch', `Expected the echo with count ${index + 1}.`);
  },
});

/** @param {LoadSocket} socket @returns {Link} */
const linkOfSocket = (socket) => ({
  protocol: socket.protocol,
  exchange: (index, signal) => socket.exchange({ index, signal }),
});

/**
 * Closes the connections that still wait for an answer, or have ended: the next trial opens new ones.
 * @param {readonly Probe[]} probes @param {Shared} shared
 */
function closeFailed(probes, { connections }) {
  for (const { probed } of probes) {
    if (probed.failures.length === 0) continue;
    connections.get(probed.transport)?.close();
    connections.delete(probed.transport);
  }
}

/**
 * @param {PlannedTrial} planned @param {{ probes: readonly Probe[], socket?: LoadSocket, floorMs: number }} means
 * @param {Running} running @returns {Promise<Loaded>}
 */
async function probeUnderLoad({ block, load }, { probes, socket, floorMs }, running) {
  const { plan, since, signal, timers } = running;
  const lengthMs = 1000 * plan.seconds;
  const fromMs = since();
  const limit = createLimit(running, GIVE_UP_FACTOR * lengthMs + LIMIT_MS, 'No answer until the trial was over.');
  let overAtMs = LOADS[load].direction ? Infinity : fromMs + lengthMs;
  let maxUnsentBytes = 0;
  const loading = LOADS[load].direction
    ? transfer(LOADS[load], { bytes: bytesOf(load, plan), socket, floorMs }, running).finally(
        () => (overAtMs = since()),
      )
    : sleep(lengthMs, { signal, timers });

  const index = plan.loads.length * block + plan.loads.indexOf(load);
  const sending = probes.map(async (probe, i) => {
    const random = createRandomOf(plan.seed, 1 + index * plan.transports.length + i);
    /** @type {Promise<void>[]} */
    const answers = [];
    for (let n = 0; probe.link && !signal?.aborted; n++) {
      const plannedMs = fromMs + (n + random()) * PROBE_INTERVAL_MS;
      await sleep(plannedMs - since(), { signal, timers });
      // One that was due before the load was over is sent, however late the timer was.
      if (signal?.aborted || plannedMs > overAtMs) break;
      maxUnsentBytes = Math.max(maxUnsentBytes, socket?.unsentBytes() ?? 0);
      answers.push(send(probe, { plannedMs, limit }, running));
    }
    return Promise.all(answers);
  });
  const found = await loading;
  const lastMs = since();
  limit.restart(LIMIT_MS, `No answer within ${LIMIT_MS / 1000} s after the load.`);
  await Promise.all(sending);
  limit.end();
  for (const { probed } of probes) sortSamples(probed);
  if (!found) return {};
  if ('failure' in found) return found;
  return { transfer: { byteCount: found.bytes, firstMs: Math.min(found.firstMs, lastMs), lastMs, maxUnsentBytes } };
}

/**
 * @param {LoadRow} row @param {{ bytes: number, socket?: LoadSocket, floorMs: number }} means @param {Running} running
 * @returns {Promise<{ bytes: number, firstMs: number } | Required<{ failure: UnderLoadTrial['failure'] }>>}
 */
async function transfer({ direction = 'down', requestCount, chunkBytes }, { bytes, socket, floorMs }, running) {
  const { plan, since, shared } = running;
  const limitMs = GIVE_UP_FACTOR * 1000 * plan.seconds;
  const limit = createLimit(running, limitMs, `The transfer took longer than ${limitMs / 1000} s.`);
  let firstMs = 0;
  const options = {
    bytes,
    signal: limit.signal,
    // The receipt of an upload's last byte takes a round trip, too, so both ends are as the page hears of them.
    onFirst: () => (firstMs = since() + (direction === 'up' ? floorMs : 0)),
  };
  try {
    if (requestCount) await shared.loads.request(direction, { ...options, count: requestCount });
    if (!socket || requestCount) return { bytes, firstMs };
    // Chunks under way limit the rate where the round trip is long: the rest is not sent, as the run would take too long.
    const isEnough = () => firstMs > 0 && since() - firstMs >= 1000 * plan.seconds;
    return { bytes: await socket.transfer({ ...options, chunkBytes: chunkBytes ?? bytes, isEnough }), firstMs };
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return { failure: failureOf(error) };
  } finally {
    limit.end();
  }
}

/** @param {Probe} probe with a link @param {{ plannedMs: number, limit: Limit }} plan @param {Running} running */
async function send({ probed, link }, { plannedMs, limit }, { since, shared, progress }) {
  const sentMs = since();
  try {
    await link?.exchange(shared.sentCount++, limit.signal);
    const { plannedAtMs, sentAtMs, endedAtMs } = probed.samples;
    // A timer may wake up to 1 ms early: the time of a message that left before its instant is its own.
    plannedAtMs.push(Math.min(plannedMs, sentMs));
    sentAtMs.push(sentMs);
    endedAtMs.push(since());
    progress.completedCount++;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    if (error.outcome !== 'aborted') probed.failures.push({ ...failureOf(error), plannedAtMs: plannedMs });
  }
}

/** Puts the samples in the order of the plan: requests overtake each other. @param {Probed} probed */
function sortSamples({ samples }) {
  const { plannedAtMs } = samples;
  const order = [...plannedAtMs.keys()].sort((a, b) => plannedAtMs[a] - plannedAtMs[b]);
  for (const times of Object.values(samples)) times.splice(0, times.length, ...order.map((i) => times[i]));
}

/** @returns {FaultWatch<UnderLoadTrial>} */
function watchFaults() {
  return {
    look({ block, load, probed, failure }) {
      // A transfer may be over before the first probe is due.
      const isAnswered = probed.some(({ protocol, samples }) => protocol !== undefined || samples.endedAtMs.length > 0);
      const first = failure ?? probed[0].failures[0];
      if (isAnswered || !first || first.outcome === 'rejected') return undefined;
      const where = `block ${block + 1}, ${LOADS[load].label}`;
      return { kind: 'invalid', reason: `No probe got an answer (${where}). ${first.message}` };
    },
  };
}
