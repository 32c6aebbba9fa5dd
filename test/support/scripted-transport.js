import { ExchangeError } from '../../core/exchange-error.js';

/**
 * A transport whose every exchange does what a script says, on a clock that the script moves: only what is about the
 * loop itself is tested with it, never a figure.
 *
 * @param {object} options
 * @param {(import('../../core/exchange-error.js').Outcome | 'silence')[]} options.script one word per exchange; ok
 *   after its end
 * @param {boolean} [options.socket]
 * @param {number} [options.roundTripMs]
 */
export function createScriptedTransport({ script, socket = false, roundTripMs = 5 }) {
  let nowMs = 1000;
  let isSilent = false;
  const state = { exchangeCount: 0, closeCount: 0 };

  /** @type {import('../../core/transports/index.js').Connection['exchange']} */
  const exchange = async (payload, { signal }) => {
    if ('whoami' in payload) return { server: 'scripted', location: '', version: '0', worker: 0 };
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
    /** @type {import('../../core/transports/index.js').Transport} */
    transport: {
      name: 'scripted',
      capabilities: { socket },
      async connect() {
        return { protocol: 'script', setUpMs: 1, exchange, close: () => state.closeCount++ };
      },
    },
  };
}
