/**
 * A path of a known rate over virtual time, its queue, and the loads and probes over it: what waits for what is a law, so that
 * each figure has a known truth.
 */
import { setMaxListeners } from 'node:events';
import { abortable } from '../../core/base/async.js';
import { ExchangeError } from '../../core/net/exchange-error.js';

/**
 * @import { Transport } from '../../core/net/echo/index.js'
 * @import { Loads, LoadSocket } from '../../core/net/load/index.js'
 * @import { createVirtualTime } from './virtual-time.js'
 * @typedef {ReturnType<typeof createVirtualTime>} Time
 * @typedef {{ rate: number, oneWayMs?: number, queueBytes?: number, bufferBytes?: number, noiseOf?: (probe: string) => number, isMute?: (probe: string)
 *   => boolean, refuse?: string, isDeaf?: boolean, httpProtocol?: string }} Script `rate`: Mbit/s; `queueBytes`: that the load keeps in the
 *   bottleneck's queue, or in chunks at most two of them; `bufferBytes`: of its own socket before that; `noiseOf`: more ms of a probe; `isMute`: is a probe during a load never answered?; `refuse`: the
 *   reason why no load begins; `isDeaf`: nothing can be connected to
 */

/** @param {Time} time @param {Script} script */
export function createScriptedLoad(time, script) {
  // Dozens of probes wait for one signal.
  setMaxListeners(100);

  const {
    rate,
    oneWayMs = 10,
    queueBytes = 0,
    bufferBytes = 0,
    noiseOf = () => 0,
    isMute = () => false,
    httpProtocol = 'http/1.1',
    refuse,
    isDeaf = false,
  } = script;
  const bytesPerMs = (rate * 1e6) / 8 / 1000;
  const state = { openCount: 0, closeCount: 0 };
  /**
   * @type {{ fromMs: number, bytes: number, perMs: number, standingBytes: number } | undefined} `fromMs`: at the bottleneck;
   *   `perMs`: its rate; `standingBytes`: that wait for the bottleneck, at most
   */
  let load;

  /** @param {number} atMs */
  const remainingAt = (atMs) =>
    load && atMs >= load.fromMs ? Math.max(0, load.bytes - load.perMs * (atMs - load.fromMs)) : 0;

  /** @param {number} atMs at the bottleneck @param {boolean} isSame @returns {number} bytes that go first */
  function aheadAt(atMs, isSame) {
    const { standingBytes = 0 } = load ?? {};
    const ahead = isSame ? standingBytes + bufferBytes : Math.min(standingBytes, queueBytes);
    return Math.min(remainingAt(atMs), ahead);
  }

  /** @param {string} probe @param {AbortSignal | undefined} signal @returns {Promise<void>} */
  async function answer(probe, signal) {
    if (signal?.aborted) throw signal.reason;
    const atMs = time.now() + oneWayMs;
    if (isMute(probe) && remainingAt(atMs) > 0) {
      return abortable(signal, () => {});
    }
    await until(atMs + aheadAt(atMs, probe === 'same-socket') / bytesPerMs + oneWayMs + noiseOf(probe), signal);
  }

  /** @param {number} atMs @param {AbortSignal | undefined} signal @returns {Promise<void>} */
  const until = (atMs, signal) =>
    abortable(signal, (resolve) => {
      const timer = time.timers.setTimeout(() => resolve(undefined), atMs - time.now());
      return () => time.timers.clearTimeout(timer);
    });

  /**
   * Carries a transfer. Two chunks are under way: another one is sent when one has arrived.
   * @param {{ bytes: number, chunkBytes: number, isEnough?: () => boolean, onFirst: () => void, signal: AbortSignal, isUpload:
   *   boolean }} options
   * @returns {Promise<number>}
   */
  async function carry({ bytes, chunkBytes, isEnough = () => false, onFirst, signal, isUpload }) {
    if (refuse) throw new ExchangeError('rejected', refuse);
    if (isUpload) onFirst();
    const fromMs = time.now() + oneWayMs;
    const roundTripMs = 2 * oneWayMs;
    const windowBytes = chunkBytes < bytes ? 2 * chunkBytes : Infinity;
    const perMs = Math.min(bytesPerMs, windowBytes / (roundTripMs + chunkBytes / bytesPerMs));
    load = { fromMs, bytes, perMs, standingBytes: windowBytes - perMs * roundTripMs };
    try {
      await until(fromMs + oneWayMs, signal);
      if (!isUpload) onFirst();
      let sentBytes = 0;
      while (sentBytes < bytes && !(sentBytes > 0 && isEnough())) {
        sentBytes = Math.min(bytes, sentBytes + chunkBytes);
        await until(fromMs + sentBytes / perMs + oneWayMs, signal);
      }
      return sentBytes;
    } finally {
      load = undefined;
    }
  }

  /** @returns {Loads} */
  const createLoads = () => ({
    async open(direction, { signal }) {
      state.openCount++;
      await answer('same-socket', signal);
      /** @type {LoadSocket} */
      const socket = {
        protocol: 'websocket',
        exchange: ({ signal: limit }) => answer('same-socket', limit),
        transfer: (options) => carry({ ...options, isUpload: direction === 'up' }),
        unsentBytes: () => (direction === 'up' ? Math.round(remainingAt(time.now())) : 0),
        close: () => state.closeCount++,
      };
      return socket;
    },
    async request(direction, options) {
      await carry({ ...options, chunkBytes: options.bytes, isUpload: direction === 'up' });
    },
  });

  /** @param {string} name @returns {Transport} */
  const createTransport = (name) => ({
    name,
    capabilities: { socket: !['ajax', 'fetch'].includes(name) },
    async connect() {
      if (isDeaf) throw new ExchangeError('closed', 'scripted: nobody there');
      state.openCount++;
      return {
        protocol: ['ajax', 'fetch'].includes(name) ? httpProtocol : 'websocket',
        setUpMs: 0,
        async exchange(/** @type {any} */ { count }, { signal }) {
          await answer(name, signal);
          return { count: count + 1 };
        },
        close: () => state.closeCount++,
      };
    },
  });
  const transports = Object.fromEntries(['ajax', 'fetch', 'ws', 'sockjs'].map((name) => [name, createTransport(name)]));
  return { state, means: { createLoads, transports, now: time.now, timers: time.timers } };
}
