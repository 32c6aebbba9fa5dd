/** A transport over virtual time, which answers after a round trip. */
import { ExchangeError } from '../../core/net/exchange-error.js';

/**
 * @import { Transport } from '../../core/net/echo/index.js'
 * @import { FailureOutcome } from '../../core/net/exchange-error.js'
 */

/**
 * A transport over virtual time: its answers take a round-trip time, over one connection each.
 *
 * @param {ReturnType<typeof import('./virtual-time.js').createVirtualTime>} time
 * @param {object} [options]
 * @param {string} [options.name]
 * @param {boolean} [options.socket]
 * @param {string} [options.protocol]
 * @param {number} [options.rttMs] default: 10
 * @param {number} [options.connections] as many messages at once, the others wait
 * @param {{ fromMs: number, toMs: number }} [options.stall] since the warm-up's end: what comes during it waits for its end
 * @param {(count: number) => FailureOutcome | 'silence' | undefined} [options.fail]
 */
export function createVirtualPipe(time, options = {}) {
  const {
    name = 'sockjs',
    socket = true,
    protocol = 'pipe',
    rttMs = 10,
    connections = Infinity,
    stall,
    fail,
  } = options;
  const state = { counts: /** @type {number[]} */ ([]), closeCount: 0 };
  /** @type {Transport} */
  const transport = {
    name,
    capabilities: { socket },
    async connect() {
      const connectedAtMs = time.now();
      const freeAtMs = Array.from({ length: Math.min(connections, 2000) }, () => 0);
      return {
        protocol,
        setUpMs: 0,
        async exchange(/** @type {any} */ { count, whoami }, { signal }) {
          if (whoami) return {};
          if (signal?.aborted) throw signal.reason;
          state.counts.push(count);
          const failure = fail?.(count);
          if (failure === 'silence') {
            return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
          }
          if (failure) throw new ExchangeError(failure, `scripted ${failure}`);
          const first = freeAtMs.indexOf(Math.min(...freeAtMs));
          let beginsAtMs = Math.max(time.now(), freeAtMs[first]);
          const sinceMs = beginsAtMs - connectedAtMs;
          if (stall && sinceMs >= stall.fromMs && sinceMs < stall.toMs) beginsAtMs = connectedAtMs + stall.toMs;
          freeAtMs[first] = beginsAtMs + rttMs;
          await time.sleepUntil(beginsAtMs + rttMs);
          return { count: count + 1 };
        },
        close: () => state.closeCount++,
      };
    },
  };
  return { transport, state };
}
