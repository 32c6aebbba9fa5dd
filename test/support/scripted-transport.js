import { ExchangeError } from '../../core/net/exchange-error.js';

/**
 * @import { Connection, Transport } from '../../core/net/echo/index.js'
 * @import { Server } from '../../core/net/echo/trial.js'
 * @import { Outcome } from '../../core/net/exchange-error.js'
 */

const SERVER = { server: 'scripted', location: '', version: '0', worker: 0, startedAt: '2026-11-21T06:00:00.000Z' };

/**
 * A transport whose every exchange does what a script says, on a clock that the script moves: only what is about the
 * loop itself is tested with it, never a figure.
 *
 * @param {object} options
 * @param {(Outcome | 'silence')[]} options.script one word per exchange; ok after its end
 * @param {boolean} [options.socket]
 * @param {number} [options.roundTripMs]
 * @param {string} [options.name]
 * @param {() => Partial<Server>} [options.whoami] what the server says of itself, if not the usual
 */
export function createScriptedTransport({ script, socket = false, roundTripMs = 5, name = 'scripted', whoami }) {
  let nowMs = 1000;
  let isSilent = false;
  const state = { exchangeCount: 0, closeCount: 0 };

  /** @type {Connection['exchange']} */
  const exchange = async (payload, { signal }) => {
    if ('whoami' in payload) return { ...SERVER, ...whoami?.() };
    const outcome = script[state.exchangeCount++] ?? 'ok';
    nowMs += roundTripMs;
    const { count } = /** @type {{ count: number }} */ (payload);
    if (outcome === 'ok') return { ...payload, count: count + 1 };
    if (outcome === 'mismatch') return { count };
    if (outcome !== 'silence') throw new ExchangeError(outcome, `scripted ${outcome}`);
    isSilent = true;
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };

  return {
    // While it is silent, time passes with every look at the clock.
    now: () => (isSilent ? (nowMs += 1e6) : nowMs),
    state,
    /** @type {Transport} */
    transport: {
      name,
      capabilities: { socket },
      async connect() {
        return { protocol: 'script', setUpMs: 1, exchange, close: () => state.closeCount++ };
      },
    },
  };
}
